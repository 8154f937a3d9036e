// People change sandboxes by the console's forms, and the API shows the result.
import { t as whole, test } from 'tap';
import { apiError } from '../../src/base/errors.ts';
import { renderRefusal } from '../../src/pages/console/console-frame.ts';
import { parse } from '../support/markup.ts';
import { runCurl } from '../support/run-curl.ts';
import { type Service, startService } from '../support/service.ts';
import { browserHeaders, openConsole, type Shown, textsOf } from '../support/person.ts';

interface Sandbox {
  readonly seed: string;
  readonly snapshots: readonly string[];
  readonly expires_in_seconds: number;
}

const read = async (service: Service, name: string): Promise<Sandbox> =>
  (await service.request('GET', `/_understudy/sandboxes/${name}`)).json as Sandbox;
const countOf = async (service: Service, path: string, token: string): Promise<unknown> =>
  ((await service.request('GET', path, { token })).json as { count?: number }).count;
const valueOf = ({ elements }: Shown, id: string) =>
  elements.find(({ attributes }) => attributes.get('id') === id)?.attributes.get('value');
const textIn = ({ elements }: Shown, id: string) =>
  elements.find(({ attributes }) => attributes.get('id') === id)?.text;
const chosenIn = ({ elements }: Shown, id: string) =>
  elements
    .find((one) => one.attributes.has('selected') && one.parent?.attributes.get('id') === id)
    ?.attributes.get('value');
const aliceToken = 'wlu_alice_public_sample_token_0000000000';

const shared = await startService(whole);

await test('a person makes a sandbox', async (t) => {
  const person = openConsole(shared);
  const form = await person.get('console/new/?from=default');
  t.match(form.text, '<option value="default" selected');
  t.match(form.text, '<option value="documented"', 'a seed that ships');

  const sent = await person.post('console/new/', { name: 'job-1', from: '', seed: '', lifetime: '3600' });
  t.equal(sent.status, 303, 'a reload makes nothing');
  const made = await person.get((sent.headers['location'] ?? '').slice(`${shared.url}/_understudy/`.length));
  t.match(textsOf(made, '.done'), [/UTC the sandbox was made\.$/]);
  t.equal(textIn(made, 'copy-base-url'), `${shared.url}/sandboxes/job-1`);
  const users = made.elements.filter(
    ({ attributes }) => attributes.get('name') === 'username' && attributes.has('value'),
  );
  t.equal(users.filter(({ name }) => name === 'button').length, 7, 'each user that can have a token');
  const bob = await person.get('console/job-1/?user=bob');
  t.equal(
    textIn(bob, 'copy-variables'),
    `export API_URL='${shared.url}/sandboxes/job-1'\nexport TOKEN='wlu_bob_public_sample_token_000000000000'`,
  );
  const bySelf = await person.post('console/job-1/tokens/', { username: 'bob' });
  const token = textIn(bySelf, 'token-0') ?? '';
  t.match(token, /^wlu_sandbox_job-1_[0-9a-f]{32}$/);
  const reading = (name: string) => `copy-read-the-subscriptions-of-${name}`;
  for (const id of ['copy-variables', reading('bob')]) t.match(textIn(bySelf, id), token, id);
  for (const [page, name] of [
    [bob, 'bob'],
    [bySelf, 'bob'],
    [await person.get('console/job-1/?user=nobody'), 'alice'],
  ] as const)
    t.equal((await runCurl(textIn(page, reading(name)) ?? '')).status, 200);
  const making = textIn(made, 'copy-make-this-sandbox-in-a-ci-job') ?? '';
  t.match(making, `'${shared.url}/_understudy/sandboxes/job-1'`);
  t.equal((await runCurl(making)).status, 201, 'a CI job makes it so');
  await shared.request('DELETE', '/_understudy/sandboxes/job-1');
  await person.post('console/new/', { name: 'job-1', from: '', seed: '', lifetime: '3600' });
  t.match(await read(shared, 'job-1'), { seed: 'documented', expires_in_seconds: 3600 });
  const overview = await person.get('console/job-1/');
  t.notMatch(overview.text, 'wlu_sandbox_', 'the tokens are shown once');

  const copied = await person.post('console/new/', { name: '', from: 'job-1', lifetime: '86400' });
  t.equal(copied.status, 303);
  t.match(copied.headers['location'], /\/console\/sandbox-[0-9a-f]{10}\/\?done=make&at=\d+$/, 'a name is made up');
  const empty = await person.post('console/new/', { name: 'job-2', from: 'empty', lifetime: '86400' });
  t.equal(empty.status, 303);
  t.match(textsOf(await person.get('console/job-2/'), '#users'), ['Users']);
  t.match((await person.get('console/job-2/')).text, /None can have a token/);

  // Those of a seed of one's own have no public token.
  await person.post('console/new/', { name: 'own', seed: 'users: [{ username: zoë }]', lifetime: '3600' });
  const own = await person.get('console/own/');
  t.match(textIn(own, reading('zo-')), /Token \$TOKEN/);
  const withToken = await person.post('console/own/tokens/', { username: 'zoë' });
  t.equal((await runCurl(textIn(withToken, reading('zo-')) ?? '')).status, 200);
  t.match(withToken.text, 'Act as zoë</button>');
  t.match(textIn(own, 'copy-make-a-copy-of-this-sandbox-for-a-ci-job'), '{"from":"own"}');
});

