// A reset, a restore or a load is taken back, by a page or by the API, and what a sandbox holds is edited without ending its users' tokens.
import { sql } from 'kysely';
import { t as file, test } from 'tap';
import { createExpiry } from '../../src/sandboxes/expiry.ts';
import { maxUndoRows } from '../../src/sandboxes/sandbox-schemas.ts';
import { openConsole, type Person, type Shown, textsOf } from '../support/person.ts';
import { type Ask, startService } from '../support/service.ts';

const own = '/_understudy/sandboxes/box';
const list = '/sandboxes/box/api/users/alice/notifications/';
const entry = { notification: 'LockNotification', scope: 10, frequency: 1 };

const service = await startService(file, { anonymous: 'strict' });

/** All that an undo must bring back: content with ids and counters, tokens, the clock, and what a reset leads to. */
async function stateOf() {
  const { text } = await service.request('GET', `${own}/seed?format=yaml`);
  const { clock, seed } = await sql<{ clock: string | null; seed: string }>`select c.clock::text, s.seed_name as seed
    from understudy.sandboxes s join understudy.counters c on c.sandbox_id = s.id where s.name = 'box'`
    .execute(service.database.load)
    .then(({ rows }) => rows[0] as { clock: string | null; seed: string });
  const statuses = ['alice', 'bob'].map(
    async (name) => (await service.request('GET', '/sandboxes/box/api/users/alice/', { as: name })).status,
  );
  return { text, clock, seed, statuses: await Promise.all(statuses) };
}

