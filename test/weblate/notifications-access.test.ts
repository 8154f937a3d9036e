// Permissions on subscriptions, the choice of a sandbox, and what callers may not see in any statement of the Weblate API.
import { sql } from 'kysely';
import { test } from 'tap';
import type { AnonymousAccess } from '../../src/access/permissions.ts';
import { parseSeed } from '../../src/seeds/format/read-seeds.ts';
import { applySeed } from '../../src/seeds/load/apply.ts';
import { addSandbox as addEmptySandbox } from '../support/sandbox-database.ts';
import { type Ask, type Service, startService } from '../support/service.ts';
import { type Someone, statements } from './plan-statements.ts';

// Subscription 2 and the last of the list are hidden. The other ids are fixed, so that they are the same in both sandboxes.
const seedWith = (hidden: boolean) =>
  JSON.stringify({
    now: '2026-01-02T03:04:05Z',
    next_id: { users: 10, groups: 10, projects: 10, components: 10, subscriptions: 10 },
    projects: [{ id: 1, slug: 'demo' }, ...(hidden ? [{ id: 2, slug: 'secret', private: true }] : [])],
    components: [
      { id: 1, project: 'demo', slug: 'app' },
      ...(hidden ? [{ id: 2, project: 'secret', slug: 'part' }] : []),
    ],
    groups: [
      { id: 2, name: 'Editors', permissions: ['user.view', 'user.edit'] },
      { id: 3, name: 'Others' },
      { id: 4, name: 'Members', projects: hidden ? ['secret'] : [] },
    ],
    users: [
      { id: 1, username: 'u1', tokens: ['token-of-u1'], groups: ['Others'] },
      { id: 2, username: 'u2', tokens: ['token-of-u2'], groups: ['Editors'] },
      { id: 3, username: 'u3', tokens: ['token-of-u3'], groups: ['Editors', 'Members'] },
    ],
    subscriptions: [
      { id: 1, user: 'u1', notification: 'LockNotification', project: 'demo' },
      ...(hidden ? [{ id: 2, user: 'u1', notification: 'LockNotification', project: 'secret' }] : []),
      { id: 3, user: 'u1', notification: 'LockNotification', component: 'demo/app' },
      ...(hidden ? [{ id: 4, user: 'u1', notification: 'LockNotification', component: 'secret/part' }] : []),
    ],
  });

const others = new Set([
  // It serves pages, and has no caller.
  'listSampleStates',
  'findSandbox',
  // A hidden subscription can be deleted (transcript detail__delete).
  'deleteEntry',
]);
const names = Object.keys(statements).filter((name) => !others.has(name)) as (keyof typeof statements)[];

async function addSandbox({ database }: Service, name: string, text: string): Promise<void> {
  const db = database.load;
  const sandboxId = await addEmptySandbox(db, name);
  await applySeed(db, { ...parseSeed({ text, file: 'hidden.json' }), sandboxId, mode: 'replace', seedName: 'test' });
}

/** The rows, or the error's code; whatever the statement writes is rolled back. */
async function ask({ database }: Service, name: keyof typeof statements, who: Someone): Promise<string> {
  const rollback = new Error('rolled back');
  let answer = '';
  const work = database.load.transaction().execute(async (transaction) => {
    answer = await statements[name](transaction, who).then(
      (rows) => JSON.stringify(rows, (key, value: unknown) => (key === 'sandbox_id' ? undefined : value)),
      (error: { code?: string }) => `${error.code}`,
    );
    throw rollback;
  });
  await work.catch((error: unknown) => {
    if (error !== rollback) throw error;
  });
  return answer;
}

await test('what a caller may not see changes no answer', async (t) => {
  const service = await startService(t, { seed: null });
  await addSandbox(service, 'less', seedWith(false));
  await addSandbox(service, 'more', seedWith(true));
  const callers: Omit<Someone, 'sandbox'>[] = [1, 2, 4].flatMap((entry) => [
    { user: 'u1', entry },
    { user: 'u2', about: 'u1', entry },
    { user: null, about: 'u1', entry },
  ]);
  let differing = 0;
  for (const name of names) {
    for (const caller of callers)
      t.equal(
        await ask(service, name, { ...caller, sandbox: 'more' }),
        await ask(service, name, { ...caller, sandbox: 'less' }),
        `${name} for ${caller.user} about ${caller.about}, entry ${caller.entry} (in src/weblate/ or src/access/visible-queries.ts: isVisible)`,
      );
    const insider = { user: 'u3', about: 'u1', entry: 2 };
    const [more, less] = await Promise.all(
      ['more', 'less'].map((sandbox) => ask(service, name, { ...insider, sandbox })),
    );
    if (more !== less) differing++;
  }
  t.ok(differing > 5, 'the rows are there: the answers to a member of the group differ');
});