await test('of two simultaneous requests to make the same sandbox one succeeds', async (t) => {
  for (let round = 0; round < 3; round++) {
    const make = () => openConsole(shared).post(`console/twice-${round}/make/`, { lifetime: '3600' });
    const answers = await Promise.all([make(), make()]);
    t.same(new Set(answers.map(({ status }) => status)), new Set([303, 400]));
    t.match(textsOf(answers.find(({ status }) => status === 400) as Shown, '.wrong'), [
      /There is a sandbox of this name/,
    ]);
  }
});

await test('the sandbox is made at a path with its name, which a balancer can read', async (t) => {
  const service = await startService(t);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const send = (path: string, body: string) =>
    service.request('POST', `/_understudy/console/${path}`, { headers: { ...browserHeaders, ...headers }, body });
  const named = await send('new/', 'name=+job-1+');
  t.equal(named.status, 307);
  t.equal(named.headers['location'], `${service.url}/_understudy/console/job-1/make/`);
  t.match((await send('new/', 'name=')).headers['location'], /\/console\/sandbox-[0-9a-f]{10}\/make\/$/);
  t.equal((await send('new/', 'name=a/b')).status, 400, 'an invalid name goes into no path');
  t.equal((await service.request('GET', '/_understudy/sandboxes/job-1')).status, 404, 'not made yet');

  t.equal((await send('job-1/make/', 'name=other')).status, 303);
  t.equal((await service.request('GET', '/_understudy/sandboxes/job-1')).status, 200, "the path's name counts");
  t.equal((await send('job-1/make/', 'name=job-1')).status, 400, 'the name is taken');
  t.equal((await send('all/make/', 'name=all')).status, 400, 'the name is reserved');
});