const hiddenCopies = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from understudy.sandboxes
    where snapshot_of is not null or (name is null and template_key is null and baseline_id is null)`.execute(
    service.database.load,
  );
  return rows[0]?.n ?? 0;
};

/** Makes the sandbox afresh. */
async function open(): Promise<Person> {
  await service.request('DELETE', own);
  await service.request('PUT', own, { json: {} });
  await service.request('POST', list, { as: 'alice', json: entry });
  await service.request('PUT', `${own}/clock`, { json: { now: '2026-01-02' } });
  return openConsole(service);
}

const pathOf = ({ headers }: Shown) => (headers['location'] ?? '').slice(`${service.url}/_understudy/`.length);

const seedIn = ({ elements }: Shown): string =>
  elements.find(({ attributes }) => attributes.get('id') === 'seed')?.text.replace(/^\n/, '') ?? '';

await test('a page takes back its reset, restore and load', async (suite) => {
  const person = await open();
  await service.request('PUT', `${own}/snapshots/first`);
  await service.request('POST', list, { as: 'alice', json: { ...entry, notification: 'NewAlertNotificaton' } });
  const before = await stateOf();
  suite.match(before, { clock: /^2026-01-02/, seed: 'documented', statuses: [200, 200] });
  const zoe = { users: [{ username: 'zoe', token: 'of-zoe' }] };
  const acts: [string, Record<string, string>, string, string, Ask][] = [
    ['reset/', {}, 'POST', 'reset', {}],
    ['restore/', { restore: 'first' }, 'POST', 'snapshots/first/restore', {}],
    ['seed/', { seed: JSON.stringify(zoe) }, 'PUT', 'seed', { json: zoe }],
  ];
  for (const [path, fields, method, byApi, ask] of acts)
    await suite.test(path, async (t) => {
      const sent = await service.request(method, `${own}/${byApi}?undo=true`, ask);
      t.ok(sent.status < 300);
      t.notSame(await stateOf(), before);
      t.equal((await service.request('POST', `${own}/undo`)).status, 204);
      t.same(await stateOf(), before);
      t.match(await service.request('POST', `${own}/undo`), { status: 409, text: /nothing to undo/ });
      const done = await person.post(`console/box/${path}`, fields);
      const notice = done.status === 303 ? await person.get(pathOf(done)) : done;
      t.match(textsOf(notice, '.done'), [/Undo$/]);
      t.notSame(await stateOf(), before);
      const undone = await person.post('console/box/undo/');
      t.equal(undone.status, 303);
      t.same(await stateOf(), before);
      const page = await person.get(pathOf(undone));
      t.match(textsOf(page, '.done'), [/put back to what it held before/]);
      t.equal(page.elements.filter(({ text }) => text === 'Undo').length, 0, 'once');
      const again = await person.post('console/box/undo/');
      t.match([again.status, textsOf(again, '.wrong')], [409, ['There is nothing to undo in the sandbox "box".']]);
    });
  await service.request('POST', `${own}/reset`);
  suite.match(await stateOf(), { seed: 'documented', statuses: [200, 200], clock: null }, 'the seed of a reset too');
});

await test('the latest act alone is taken back, within an hour', async (t) => {
  const person = await open();
  const copies = await hiddenCopies();
  await person.post('console/box/reset/');
  const first = await stateOf();
  await service.request('POST', list, { as: 'alice', json: entry });
  await person.post('console/box/reset/');
  t.equal(await hiddenCopies(), copies + 1, 'one is kept');
  await person.post('console/box/undo/');
  t.notSame(await stateOf(), first);
  t.equal(await hiddenCopies(), copies);

  await person.post('console/box/reset/');
  await sql`update understudy.sandboxes set created_at = now() - interval '61 minutes' where snapshot_of is not null`.execute(
    service.database.load,
  );
  t.equal((await person.post('console/box/undo/')).status, 409);
  await createExpiry(service.database).tick();
  t.equal(await hiddenCopies(), copies, 'the sweep deletes it');
});

await test('what Undo keeps is no snapshot, and goes with its sandbox', async (t) => {
  const person = await open();
  const copies = await hiddenCopies();
  for (let n = 0; n < 20; n++) await service.request('PUT', `${own}/snapshots/s${n}`);
  await person.post('console/box/seed/', { seed: 'users: []' });
  await person.post('console/box/seed/', { seed: 'users: [{ username: zoe }]' });
  t.equal(((await service.request('GET', own)).json as { snapshots: unknown[] }).snapshots.length, 20);
  t.equal((await service.request('PUT', `${own}/snapshots/s0`)).status, 204, 'it doesn’t count');
  for (const name of ['null', '', '_undo'])
    t.equal((await service.request('POST', `${own}/snapshots/${name}/restore`)).status, 404);
  await service.request('DELETE', own);
  t.equal(await hiddenCopies(), copies);
});

await test('Undo keeps what a sandbox resets to that was made from another one', async (t) => {
  const person = await open();
  const copies = await hiddenCopies();
  await service.request('PUT', '/_understudy/sandboxes/copy', { json: { from: 'box' } });
  const content = async () => (await service.request('GET', '/_understudy/sandboxes/copy/seed')).text;
  const before = await content();
  await person.post('console/copy/seed/', { seed: 'users: []' });
  await person.post('console/copy/undo/');
  t.equal(await content(), before);
  await service.request('PATCH', '/sandboxes/copy/api/users/alice/', { as: 'admin', json: { full_name: 'Other' } });
  t.not(await content(), before);
  await service.request('POST', '/_understudy/sandboxes/copy/reset');
  t.equal(await content(), before, 'the copy that it was made from');
  await person.post('console/copy/seed/', { seed: 'users: []' });
  await service.request('PUT', '/_understudy/sandboxes/copy', { json: { from: 'empty' } });
  t.equal(await hiddenCopies(), copies, 'nothing is left');
});

await test('the API keeps tokens, tells what a seed would change, and takes no other flags', async (t) => {
  await open();
  const before = await stateOf();
  const { json: exported } = await service.request('GET', `${own}/seed?format=json`);
  const { users, ...rest } = exported as { users: { username: string }[] };
  const withoutBob = { ...rest, users: users.filter(({ username }) => username !== 'bob') };
  const put = (flags: string) => service.request('PUT', `${own}/seed${flags}`, { json: withoutBob });
  t.match(await put('?check=true&keep_tokens=true'), {
    status: 200,
    json: { users: { removed: 1 }, tokens: { ended_for: ['bob'] } },
  });
  t.same(await stateOf(), before);
  const lost = (await put('?check=true')).json as { tokens: { ended_for: string[] } };
  t.ok(lost.tokens.ended_for.length > 1, 'without it, all users’ tokens end');
  t.match(await put('?keep_token=true&check=yes'), {
    status: 400,
    json: {
      errors: [
        { attr: 'keep_token', detail: 'Not a known key; did you mean keep_tokens?' },
        { attr: 'check', detail: 'Must be true or false.' },
      ],
    },
  });
  t.same(await stateOf(), before);
  await put('?keep_tokens=true');
  t.same((await stateOf()).statuses, [200, 401]);
  t.equal((await service.request('POST', `${own}/undo`)).status, 409, 'no undo was asked for');
  t.notOk('ended_for' in ((await put('')).json as { tokens: object }).tokens);
});

await test('what a sandbox holds is kept by itself, before what is about to change it', async (t) => {
  const person = await open();
  const before = await stateOf();
  t.equal((await person.post('console/box/undo/keep/')).status, 303);
  t.equal((await service.request('DELETE', `${list}1/`, { as: 'alice' })).status, 204);
  t.equal((await service.request('POST', `${own}/undo`)).status, 204);
  t.same(await stateOf(), before);
  t.equal((await service.request('PUT', `${own}/undo`)).status, 204);
  t.equal((await service.request('DELETE', '/sandboxes/box/api/users/alice/', { as: 'admin' })).status, 204);
  t.notSame(await stateOf(), before);
  t.equal((await service.request('POST', `${own}/undo`)).status, 204);
  t.same(await stateOf(), before, 'a user comes back with its subscriptions and tokens');
  t.equal((await service.request('PUT', '/_understudy/sandboxes/nope/undo')).status, 404);
});

await test('a reset by the API keeps nothing', async (t) => {
  const person = await open();
  const copies = await hiddenCopies();
  await service.request('POST', `${own}/reset`);
  await service.request('PUT', `${own}/seed`, { json: { users: [] } });
  t.equal(await hiddenCopies(), copies);
  t.equal((await person.post('console/box/undo/')).status, 409);
});

await test('a large sandbox has no undo, and its pages say so before', async (t) => {
  const person = await open();
  const copies = await hiddenCopies();
  t.match(textsOf(await person.get('console/box/state/'), '#resets'), [/You can undo this for an hour/]);
  await service.database.load.transaction().execute(async (db) => {
    // Without the triggers for each row, which take seconds.
    await sql`set local understudy.counts_ids = 'on'`.execute(db);
    await sql`insert into understudy.users (sandbox_id, id, username, date_joined)
      select s.id, n, 'u' || n, now() from understudy.sandboxes s, generate_series(1000, 1000 + ${maxUndoRows}::int) n
      where s.name = 'box'`.execute(db);
  });
  const said = /more than 50000 users and subscriptions: there is no undo/;
  t.match(textsOf(await person.get('console/box/state/'), '#resets'), [said]);
  t.match((await person.get('console/box/seed/')).text.replaceAll(/\s+/g, ' '), said);
  const reset = await person.post('console/box/reset/');
  t.match(textsOf(await person.get(pathOf(reset)), '.done'), [/journal emptied\.$/]);
  t.equal(await hiddenCopies(), copies);
});

await test('the content opens as a seed, is checked and loaded, and tokens stay', async (t) => {
  const person = await open();
  const before = await stateOf();
  const opened = await person.get('console/box/seed/');
  const text = seedIn(opened);
  t.equal(text, before.text);
  t.match(opened.text, `href="${service.url}/_understudy/docs/#/Sandboxes/sandboxes_seed_put"`);

  const same = await person.post('console/box/seed/', { seed: text, check: 'yes' });
  t.match(textsOf(same, '.done'), [/would change: nothing: the sandbox held exactly that before/]);
  const made = (await service.request('POST', `${own}/tokens`, { json: { username: 'bob' } })).json as {
    token: string;
  };
  const bobs = async () => (await service.request('GET', '/api/users/bob/', { token: made.token })).status;
  const withoutBob = text.replaceAll(/username: bob\b/g, 'username: rob');
  const renamed = await person.post('console/box/seed/', { seed: withoutBob, check: 'yes' });
  t.equal(renamed.status, 200);
  t.match(textsOf(renamed, '.done'), [/users: 1 created, 7 unchanged, 1 removed.*Users who lose a token: bob$/]);
  t.equal(seedIn(renamed), withoutBob, 'the text stays');
  t.same(await stateOf(), before, 'a check changes nothing');
  t.equal(await bobs(), 200);

  const loaded = await person.post('console/box/seed/', { seed: withoutBob });
  t.match(textsOf(loaded, '.plain'), [/Users who lose a token: bob$/]);
  t.same((await stateOf()).statuses, [200, 401]);
  t.equal(await bobs(), 401);
  await service.request('POST', `${own}/reset`);
  t.same((await stateOf()).statuses, [200, 401], 'also after a reset');
  await person.post('console/box/undo/');
  t.same(await stateOf(), before);
  t.equal(await bobs(), 200);

  const wrong = await person.post('console/box/seed/', { seed: 'users: [{ usernme: zoe }]', check: 'yes' });
  t.equal(wrong.status, 400);
  t.match(textsOf(wrong, '#seed-error'), [/did you mean username\? \(line 1, column 11\)/]);
});

await test('a token that the seed gives replaces the former ones of its user, and may come from another', async (t) => {
  const person = await open();
  const token = (await service.request('GET', '/sandboxes/box/api/users/alice/', { as: 'alice' })).status;
  t.equal(token, 200);
  const seed = 'users: [{ username: ALICE }, { username: bob, token: wlu_alice_public_sample_token_0000000000 }]';
  await person.post('console/box/seed/', { seed });
  const at = (path: string, as: string) => service.request('GET', `/sandboxes/box/api/users/${path}/`, { as });
  t.equal((await at('bob', 'alice')).status, 200, 'the token is bob’s now');
  t.equal((await at('bob', 'bob')).status, 401, 'and his former one has ended');
});

await test('content beyond 256 KB is downloaded', async (t) => {
  const person = await open();
  const users = Array.from({ length: 3000 }, (_, n) => ({ username: `user-${n}`, full_name: 'x'.repeat(100) }));
  await service.request('PUT', `${own}/seed`, { json: { users } });
  const page = await person.get('console/box/seed/');
  t.equal(seedIn(page), '');
  t.match(textsOf(page, '.done'), [/too long for this form\. Download it, edit the file/]);
  for (let n = 0; n < 3; n++) t.equal((await person.get('console/box/seed/')).status, 200, 'the export was ended');
});
