// Groups, projects and components, beyond the recordings groups/*, membership/* and targets/*.
import { sql } from 'kysely';
import { test, type Test } from 'tap';
import { type Service, startService } from '../support/service.ts';

interface Page {
  readonly count: number;
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

await test('projects and components have the seed’s values, else those of new ones', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const { url } = service;
  const read = async (path: string) => (await service.request('GET', path, { as: 'admin' })).json;
  const secret = { name: 'Secret', slug: 'secret', id: 3, web: 'https://example.com/secret/', access_control: 100 };
  t.match(await read('/api/projects/secret/'), {
    ...secret,
    web_url: `${url}/projects/secret/`,
    components_list_url: `${url}/api/projects/secret/components/`,
    enable_hooks: true,
  });
  t.match(await read('/api/projects/demo/'), { access_control: 0 });
  t.match(await read('/api/components/secret/core/'), {
    name: 'Core',
    project: secret,
    source_language: { code: 'en', url: `${url}/api/languages/en/` },
    filemask: 'core/*.po',
    changes_list_url: `${url}/api/components/secret/core/changes/`,
    category: null,
  });
  const page = (await read('/api/projects/secret/components/')) as Page;
  t.same([page.count, Object.hasOwn(page.results[0] ?? {}, 'project')], [1, false]);
  const html = await service.request('GET', '/api/components/demo/app/?format=api');
  t.equal(html.headers['content-type'], 'text/html; charset=utf-8');
  t.match(html.text, '<h1>Component demo/app</h1>');
});

await test('names and ids that PostgreSQL refuses are 404', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  for (const path of [
    'groups/0/',
    'groups/99999999999/',
    'projects/de%00mo/',
    'projects/de%00mo/components/',
    'projects/%FF/',
    'components/demo/a%00/',
  ])
    t.match(await service.request('GET', `/api/${path}`, { as: 'bob' }), {
      status: 404,
      json: { type: 'client_error', errors: [{ code: 'not_found' }] },
    });
});

await test('writes are rejected with an explanation', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const list = 'GET, POST, HEAD, OPTIONS';
  const one = 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS';
  for (const [method, path, allow, name] of [
    ['POST', '/api/roles/', list, 'roles'],
    ['DELETE', '/api/languages/en/', one, 'languages'],
    ['POST', '/api/projects/', list, 'projects'],
    ['DELETE', '/api/projects/demo/', one, 'projects'],
    ['PATCH', '/api/components/demo/app/', one, 'components'],
    ['POST', '/api/projects/demo/components/', list, 'components'],
  ] as const) {
    t.equal((await service.request(method, path, { body: '{' })).status, 401, `${method} ${path}`);
    const { status, headers, json } = await service.request(method, path, { as: 'admin', json: { name: 'X' } });
    t.equal(status, 403);
    t.equal(headers['allow'], allow);
    t.equal(headers['x-understudy-not-mirrored'], `${method} ${name}`);
    const detail = `Can not manage ${name}: they are read-only here.`;
    t.match(json, { errors: [{ code: 'permission_denied', detail, attr: null }] });
  }
});

interface Memberships {
  readonly results: readonly { readonly id: number }[];
}

// Groups of the seed: 4 opens every project; 9 and 10 open `secret`; 1 opens no private project.
const [opensNothing, opensAll, opensSecret, opensSecretToo] = [1, 4, 9, 10] as const;
// Alice's subscriptions to `secret` and to one of its components.
const hidden = [115, 116];

const setUp = async (t: Test) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const change = (method: 'POST' | 'DELETE', group_id: number, user = 'alice') =>
    service.request(method, `/api/users/${user}/groups/`, { as: 'admin', json: { group_id } });
  const subscriptions = async (as: string) => {
    const { results } = (await service.request('GET', '/api/users/alice/notifications/', { as })).json as Memberships;
    return results.map(({ id }) => id).filter((id) => hidden.includes(id));
  };
  return { ...service, change, subscriptions };
};

await test('leaving the last group that opens a private project removes its subscriptions', async (t) => {
  const { change, subscriptions } = await setUp(t);
  t.same(await subscriptions('alice'), []);
  for (const group of [opensAll, opensSecret, opensSecretToo, opensNothing]) {
    t.equal((await change('POST', group)).status, 200);
    t.same(await subscriptions('alice'), hidden);
  }
  for (const group of [opensNothing, opensSecret, opensAll]) {
    t.equal((await change('DELETE', group)).status, 200);
    t.same(await subscriptions('alice'), hidden, 'another one opens it still');
  }
  t.equal((await change('DELETE', opensSecretToo)).status, 200);
  t.same(await subscriptions('admin'), [], 'for good');
});

