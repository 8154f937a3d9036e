// The control API's document: valid, complete, and matched by the answer of each operation.
import { Validator } from '@seriousme/openapi-schema-validator';
import { test } from 'tap';
import type { OpenApiDocument } from '../../src/openapi/documents.ts';
import { values } from '../seeds/whole-seed.ts';
import { type Ask, startService } from '../support/service.ts';
import { type CheckedAnswer, createChecker } from './checker.ts';
import { listUnsent } from './fields.ts';
import { listDescribed, listRoutes } from './routes.ts';

await test('the document is valid and complete', async (t) => {
  const service = await startService(t);
  const { status, json } = await service.request('GET', '/_understudy/schema/');
  t.equal(status, 200);
  const result = await new Validator().validate(structuredClone(json) as Record<string, unknown>);
  t.same(result.errors ?? [], []);
  const served = await listRoutes(
    service,
    /^\/(?:_understudy\/(?!$|(?:schema|docs|sign-in|sign-out|console)\/)|healthz\/)/,
  );
  t.same(listDescribed(json as OpenApiDocument), served);
});

const subscriptionsTo = (notification: string, id: number) => [
  { id, notification, scope: 30, frequency: 'daily', project: 'p' },
  { notification, component: 'p/c' },
  { notifications: [notification], scopes: ['all', 'watched'] },
];
const wholeSeed = {
  now: '2026-01-02T03:04:05Z',
  next_id: { users: 100, groups: 100, projects: 100, components: 100, subscriptions: 100 },
  projects: [{ id: 7, ...values.projects }],
  components: [{ id: 7, ...values.components }],
  groups: [{ id: 7, ...values.groups }],
  users: [
    {
      id: 7,
      ...values.users,
      token: 'wlu_first',
      tokens: ['wlu_second'],
      subscriptions: subscriptionsTo('NewAlertNotificaton', 7),
    },
  ],
  subscriptions: subscriptionsTo('ParseErrorNotification', 8).map((one) => ({ ...one, user: 'u' })),
};