await test('a form that is refused keeps what was entered', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const entered = { from: 'empty', seed: '', lifetime: '604800' };
  for (const [name, error] of [
    ['Not A Name', /has 1 to 63 characters of a-z/],
    ['default', /reserved/],
    ['all', /reserved/],
    ['documented', /that of a seed that ships/],
  ] as const) {
    const page = await person.post('console/new/', { ...entered, name });
    t.equal(page.status, 400, name);
    t.match(textsOf(page, '#name-error'), [error], name);
    t.equal(valueOf(page, 'name'), name);
    t.same([chosenIn(page, 'from') ?? 'empty', chosenIn(page, 'lifetime')], ['empty', '604800']);
  }
  const both = await person.post('console/new/', { ...entered, name: 'both', seed: 'users: []' });
  t.match(textsOf(both, '#seed-error'), [/combined with from\./]);
  t.equal(textIn(both, 'seed'), '\nusers: []');
  for (const [name, error] of [
    ['Not A Name', /has 1 to 63 characters of a-z/],
    ['default', /reserved/],
    ['taken', /There is a sandbox of this name/],
  ] as const) {
    await service.request('PUT', '/_understudy/sandboxes/taken');
    const page = await person.post('console/new/', { lifetime: '3600', name, seed: 'users: [{ usernme: zoë }]' });
    t.equal(page.status, 400);
    t.match(textsOf(page, '#name-error'), [error], 'the name and the seed are told at once');
    t.match(textsOf(page, '#seed-error'), [/did you mean username/], 'the name and the seed are told at once');
  }
  const unknown = await person.post('console/new/', { ...entered, name: 'unknown', from: '<b>"nothing' });
  t.equal(unknown.status, 404);
  t.match(textsOf(unknown, '#from-error'), [/No shipped seed or sandbox is named "<b>"nothing"/], 'escaped');
  const never = await person.post('console/new/', { ...entered, name: 'never', lifetime: 'x' });
  t.match(textsOf(never, '#lifetime-error'), [/Must be a whole number/]);
  const { json } = await service.request('GET', '/_understudy/sandboxes');
  t.equal((json as unknown[]).length, 2, 'none was made');
});

const wrongSeed =
  '\nusers:\n  - usernme: alice\n  - username: bob\n    subscriptions:\n      - { notification: </textarea>, scope: all }\n';

await test('the errors of a seed are shown beside it', async (t) => {
  const person = openConsole(shared);
  for (const path of ['console/new/', 'console/default/seed/'])
    for (const page of [
      await person.post(path, { name: 'faulty', lifetime: '3600', seed: wrongSeed.replaceAll('\n', '\r\n') }),
      await person.upload(path, { name: 'faulty', lifetime: '3600', seed: '' }, Buffer.from(wrongSeed)),
    ]) {
      t.equal(page.status, 400);
      const [text = ''] = textsOf(page, '#seed-error');
      t.match(text, /users\[0\]\.usernme: .*did you mean username\? \(line 3, column 5\)/);
      t.match(text, /not the text "<\/textarea>" \(line 6, column 25\)/, 'all at once, each with its line');
      // A browser drops the line break that begins a textarea; this parser keeps it.
      t.equal(textIn(page, 'seed'), `\n${wrongSeed}`, 'the text is kept');
    }
  const encoded = await person.upload('console/default/seed/', {}, Buffer.from([0xff, 0xfe, 0x75]));
  t.match(textsOf(encoded, '#seed-error'), ['The file is no text in UTF-8.']);
  const none = await person.post('console/default/seed/', { seed: ' ' });
  t.match(textsOf(none, '#seed-error'), ['Paste a seed, or choose a file.']);
  t.equal((await read(shared, 'default')).seed, 'documented');
});

await test('a person loads a seed', async (t) => {
  const person = openConsole(shared);
  const pasted = await person.post('console/default/seed/', {
    seed: 'users:\r\n  - { username: zoë, token: zoes-own-token }\r\n',
  });
  t.equal(pasted.status, 200);
  t.match(textsOf(pasted, '.plain'), [/users: 1 created, 8 removed/]);
  t.match(await read(shared, 'default'), { seed: 'uploaded', users: [{ username: 'zoë' }] });
  const again = await person.post('console/default/seed/', {
    seed: 'users: [{ username: zoë, token: zoes-own-token }]',
  });
  t.match(textsOf(again, '.plain'), [/held exactly that before/]);
  const file = await person.upload(
    'console/default/seed/',
    { seed: 'users: []' },
    Buffer.from('{"users": [{"username": "bob"}]}'),
  );
  t.equal(file.status, 200);
  t.match(await read(shared, 'default'), { users: [{ username: 'bob' }] }, 'the file counts');
  t.equal((await person.post('console/nothing/seed/', { seed: 'users: []' })).status, 404);
  t.equal((await person.get('console/nothing/seed/')).status, 404);
});

await test('reset, snapshot, restore and delete', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  await service.request('PUT', '/_understudy/sandboxes/job', { json: {} });
  const list = '/sandboxes/job/api/users/alice/notifications/';
  const count = () => countOf(service, list, aliceToken);
  const change = async () => {
    const json = { notification: 'LockNotification', scope: 10, frequency: 1 };
    t.equal((await service.request('POST', list, { token: aliceToken, json })).status, 201);
    await service.request('PUT', '/_understudy/sandboxes/job/faults', { json: { rules: [{ delay_ms: 1 }] } });
  };
  /** The requests and faults that are left: none in a reset sandbox. */
  const traffic = async () => [
    ((await service.request('GET', '/_understudy/sandboxes/job/requests')).json as { requests: unknown }).requests,
    (await service.request('GET', '/_understudy/sandboxes/job/faults')).json,
  ];

  await change();
  const follow = async (sent: Shown) => {
    t.equal(sent.status, 303);
    return person.get((sent.headers['location'] ?? '').slice(`${service.url}/_understudy/`.length));
  };
  const saved = await follow(await person.post('console/job/snapshots/', { snapshot: 'one-more' }));
  t.match(textsOf(saved, '.done'), [/^At \d\d:\d\d:\d\d UTC the snapshot was saved\.$/]);
  t.same(textsOf(saved, '#snapshot-0'), ['one-more']);
  t.match((await person.get('console/job/')).text, '1 in force');

  const reset = await follow(await person.post('console/job/reset/'));
  t.match(textsOf(reset, '.done'), [
    /UTC the sandbox was reset\. Its faults were removed and its journal emptied\. The content was kept just now for an undo\. Undo$/,
  ]);
  t.same(await traffic(), [[], []], 'as after a reset by the API');
  t.equal(await count(), 10);
  await service.request('PUT', '/_understudy/sandboxes/job/faults', { json: { rules: [{ delay_ms: 1 }] } });
  const restored = await follow(await person.post('console/job/restore/', { restore: 'one-more' }));
  t.match(textsOf(restored, '.done'), [/UTC the snapshot was restored/]);
  t.same(await traffic(), [[], []]);
  t.equal(await count(), 11);

  const invalid = await person.post('console/job/snapshots/', { snapshot: 'One More' });
  t.equal(invalid.status, 400);
  t.match(textsOf(invalid, '#snapshot-error'), [/A snapshot's name has 1 to 63/]);
  t.equal(valueOf(invalid, 'snapshot'), 'One More');
  const missing = await person.post('console/job/restore/', { restore: 'nothing' });
  t.equal(missing.status, 404);
  t.match(textsOf(missing, '.wrong'), ['The sandbox has no snapshot "nothing".']);

  for (const name of ['', 'jo', 'JOB']) {
    const refused = await person.post('console/job/delete/', { name });
    t.equal(refused.status, 400);
    t.match(textsOf(refused, '#name-error'), ['Type the sandbox’s name, job.']);
    t.equal(valueOf(refused, 'name'), name);
  }
  const deleted = await follow(await person.post('console/job/delete/', { name: ' job ' }));
  t.match(textsOf(deleted, '.done'), [/UTC the sandbox was deleted\.$/]);
  t.equal((await service.request('GET', '/_understudy/sandboxes/job')).status, 404);
  for (const path of ['delete/', 'reset/', 'undo/', 'snapshots/', 'restore/', 'tokens/'])
    t.equal((await person.post(`console/job/${path}`, { snapshot: 'x', username: 'alice' })).status, 404, path);

  const kept = await person.post('console/default/delete/', { name: 'default' });
  t.equal(kept.status, 409);
  t.notMatch((await person.get('console/default/')).text, 'delete/');
});

await test('a notice is a fixed text with the time, and ends after an hour', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const seconds = Math.floor(Date.now() / 1000);
  const noticeOf = async (query: string) => {
    const page = await person.get(`console/default/?${query}`);
    t.equal(page.status, 200);
    return textsOf(page, '.done');
  };
  t.match(await noticeOf(`done=reset&at=${seconds}`), [
    `At ${new Date(seconds * 1000).toISOString().slice(11, 19)} UTC the sandbox was reset.`,
  ]);
  for (const at of ['', '0', String(seconds - 3660), String(seconds + 3660), 'now', `${seconds}0`, '1e9'])
    t.same(await noticeOf(`done=reset&at=${at}`), [], `at ${at}`);
  for (const done of ['%3Cb%3E', '__proto__', 'constructor', 'toString'])
    t.same(await noticeOf(`done=${done}&at=${seconds}`), [], done);
});

await test('a 503 page has the reason of its own error', async (t) => {
  for (const name of ['export_limit', 'reading_limit', 'service_unavailable'] as const) {
    const error = apiError(name, 'the service is ending');
    const { status, main } = renderRefusal(error, shared.url);
    t.equal(status, 503);
    const reason = parse(main.text).find((element) => element.name === 'li');
    t.equal(reason?.text, error.message);
    t.notMatch(main.text, /database|too many requests/, name);
  }
});

await test('a sandbox without a baseline says so', async (t) => {
  const service = await startService(t, { seed: null });
  const page = await openConsole(service).post('console/default/reset/');
  t.equal(page.status, 409);
  t.match(textsOf(page, '.wrong'), [/has no baseline to reset to/]);
});

await test('a person adds tokens, and each is shown once', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const made = await person.post('console/default/tokens/', { username: ' ALICE ' });
  t.equal(made.status, 201);
  const token = textIn(made, 'token-0') ?? '';
  t.match(token, /^wlu_sandbox_default_/);
  t.equal(await countOf(service, '/api/users/alice/notifications/', token), 10);
  t.notMatch((await person.get('console/default/')).text, token);
  const unknown = await person.post('console/default/tokens/', { username: '"><b>' });
  t.equal(unknown.status, 404);
  t.match(textsOf(unknown, '#username-error'), ['The sandbox has no user ""><b>".']);
  t.equal(valueOf(unknown, 'username'), '"><b>');
  t.match(textsOf(await person.post('console/default/tokens/', { username: '' }), '#username-error'), [
    'Must be a username.',
  ]);
});

