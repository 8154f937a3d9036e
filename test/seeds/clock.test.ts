// A seed's `now`: the dates that the service writes in that sandbox, wherever its content goes.
import { test } from 'tap';
import { generate } from '../../src/cli/commands/generate.ts';
import { toSeedRows } from '../../src/seeds/load/load-rows.ts';
import { checkAlone, parseSeed, parseWhole } from '../../src/seeds/format/read-seeds.ts';
import { formatError } from '../../src/seeds/format/seed-errors.ts';
import { hasChanges } from '../../src/seeds/load/apply.ts';
import { startService } from '../support/service.ts';
import { addSandbox, dump, load, openMigrated, select } from '../support/sandbox-database.ts';

const now = '2026-01-02T03:04:05Z';
const seed = (clock?: string) => ({
  ...(clock !== undefined && { now: clock }),
  users: [{ username: 'root', is_superuser: true, token: 'wlu_root' }],
});

await test('answers have the dates of the seed’s clock', async (suite) => {
  const service = await startService(suite);
  const put = (name: string, json: unknown) => service.request('PUT', `/_understudy/sandboxes/${name}`, { json });
  const own = (method: string, path: string) => service.request(method, `/_understudy/sandboxes/${path}`);
  const ask = (name: string, method: string, path: string, json?: unknown) =>
    service.request(method, path, {
      token: 'wlu_root',
      headers: { 'x-understudy-sandbox': name },
      ...(json !== undefined && { json }),
    });
  let made = 0;
  /** The day that a new user of the sandbox joins. */
  const joined = async (name: string): Promise<string> => {
    const username = `new-${++made}`;
    const { json } = await ask(name, 'POST', '/api/users/', {
      username,
      full_name: 'New',
      email: `${username}@example.com`,
    });
    return (json as { date_joined: string }).date_joined;
  };
  const isReal = (date: string) => Math.abs(Date.parse(date) - Date.now()) < 3_600_000;
  await put('fixed', { seed: seed('2026-01-02T04:04:05.000+01:00') });

  await suite.test('a new user joins then, the same to the byte after a reset', async (t) => {
    const json = { username: 'ada', full_name: 'Ada', email: 'ada@example.com' };
    const first = await ask('fixed', 'POST', '/api/users/', json);
    t.match(first, { status: 201, json: { date_joined: now } });
    await own('POST', 'fixed/reset');
    t.equal((await ask('fixed', 'POST', '/api/users/', json)).text, first.text);
  });

  await suite.test('copies and snapshots keep the clock, new content replaces it', async (t) => {
    await put('fixed', { seed: seed(now) });
    await put('copy', { from: 'fixed' });
    t.equal(await joined('copy'), now, 'from another sandbox');
    await own('PUT', 'copy/snapshots/then');
    const real = await service.request('PUT', '/_understudy/sandboxes/copy/seed', { json: seed() });
    t.equal(real.status, 200);
    t.ok(isReal(await joined('copy')), 'a replace clears it');
    await own('POST', 'copy/reset');
    t.ok(isReal(await joined('copy')), 'and so does the reset to that');
    await own('POST', 'copy/snapshots/then/restore');
    t.equal(await joined('copy'), now, 'a restore brings it back');
    await service.request('PUT', '/_understudy/sandboxes/copy/seed', { json: seed('2030-01-01') });
    t.equal(await joined('copy'), '2030-01-01T00:00:00Z', 'a replace sets it');
    await put('copy', { seed: seed() });
    t.ok(isReal(await joined('copy')), 'a replaced sandbox');
    t.equal(await joined('fixed'), now, 'the other one stays');
  });

  await suite.test('the sandbox itself lives by the real time', async (t) => {
    const created = await put('short', { seed: seed('1999-12-31'), expires_in_seconds: 600 });
    const { json } = await own('GET', 'short');
    const life = json as { created: string; expires: string };
    t.ok(isReal(life.created) && isReal(life.expires), JSON.stringify(life));
    t.equal(created.status, 201);
    t.equal(await joined('short'), '1999-12-31T00:00:00Z');
    const journal = await own('GET', 'short/requests');
    t.ok(
      (journal.json as { requests: { at: string }[] }).requests.every(({ at }) => isReal(at)),
      journal.text,
    );
    t.ok(isReal(String((await ask('short', 'GET', '/api/users/')).headers['date'])), 'and so does the header Date');
  });
});

await test('the database keeps and applies the seed’s clock', async (suite) => {
  const { db } = await openMigrated(suite);
  const clockOf = async (id: number) =>
    (
      await select(
        db,
        `select (clock at time zone 'UTC')::text as at from understudy.counters where sandbox_id = ${id}`,
      )
    )[0]?.['at'];

  await suite.test('of merged seeds the last with `now` sets the clock', async (t) => {
    const id = await addSandbox(db);
    await load(db, id, 'users: []');
    t.equal(await clockOf(id), null);
    const text = `now: ${now}\nusers: [{ username: ada }]`;
    await load(db, id, text);
    const before = await dump(db, id, { versions: true });
    t.equal(hasChanges(await load(db, id, text)), false);
    t.strictSame(await dump(db, id, { versions: true }), before, 'the second time changes no row');
    await load(db, id, 'users: [{ username: bob }]');
    t.equal(await clockOf(id), '2026-01-02 03:04:05', 'a seed that leaves it out leaves it');
    const [first, second, third] = ['now: 2001-01-01', 'now: 2002-01-01', 'users: []'].map(
      (one) => parseSeed({ text: one, file: 's.yaml' }).seeds,
    );
    await load(db, id, '', { seeds: [first, second, third].flatMap((seeds) => seeds ?? []), errors: [] });
    t.equal(await clockOf(id), '2002-01-01 00:00:00');
  });

  await suite.test('generate keeps the clock, and --replace clears it', async (t) => {
    const sandboxId = await addSandbox(db);
    await load(db, sandboxId, `now: ${now}`);
    const options = { sandboxId, users: 2, subscriptions: 1, seed: 'a', tokens: false };
    await generate(db, { ...options, replace: false });
    t.equal(await clockOf(sandboxId), '2026-01-02 03:04:05');
    await generate(db, { ...options, replace: true });
    t.equal(await clockOf(sandboxId), null);
  });
});

await test('a seed’s `now` is a date with an offset', async (t) => {
  const errorsOf = (text: string) => checkAlone(parseSeed({ text, file: 's.yaml' })).errors.map(formatError);
  const form =
    "must be of this form: Date, or date and time with Z or an offset, for the sandbox's clock: 2026-01-02T03:04:05Z";
  t.same(errorsOf('users: []\nnow: yesterday'), [`s.yaml:2:6 now ${form}`]);
  t.same(errorsOf('now: 2026-01-02T03:04:05'), [`s.yaml:1:6 now ${form}`], 'an offset is needed');
  for (const date of ['2026-02-30', '0000-01-01', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])
    t.same(errorsOf(`now: ${date}`), [`s.yaml:1:6 now is no date: ${date}`]);
  t.same(errorsOf('now: 9999-12-31T23:59:59Z'), []);

  const [without, at, sameMoment, later] = ['', now, '2026-01-02T05:04:05.0+02:00', '2026-01-02T03:04:06Z'].map(
    (date) => toSeedRows(parseWhole({ text: `${date && `now: ${date}\n`}users: []`, file: 's.yaml' })).digest,
  );
  t.equal(at, sameMoment);
  t.equal(new Set([without, at, later]).size, 3);
});