const list = '/api/users/alice/notifications/';
const entry = { notification: 'LockNotification', scope: 0, frequency: 1 };

/** Sends the requests in turn; returns each status with its error code. */
async function askAll(
  service: Service,
  requests: readonly [method: string, path: string, ask?: Ask][],
): Promise<string[]> {
  const answers: string[] = [];
  for (const [method, path, how] of requests) {
    const { status, json } = await service.request(method, path, how);
    const code = (json as { errors?: { code: string }[] } | undefined)?.errors?.[0]?.code;
    answers.push(code === undefined ? String(status) : `${status} ${code}`);
  }
  return answers;
}

const withoutToken: readonly [method: string, path: string, ask?: Ask][] = [
  ['GET', list],
  ['HEAD', list],
  ['GET', `${list}1/`],
  ['GET', `${list}?page=99`],
  ['GET', '/api/users/nobody/notifications/'],
  ['OPTIONS', list],
  ['POST', list, { json: entry }],
  ['POST', list, { json: {} }],
  ['PATCH', `${list}1/`, { json: { frequency: 4 } }],
  ['PUT', `${list}1/`, { json: {} }],
  ['PUT', list],
  ['DELETE', `${list}1/`],
  ['DELETE', `${list}1/`],
];

const expected: Record<AnonymousAccess, string[]> = {
  strict: ['404 not_found', '404', '404 not_found', '404 not_found', '404 not_found', '200'],
  read: ['200', '200', '200', '404 not_found', '404 not_found', '200'],
  write: ['200', '200', '200', '404 not_found', '404 not_found', '200'],
};
const refusedWrites = Array.from({ length: 7 }, () => '401 not_authenticated');
for (const anonymous of ['strict', 'read'] as const) expected[anonymous].push(...refusedWrites);
expected.write.push('201', '400 required', '200', '400 required', '405 method_not_allowed', '204', '404 not_found');

await test('a caller without a token may do what UNDERSTUDY_ANONYMOUS allows', async (t) => {
  for (const anonymous of ['strict', 'read', 'write'] as const) {
    const service = await startService(t, { anonymous });
    t.same(await askAll(service, withoutToken), expected[anonymous], anonymous);
    const { json } = await service.request('OPTIONS', list);
    t.notOk('actions' in (json as object), 'actions are told to those who are signed in');
  }
});

await test('with a token UNDERSTUDY_ANONYMOUS makes no difference', async (t) => {
  for (const anonymous of ['strict', 'read', 'write'] as const) {
    const service = await startService(t, { anonymous });
    const asBob = { as: 'bob' };
    t.same(
      await askAll(service, [
        ['GET', list, asBob],
        ['POST', list, { ...asBob, json: entry }],
        ['GET', list, { token: 'wlu_nobody' }],
        ['GET', list, { as: 'admin' }],
        ['POST', list, { as: 'alice', json: entry }],
        ['POST', '/api/users/anonymous/notifications/', { as: 'admin', json: entry }],
      ]),
      [
        '403 permission_denied',
        '403 permission_denied',
        '401 authentication_failed',
        '200',
        '201',
        '403 permission_denied',
      ],
      anonymous,
    );
  }
});

const idsOf = async (service: Service, how?: Ask) => {
  const { json } = await service.request('GET', '/api/users/carol/notifications/', how);
  const { count, results } = json as { count: number; results: { id: number }[] };
  return { count, ids: results.map(({ id }) => id) };
};