await test('a superuser needs no group', async (t) => {
  const service = await setUp(t);
  const { change, subscriptions } = service;
  await service.request('PATCH', '/api/users/alice/', { as: 'admin', json: { is_superuser: true } });
  await change('POST', opensSecret);
  await change('DELETE', opensSecret);
  t.same(await subscriptions('alice'), hidden);
});

await test('leaving two groups at the same moment removes them too', async (t) => {
  const { change, subscriptions } = await setUp(t);
  await change('POST', opensSecret);
  await change('POST', opensSecretToo);
  await Promise.all([change('DELETE', opensSecret), change('DELETE', opensSecretToo)]);
  t.same(await subscriptions('admin'), []);
});

await test('concurrent additions of members are all kept', async (t) => {
  const { change, url } = await setUp(t);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => change('POST', i % 2 === 0 ? 5 : 6)));
  t.ok(answers.every(({ status }) => status === 200));
  const { groups } = (await change('POST', 5)).json as { groups: string[] };
  t.same(
    groups,
    [2, 3, 5, 6].map((id) => `${url}/api/groups/${id}/`),
  );
});

await test('what a group grants: user.view reads users in full, user.edit edits them', async (t) => {
  const service = await setUp(t);
  const { database } = service;
  const grant = (permissions: string) =>
    sql`update understudy.groups set permissions = ${permissions}::text[] where sandbox_id = 1 and id = 3`.execute(
      database.load,
    );
  const keys = async (path: string) => {
    const { json } = await service.request('GET', path, { as: 'bob' });
    const [first] = (json as { results?: object[] }).results ?? [json as object];
    return Object.keys(first ?? {}).length;
  };
  const count = async () =>
    ((await service.request('GET', '/api/users/', { as: 'bob' })).json as { count: number }).count;
  const statusOf = async (method: string, path: string, json: object) =>
    (await service.request(method, path, { as: 'bob', json })).status;

  await grant('{user.view}');
  t.same([await keys('/api/users/alice/'), await keys('/api/users/'), await count()], [16, 16, 9]);
  t.equal(await statusOf('PATCH', '/api/users/alice/', { full_name: 'X' }), 403);
  t.equal(await statusOf('POST', '/api/users/', {}), 403);
  t.equal(await statusOf('GET', '/api/users/alice/notifications/', {}), 403, 'subscriptions are no part of it');
  const own = await service.request('PATCH', '/api/users/bob/', { as: 'bob', json: { is_superuser: true } });
  t.equal(Object.keys(own.json as object).length, 5, 'oneself is still changed as oneself');
  t.equal(
    ((await service.request('GET', '/api/users/bob/', { as: 'admin' })).json as { is_superuser: boolean }).is_superuser,
    false,
  );
  const readOnly = async (field: string) => {
    const { json } = await service.request('OPTIONS', '/api/users/', { as: 'bob' });
    const { actions } = json as { actions: { POST: Record<string, { read_only: boolean }> } };
    return actions.POST[field]?.read_only;
  };
  t.same([await readOnly('profile'), await readOnly('full_name'), await readOnly('is_bot')], [true, false, true]);

  await grant('{user.edit}');
  t.same([await keys('/api/users/alice/'), await count()], [16, 9], 'who edits reads too');
  t.equal(await readOnly('is_bot'), false);
  const groups = (await service.request('GET', '/api/groups/', { as: 'bob' })).json as { count: number };
  t.equal(groups.count, 2, 'its own, for only superusers see all');
  const refused = await service.request('POST', '/api/projects/', { as: 'bob', json: { name: 'x' } });
  t.match(refused.json, { errors: [{ detail: 'Can not create projects' }] });
  t.equal(await statusOf('PATCH', '/api/users/alice/', { full_name: 'X' }), 200);
  const subscription = { notification: 'RepositoryNotification', scope: 10, frequency: 1 };
  t.equal(await statusOf('POST', '/api/users/alice/notifications/', subscription), 201);
  t.equal(await statusOf('POST', '/api/users/alice/groups/', { group_id: 4 }), 200);
  t.equal(await statusOf('POST', '/api/users/', { username: 'new', full_name: 'New' }), 201);
  t.equal(await statusOf('DELETE', '/api/users/new/', {}), 204);

  await grant('{}');
  t.same([await keys('/api/users/alice/'), await count()], [3, 1]);
});

await test('a caller without permission waits for no lock', async (t) => {
  const service = await startService(t, { seed: 'transcripts' });
  const body = { json: { group_id: opensNothing } };
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: noteLocked } = Promise.withResolvers<void>();
  const holder = service.database.load.transaction().execute(async (transaction) => {
    await sql`select from understudy.counters for update`.execute(transaction);
    noteLocked();
    await released;
  });
  await locked;
  for (const [as, status] of [
    [undefined, 401],
    ['bob', 403],
  ] as const) {
    const answered = await service.request('DELETE', '/api/users/alice/groups/', { ...body, ...(as && { as }) });
    t.equal(answered.status, status, `${as ?? 'nobody'} is answered while the sandbox is locked`);
  }
  release();
  await holder;
});