await test('a person exports a sandbox', async (t) => {
  const person = openConsole(shared);
  for (const format of ['yaml', 'json']) {
    const { status, headers, text } = await person.get(`console/default/export/?format=${format}`);
    const { text: expected } = await shared.request('GET', `/_understudy/sandboxes/default/seed?format=${format}`);
    t.equal(status, 200);
    t.equal(text, expected);
    t.equal(headers['content-disposition'], `attachment; filename="default.${format}"`);
    t.equal(headers['content-type'], `application/${format}; charset=utf-8`);
  }
  t.equal((await person.get('console/default/export/?format=exe')).status, 404);
  t.equal((await person.get('console/nothing/export/')).status, 404);
});

await test('a body beyond the limit is refused', async (t) => {
  const service = await startService(t, { adminBodyLimitBytes: 2000 });
  const page = await openConsole(service).upload('console/default/seed/', {}, Buffer.alloc(3000, 'x'));
  t.equal(page.status, 413);
  t.match(page.text, 'exceeds the limit of 2000 bytes');
  t.match(page.headers['content-type'], 'text/html');
});

await test('the clock is set, advanced and let run, and a snapshot is deleted, on the page of the sandbox’s state', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const page = 'console/default/';
  const state = `${page}state/`;
  const clock = async () =>
    ((await service.request('GET', '/_understudy/sandboxes/default')).json as { clock: string | null }).clock;
  const set = await person.post(`${page}clock/set/`, { now: '2026-01-02T03:04:05Z' });
  t.match(set.headers['location'], /done=clock/);
  t.match(await clock(), /^2026-01-02T03:04:05/);
  t.equal((await person.post(`${page}clock/advance/`, { by: '1h' })).status, 303);
  t.match(await clock(), /^2026-01-02T04:04:05/);
  for (const [path, field, value] of [
    ['set', 'now', 'soon'],
    ['advance', 'by', 'long'],
  ] as const) {
    const wrong = await person.post(`${page}clock/${path}/`, { [field]: value });
    t.equal(wrong.status, 400);
    const input = wrong.elements.find(({ attributes }) => attributes.get('id') === field);
    t.same([input?.attributes.get('value'), input?.attributes.get('aria-invalid')], [value, 'true']);
  }
  t.match((await person.get(state)).text, 'Let it run');
  t.equal((await person.post(`${page}clock/run/`)).status, 303);
  t.equal(await clock(), null);
  t.notMatch((await person.get(state)).text, 'Let it run');
  await person.post(`${page}snapshots/`, { snapshot: 'first' });
  t.match((await person.get(state)).text, 'snapshots/delete/');
  t.equal((await person.post(`${page}snapshots/delete/`, { restore: 'first' })).status, 303);
  t.notMatch((await person.get(state)).text, 'snapshots/delete/');
});