await test('every operation answers as described', async (t) => {
  const service = await startService(t);
  const document = (await service.request('GET', '/_understudy/schema/')).json as OpenApiDocument;
  const checker = createChecker(document);
  const accepted: { method: string; path: string; json: unknown }[] = [];
  const exchange = async (method: string, path: string, expected: number, ask: Ask = {}) => {
    const { status, headers, text, json } = await service.request(method, path, ask);
    t.equal(status, expected, `${method} ${path}`);
    const contentType = headers['content-type'];
    const body = json ?? (text === '' ? undefined : text);
    const answer: CheckedAnswer = { method, path, status, contentType, body, sent: ask.json };
    t.same(checker.check(answer), []);
    if (status < 300 && ask.json !== undefined) accepted.push({ method, path, json: ask.json });
    return json;
  };
  const base = '/_understudy/sandboxes';
  const ci = `${base}/ci`;
  await exchange('GET', '/_understudy/health/live', 200);
  await exchange('GET', '/_understudy/health/ready', 200);
  await exchange('GET', '/healthz/', 200);
  await exchange('GET', '/_understudy/metrics', 200);
  await exchange('POST', base, 201, { json: { from: 'documented' } });
  await exchange('POST', base, 201, { json: { seed: wholeSeed, expires_in_seconds: 60 } });
  await exchange('PUT', ci, 201, { json: {} });
  await exchange('PUT', `${base}/all`, 400, { json: { expires_in_seconds: 1 } });
  await exchange('PUT', `${base}/ci-2`, 404, { json: { from: 'documentd' } });
  await exchange('PUT', ci, 415, { body: '<x/>', headers: { 'content-type': 'text/xml' } });
  await exchange('GET', base, 200);
  await exchange('GET', ci, 200);
  await exchange('GET', `${base}/nobody`, 404);
  await exchange('GET', `${ci}/seed`, 200);
  await exchange('GET', `${ci}/seed?format=json`, 200);
  await exchange('PUT', `${ci}/snapshots/before`, 204);
  await exchange('POST', `${ci}/snapshots/before/restore`, 204);
  await exchange('POST', `${ci}/snapshots/after/restore`, 404);
  await exchange('GET', `${ci}/snapshots`, 200);
  await exchange('DELETE', `${ci}/snapshots/before`, 204);
  await exchange('DELETE', `${ci}/snapshots/before`, 404);
  await exchange('PUT', `${ci}?replace=false`, 400);
  await exchange('PUT', `${ci}/clock`, 200, { json: { now: '2026-01-02T03:04:05Z' } });
  await exchange('POST', `${ci}/clock/advance`, 200, { json: { by: '1h' } });
  await exchange('POST', `${ci}/clock/advance`, 409, { json: { by: '9999999d' } });
  await exchange('PUT', `${ci}/clock`, 400, { json: { now: 'never' } });
  await exchange('PUT', `${ci}/clock`, 200, { json: { now: null } });
  await exchange('GET', `${ci}/clock`, 200);
  await exchange('POST', `${ci}/tokens`, 201, { json: { username: 'alice' } });
  await exchange('POST', `${ci}/tokens`, 404, { json: { username: 'nobody' } });
  const [token] = (await exchange('GET', `${ci}/tokens`, 200)) as [{ id: string }];
  await exchange('DELETE', `${ci}/tokens/${token.id}`, 204);
  await exchange('DELETE', `${ci}/tokens/${token.id}`, 404);
  const answered = {
    match: { method: 'GET', user: 'alice' },
    status: 503,
    body: {},
    headers: { 'Retry-After': 1, 'X-A': 'b' },
  };
  const closed = { name: 'Closed', connection: 'close', expires_in_seconds: 60 };
  await exchange('PUT', `${ci}/faults`, 200, { json: { rules: [answered, closed] } });
  const second = {
    match: { path: '/api/users/*/', query: { page: 1 }, headers: { Accept: 'json' }, body: { scope: 10 } },
    status: 503,
    skip: 1,
    next: 1,
  };
  const late = { delay_ms: { min: 0, max: 1 } };
  await exchange('PUT', `${ci}/faults`, 200, { json: { rules: [second, late] } });
  await exchange('PUT', `${ci}/faults`, 400, { json: { rules: [{}] } });
  await exchange('PUT', `${ci}/faults`, 409, { json: { rules: [{ status: 500, body: 'x'.repeat(2 ** 18) }] } });
  await exchange('GET', `${ci}/faults`, 200);
  const added: unknown[] = [];
  for (const json of [closed, late, second, answered])
    added.push(await exchange('POST', `${ci}/faults`, 201, { json }));
  const [{ key }] = added as [{ key: string }];
  await exchange('POST', `${ci}/faults`, 400, { json: {} });
  await exchange('DELETE', `${ci}/faults/${key}`, 204);
  await exchange('DELETE', `${ci}/faults/${key}`, 404);
  await service.request('GET', '/sandboxes/ci/api/users/alice/');
  await service.request('POST', '/sandboxes/ci/api/users/alice/notifications/', { as: 'alice', json: { scope: 1 } });
  await exchange('GET', `${ci}/requests`, 200);
  await exchange('GET', `${ci}/requests?limit=x`, 400);
  await service.request('GET', '/nowhere/');
  await exchange('GET', '/_understudy/requests', 200);
  await exchange('GET', '/_understudy/requests?sandbox=-&limit=x', 400);
  await exchange('GET', `${ci}/requests/counts`, 200);
  await exchange('DELETE', '/_understudy/requests', 204);
  await exchange('POST', `${ci}/requests/find`, 200, { json: { method: 'POST', body: { scope: 1 } } });
  await exchange('POST', `${ci}/requests/find`, 200, { json: { body: { scope: 2 }, query: { page: 2 } } });
  await exchange('POST', `${ci}/requests/find`, 200, {
    json: {
      path: '/**',
      user: 'bob',
      headers: { Accept: 'json' },
      status: '4xx',
      unmatched: true,
      fault: 'x',
      times: { min: 0, max: 1 },
      within_ms: 0,
    },
  });
  await exchange('POST', `${ci}/requests/find`, 400, { json: { times: -1 } });
  const asked = {
    path: '/**',
    method: ['GET', 'POST'],
    user: null,
    query: { a: ['b', 1] },
    headers: { Accept: 'a' },
    body: 1,
  };
  const match = { ...asked, status: 404, unmatched: false, fault: 'x' };
  const [{ id: since }] = ((await exchange('GET', `${ci}/requests`, 200)) as { requests: [{ id: string }] }).requests;
  const options = { since, limit: 1, within_ms: 1 };
  await exchange('POST', `${ci}/requests/find`, 200, { json: { ...match, ...options } });
  for (const json of [
    { match, times: 1 },
    { match, times: { min: 0, max: 1 } },
    { in_order: [match] },
    { except: [since] },
  ])
    await exchange('POST', `${ci}/requests/expect`, 200, { json: { ...json, ...options } });
  await exchange('POST', `${ci}/requests/expect`, 400, { json: { times: 1 } });
  await exchange('DELETE', `${ci}/requests`, 204);
  await exchange('DELETE', `${ci}/faults`, 204);
  await exchange('PUT', `${ci}/seed`, 200, { json: wholeSeed });
  await exchange('PUT', `${ci}/seed`, 400, { json: { users: [{ name: 'only' }] } });
  await exchange('PUT', `${ci}/seed?check=true&keep_tokens=true`, 200, { json: { users: [] } });
  await exchange('PUT', `${ci}/seed?chek=true`, 400, { json: { users: [] } });
  await exchange('POST', `${ci}/reset?undo=true`, 204);
  await exchange('POST', `${ci}/undo`, 204);
  await exchange('POST', `${ci}/undo`, 409);
  await exchange('PUT', `${ci}/undo`, 204);
  await exchange('POST', `${ci}/reset`, 204);
  await exchange('DELETE', `${base}/default`, 409);
  await exchange('DELETE', ci, 204);
  await exchange('GET', base, 403, { headers: { origin: 'https://example.com' } });
  const successes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.keys(responses).flatMap((code) => (Number(code) < 300 ? [`${method.toUpperCase()} ${path} ${code}`] : [])),
    ),
  );
  t.same(
    successes.filter((operation) => !checker.seen.has(operation)),
    [],
    'each operation was seen to succeed (test/openapi/control.test.ts sends each; add those that are missing)',
  );
  t.same(
    listUnsent(document, accepted),
    [],
    'each field of a body was seen to be accepted (test/openapi/control.test.ts sends each; those of seeds are in test/seeds/whole-seed.ts)',
  );
});

await test('the document is closed when the control API is', async (t) => {
  const service = await startService(t, {
    admin: {
      access: { mode: 'off', token: undefined, allowedHosts: [], isLocal: true },
      maxSandboxes: 1,
      journalBytes: 0,
    },
  });
  for (const path of ['/_understudy/schema/', '/_understudy/docs/'])
    t.equal((await service.request('GET', path)).status, 403, path);
  t.equal((await service.request('GET', '/api/schema/')).status, 200);
});