interface Team {
  readonly id: number;
  readonly roles: readonly string[];
  readonly languages: readonly string[];
  readonly projects: readonly string[];
  readonly components: readonly string[];
  readonly admins: readonly string[];
}

const openTeams = async (t: Test) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const ask = (method: string, path: string, json?: object, as = 'admin') =>
    service.request(method, `/api/groups/${path}`, { as, ...(json && { json }) });
  const read = async (id: number) => (await ask('GET', `${id}/`)).json as Team;
  const request: Service['request'] = (...sent) => service.request(...sent);
  return { url: service.url, request, ask, read };
};

await test('of several teams of one name in a project, made at the same moment, there is one', async (t) => {
  const { ask, url } = await openTeams(t);
  const body = { name: 'Team', defining_project: `${url}/api/projects/demo/` };
  const statuses = (await Promise.all(Array.from({ length: 6 }, () => ask('POST', '', body)))).map(
    ({ status }) => status,
  );
  t.same(
    statuses.toSorted((a, b) => a - b),
    [201, 400, 400, 400, 400, 400],
  );
  const loose = await Promise.all(Array.from({ length: 3 }, () => ask('POST', '', { name: 'Team' })));
  t.same(
    loose.map(({ json }) => (json as Team).id).toSorted((a, b) => a - b),
    [20, 21, 22],
    'without a project there may be several, and a refused one has taken no id',
  );
});

await test('what is added to a group at the same moment is all kept', async (t) => {
  const { ask, read, url } = await openTeams(t);
  await ask('POST', '', { name: 'Team' });
  const things: readonly (readonly [string, object])[] = [
    ...[9, 1, 8].map((role_id) => ['roles', { role_id }] as const),
    ...['sk', 'cs', 'de'].map((language_code) => ['languages', { language_code }] as const),
    ...[3, 2].map((project_id) => ['projects', { project_id }] as const),
    ...[4, 2].map((component_id) => ['components', { component_id }] as const),
    ...[8, 7, 6].map((user_id) => ['admins', { user_id }] as const),
  ];
  const answers = await Promise.all(things.map(([list, body]) => ask('POST', `19/${list}/`, body)));
  t.same([...new Set(answers.map(({ status }) => status))], [200]);
  const links = (...paths: string[]) => paths.map((path) => `${url}/api/${path}/`);
  t.match(await read(19), {
    roles: links('roles/1', 'roles/8', 'roles/9'),
    languages: links('languages/cs', 'languages/de', 'languages/sk'),
    projects: links('projects/demo', 'projects/secret'),
    components: links('components/demo/app', 'components/secret/core'),
    admins: links('users/alice', 'users/bob', 'users/carol'),
  });
});

await test('an integer of 128 bits as a workspace is a UUID, however it is written', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  for (const [number, code] of [
    ['0', 'permission_denied'],
    ['9007199254740992', 'permission_denied'],
    [String(2n ** 128n - 1n), 'permission_denied'],
    [String(2n ** 128n), 'invalid'],
    ['-1', 'invalid'],
    ['1.5', 'invalid'],
  ] as const) {
    const body = `{"name": "X", "project_selection": 0, "language_selection": 1, "defining_workspace": ${number}}`;
    const headers = { 'content-type': 'application/json' };
    const { json } = await service.request('POST', '/api/groups/', { as: 'alice', headers, body });
    t.match(json, { errors: [{ code }] }, number);
  }
});

await test('admins of a seed are members, and unknown names of roles are errors', async (t) => {
  const { request } = await openTeams(t);
  const seed = {
    users: [
      { username: 'root', is_superuser: true, token: 'wlu_root' },
      { username: 'ada', groups: [] },
    ],
    groups: [{ name: 'Team', roles: ['Translate', 2], languages: ['cs'], admins: ['Ada'] }],
  };
  t.equal((await request('PUT', '/_understudy/sandboxes/default/seed', { json: seed })).status, 200);
  const root = { token: 'wlu_root' };
  const { json } = await request('GET', '/api/groups/1/', root);
  t.match(json, { roles: [/roles\/2\/$/, /roles\/9\/$/], languages: [/cs\/$/], admins: [/users\/ada\/$/] });
  t.match((await request('GET', '/api/users/ada/', root)).json, { groups: [/groups\/1\/$/] });
  const wrong = { groups: [{ name: 'Team', roles: ['Nobody', 19], languages: ['cz'] }] };
  const refused = await request('PUT', '/_understudy/sandboxes/default/seed', { json: wrong });
  t.equal(refused.status, 400);
  t.match(refused.text, 'groups[0].roles[0]');
});
