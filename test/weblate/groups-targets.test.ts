// Groups, projects and components are read-only.
import { sql } from 'kysely';
import { test } from 'tap';
import { startService } from '../support/service.ts';

interface Page {
  readonly count: number;
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

await test('each caller sees the groups, projects and components that it may', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const list = async (path: string, as?: string) => {
    const { results } = (await service.request('GET', path, as === undefined ? {} : { as })).json as Page;
    return results.map(({ id }) => id);
  };
  t.same(await list('/api/groups/', 'bob'), [2, 3]);
  t.same(await list('/api/groups/'), [1, 2], 'nobody is in the groups of the internal user');
  t.same(await list('/api/projects/', 'admin'), [2, 3]);
  t.same(await list('/api/projects/', 'bob'), [2]);
  t.same(await list('/api/projects/'), [2]);
  t.same(await list('/api/components/', 'admin'), [2, 3, 4]);
  t.same(await list('/api/components/', 'bob'), [2, 3]);
  t.same(await list('/api/components/?page_size=1&page=last', 'admin'), [4]);
  await service.request('POST', '/api/users/bob/groups/', { as: 'admin', json: { group_id: 9 } });
  t.same(await list('/api/projects/', 'bob'), [2, 3], 'a group opens a project');
  t.same(await list('/api/components/', 'bob'), [2, 3, 4]);
  t.same(
    await list('/api/groups/', 'bob'),
    [2, 3, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18],
    'those of a project it administers',
  );
  await sql`insert into understudy.user_groups (sandbox_id, user_id, group_id) values (1, 1, 10)`.execute(
    service.database.load,
  );
  t.same(await list('/api/projects/'), [2, 3], 'a group of the internal user opens a project to anonymous requests');
  t.same(await list('/api/components/'), [2, 3, 4]);
});

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

await test('what does not exist or is hidden is 404', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const paths = [
    '/api/groups/9/',
    '/api/groups/0/',
    '/api/groups/99999999999/',
    '/api/projects/secret/',
    '/api/projects/none/',
    '/api/projects/DEMO/',
    '/api/projects/secret/components/',
    '/api/projects/de%00mo/components/',
    '/api/projects/de%00mo/',
    '/api/projects/%FF/',
    '/api/components/secret/core/',
    '/api/components/demo/core/',
    '/api/components/demo/a%00/',
    '/api/components/none/app/',
    '/api/groups/x/',
    '/api/projects//',
    '/api/components/demo/',
  ];
  for (const path of paths) {
    const { status, json } = await service.request('GET', path, { as: 'bob' });
    t.equal(status, 404, path);
    t.match(json, { type: 'client_error', errors: [{ code: 'not_found' }] });
  }
  for (const path of [
    '/api/groups/',
    '/api/projects/',
    '/api/components/',
    '/api/',
    '/api/groups/2/',
    '/api/projects/demo/',
  ])
    t.equal((await service.request('GET', path, { token: 'wrong' })).status, 401, path);
});

await test('writes are rejected with an explanation', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const groups = 'GET, POST, HEAD, OPTIONS';
  const one = 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS';
  for (const [method, path, allow, name] of [
    ['POST', '/api/groups/', groups, 'groups'],
    ['PUT', '/api/groups/1/', one, 'groups'],
    ['PATCH', '/api/groups/1/', one, 'groups'],
    ['DELETE', '/api/groups/1/', one, 'groups'],
    ['POST', '/api/projects/', groups, 'projects'],
    ['DELETE', '/api/projects/demo/', one, 'projects'],
    ['PATCH', '/api/components/demo/app/', one, 'components'],
    ['POST', '/api/projects/demo/components/', groups, 'components'],
  ] as const) {
    t.equal((await service.request(method, path, { body: '{' })).status, 401, `${method} ${path}`);
    const { status, headers, json } = await service.request(method, path, { as: 'admin', json: { name: 'X' } });
    t.equal(status, 403);
    t.equal(headers['allow'], allow);
    t.equal(headers['x-understudy-not-mirrored'], `${method} ${name}`);
    t.match(json, {
      errors: [
        {
          code: 'permission_denied',
          detail: `Can not manage ${name}: they are read-only here.`,
          attr: null,
        },
      ],
    });
  }
  const hidden = await service.request('DELETE', '/api/projects/secret/', { as: 'bob' });
  t.match(hidden, { status: 403, json: { errors: [{ detail: 'Can not delete project' }] } }, 'is there or not');
  t.equal((await service.request('POST', '/api/groups/', { as: 'bob', body: '{' })).status, 403, 'any body');
  const components = await service.request('POST', '/api/components/', { as: 'admin' });
  t.same([components.status, components.headers['allow']], [405, 'GET, HEAD, OPTIONS']);
});

await test('OPTIONS describes the fields that each path returns', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  for (const [list, one, method] of [
    ['/api/groups/', '/api/groups/1/', 'PUT'],
    ['/api/users/', '/api/users/alice/', 'PUT'],
  ] as const) {
    const [described, answered] = [
      (await service.request('OPTIONS', one, { as: 'admin' })).json as { actions: Record<string, object> },
      (await service.request('GET', one, { as: 'admin' })).json as object,
    ];
    t.same(Object.keys(described.actions[method] ?? {}), Object.keys(answered), one);
    t.notOk(
      'actions' in ((await service.request('OPTIONS', list)).json as object),
      `${list} tells nobody without a token`,
    );
  }
});