await test('entries of private projects are hidden from callers without access', async (t) => {
  const service = await startService(t);
  const all = await idsOf(service, { as: 'admin' });
  const hidden = all.ids.at(-1);
  const open = { count: all.count - 1, ids: all.ids.slice(0, -1) };
  t.same(await idsOf(service), open, 'nobody');
  t.same(await idsOf(service, { as: 'carol' }), open, 'carol herself');
  const one = `/api/users/carol/notifications/${hidden}/`;
  t.same(
    await askAll(service, [
      ['GET', one],
      ['GET', one, { as: 'carol' }],
      ['GET', one, { as: 'admin' }],
    ]),
    ['404 not_found', '404 not_found', '200'],
  );

  const paged = await service.request('GET', '/api/users/carol/notifications/?page_size=5&page=2');
  t.equal(paged.status, 404, 'the page that only the hidden one would fill');
  const last = await service.request('GET', '/api/users/carol/notifications/?page_size=2&page=last');
  t.match(last.json, { count: 5, next: null, results: [{ id: open.ids[4] }] });
});

const header = (name: string) => ({ headers: { 'x-understudy-sandbox': name } });

await test('the sandbox is that of the prefix, else the header, the token, the default', async (t) => {
  const service = await startService(t);
  const run = (statement: string) => sql.raw(statement).execute(service.database.load);
  await run(`insert into understudy.sandboxes (id, name) values (50, 'other'), (51, 'third')`);
  await run(`insert into understudy.counters (sandbox_id) values (50), (51)`);
  await run(`insert into understudy.users (sandbox_id, username) values (50, 'zoe'), (51, 'zoe')`);
  await run(
    `select understudy.add_token('zoe', 'wlu_sandbox_other_abc', 50), understudy.add_token('zoe', 'plain', 50)`,
  );
  const zoe = '/api/users/zoe/notifications/';
  const where = async (path: string, how: Ask = {}) => {
    const { status, headers } = await service.request('GET', path, how);
    return `${status} ${headers['x-understudy-sandbox'] ?? 'default'}`;
  };
  t.equal(await where(zoe), '404 default');
  t.equal(await where(zoe, header('other')), '200 other');
  t.equal(await where(`/sandboxes/other${zoe}`), '200 other');
  t.equal(await where(`/sandboxes/third${zoe}`, header('other')), '200 third', 'the prefix goes first');
  t.equal(await where(zoe, { token: 'wlu_sandbox_other_abc' }), '200 other', 'a token that names its sandbox');
  const written = (authorization: string) => where(zoe, { headers: { authorization } });
  t.equal(await written('\tbEARER  wlu_sandbox_other_abc'), '200 other', 'after a scheme in any case');
  t.equal(await written('Token wlu_sandbox_OTHER_abc'), '401 default', 'but no name has capitals');
  t.equal(
    await where(zoe, { token: 'wlu_sandbox_other_abc', ...header('third') }),
    '401 third',
    'in another it is nobody’s',
  );
  t.equal(await where(zoe, { token: 'plain' }), '401 default', 'one that names none chooses none');
  t.equal(await where(zoe, { token: 'plain', ...header('other') }), '200 other');

  for (const name of ['nothing', 'UPPER', 'a_b', 'x'.repeat(64), '-a', '%00', '..']) {
    const { status, json } = await service.request('GET', zoe, header(name));
    t.match([status, json], [404, { errors: [{ code: 'not_found', detail: /^No sandbox is named / }] }], name);
  }
  for (const path of [`/sandboxes/nothing${zoe}`, '/_understudy/sandboxes/nothing']) {
    const { status, text, headers } = await service.request('GET', path);
    t.match([status, text], [404, 'No sandbox is named']);
    t.match(headers['x-understudy-hint'], /Create it by PUT .* another database may have it\.$/, path);
  }
  t.equal((await service.request('POST', `/sandboxes/nothing${zoe}`, { json: entry })).status, 404);
});

await test('HEAD is GET without its body', async (t) => {
  const service = await startService(t);
  for (const path of [list, `${list}?format=csv`, `${list}?format=api`, '/api/users/nobody/notifications/']) {
    const [get, head] = [await service.request('GET', path), await service.request('HEAD', path)];
    const [{ date: _, ...expectedHeaders }, { date: __, ...headers }] = [get.headers, head.headers];
    t.same([head.status, head.text, headers], [get.status, '', expectedHeaders], path);
    t.equal(headers['content-length'], String(Buffer.byteLength(get.text)), path);
  }
});
