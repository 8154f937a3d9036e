// What fault rules answer, whether the request is executed, and how many bytes of rules are kept.
import { Client } from 'pg';
import { type Test, test } from 'tap';
import { createFaults } from '../../src/traffic/faults.ts';
import { readTable } from '../support/tables.ts';
import { keptEntry } from '../support/kept-entry.ts';
import { type Service, startService } from '../support/service.ts';

const base = '/_understudy/sandboxes';
const list = '/api/users/alice/notifications/';

await test('without a body, a status has its documented error', async (t) => {
  const service = await startService(t);
  const answer = async (rule: object, method = 'GET', ask = {}) => {
    const put = await service.request('PUT', `${base}/default/faults`, { json: { rules: [rule] } });
    t.equal(put.status, 200);
    const { status, headers, text, json } = await service.request(method, list, ask);
    t.match(headers, { 'x-understudy-fault': '1', 'x-understudy': /./ });
    return { status, headers, text, json };
  };
  const documented = new Map(readTable('reference/errors.md', 'catalogue').map((row) => [row['name'], row]));
  const rows = readTable('reference/own-api.md', 'errors');
  t.equal(rows.length, 14);
  for (const row of rows.slice(0, -1)) {
    const [name = ''] = row['error']?.match(/^`\w+`/) ?? [];
    const { status = '', type = '', code = '' } = documented.get(name) ?? {};
    const [plainType, plainCode] = [type, code].map((text) => text.replaceAll('`', ''));
    t.equal(row['status'], status);
    const answered = await answer({ status: Number(status) });
    t.match(answered, { status: Number(status), headers: { 'content-type': 'application/json' } });
    t.match(answered.json, { type: plainType, errors: [{ code: plainCode, detail: /./, attr: null }] });
    t.notMatch(answered.text, '{}', 'the text is complete');
  }
  t.match((await answer({ status: 401 })).headers, { 'www-authenticate': 'Token' });
  t.match((await answer({ status: 503 })).headers, { 'retry-after': '1' });
  t.match(await answer({ status: 429 }), { headers: { 'retry-after': '1' }, text: /available in 1 seconds/ });
  t.match(await answer({ status: 429, headers: { 'Retry-After': 7 } }), {
    headers: { 'retry-after': '7' },
    text: /available in 7 seconds/,
  });
  t.match(await answer({ status: 405 }, 'POST'), { text: /Method \\"POST\\" not allowed/ });
  const form = { headers: { 'content-type': 'text/x' }, body: 'a' };
  t.match(await answer({ status: 415 }, 'POST', form), { text: /media type \\"text\/x\\"/ });
  for (const [status, type, detail] of [
    [418, 'client_error', "I'm a Teapot"],
    [502, 'server_error', 'Bad Gateway'],
    [599, 'server_error', 'Status 599'],
  ] as const)
    t.strictSame((await answer({ status })).json, { type, errors: [{ code: 'error', detail, attr: null }] });
  for (const status of [200, 204, 302]) t.match(await answer({ status }), { status, text: '' });
  t.match(await answer({ status: 429, body: null }), { text: 'null' });
});

await test('a header may be given as a number', async (t) => {
  const service = await startService(t);
  const rules = [{ status: 503, body: 'x', headers: { 'Retry-After': 1, 'X-Half': 0.5, 'X-A': 'b' } }];
  const put = await service.request('PUT', `${base}/default/faults`, { json: { rules } });
  t.match(put.json, [{ headers: { 'Retry-After': '1', 'X-Half': '0.5', 'X-A': 'b' } }]);
  t.match((await service.request('GET', list)).headers, { 'retry-after': '1', 'x-half': '0.5', 'x-a': 'b' });
  for (const headers of [{ 'X-A': true }, Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`X-${n}`, 'a']))]) {
    const refused = await service.request('PUT', `${base}/default/faults`, {
      json: { rules: [{ status: 503, headers }] },
    });
    t.match(refused.json, { errors: [{ attr: 'rules[0].headers' }] });
  }
});

await test('close and a status don’t execute the request, cut does', async (t) => {
  const service = await startService(t);
  const rules = [
    { connection: 'close', next: 1 },
    { status: 200, next: 1 },
    { connection: 'cut', next: 1 },
  ].map((rule) => ({ ...rule, match: { method: 'PATCH' } }));
  await service.request('PUT', `${base}/default/faults`, { json: { rules } });
  const outcomes: unknown[] = [];
  for (const name of ['Closed', 'Answered', 'Cut']) {
    const ask = { as: 'admin', json: { full_name: name } };
    const answered = await service.request('PATCH', '/api/users/bob/', ask).catch(() => undefined);
    const { json } = await service.request('GET', '/api/users/bob/', { as: 'admin' });
    outcomes.push([answered?.status, (json as { full_name: string }).full_name]);
  }
  t.same(outcomes, [
    [undefined, 'Bob Example'],
    [200, 'Bob Example'],
    [undefined, 'Cut'],
  ]);
});

await test('rules of more than 256 KiB are 409, and those in force stay', async (t) => {
  const service = await startService(t);
  const put = (rules: object[]) => service.request('PUT', `${base}/default/faults`, { json: { rules } });
  await put([{ name: 'kept', status: 500 }]);
  for (const body of ['x'.repeat(262_144), { a: 'x'.repeat(262_144) }])
    t.match(await put([{ status: 500, body }]), {
      status: 409,
      json: { errors: [{ code: 'conflict', detail: 'Fault rules may have at most 262144 bytes in a sandbox.' }] },
    });
  t.match((await service.request('GET', `${base}/default/faults`)).json, [{ name: 'kept' }]);
  t.equal((await put([{ status: 500, body: 'x'.repeat(260_000) }])).status, 200);
});

await test('rules of more than 32 MiB in all are 409; a rule that ends makes room', async (t) => {
  const faults = createFaults(async () => undefined);
  const body = 'x'.repeat(262_144 - 1024 - 100);
  const fill = (sandbox: string, more = {}) =>
    faults.replace(sandbox, async () => ({ rules: [{ status: 500, body, ...more }] }));
  for (let n = 1; n < 128; n++) await fill(`s${n}`);
  await fill('last', { next: 1 });
  await t.rejects(fill('more'), { message: /33554432 bytes in all sandboxes/ });
  await t.rejects(
    faults.add('more', async () => ({ status: 500, body })),
    { message: /in all sandboxes/ },
  );
  t.same(await faults.list('more'), []);
  await fill('s1');
  const strike = (sandbox: string) => faults.strike(sandbox, keptEntry({ path: '/api/' }), async () => null);
  await strike('last');
  await fill('more');
  const [first, second] = [await strike('more'), await strike('more')];
  t.ok(Buffer.isBuffer(first?.body));
  t.equal(first?.body, second?.body, 'one buffer, however often it is sent');
});

await test('one rule is added before the others, and removed by its key', async (t) => {
  const service = await startService(t);
  const path = `${base}/default/faults`;
  const ask = async (method: string, at = path, json?: object) => {
    const answered = await service.request(method, at, json && { json });
    return { ...answered, rules: answered.json as { key: string; name: string; struck: number }[] };
  };
  const rule = { match: { method: 'GET' }, status: 503 };
  const [former] = (await ask('PUT', path, { rules: [{ ...rule, name: 'former' }] })).rules;
  await service.request('GET', list);
  const added = await ask('POST', path, rule);
  t.match(added, { status: 201, json: { ...rule, name: '2', struck: 0, expires: /Z$/ } });
  const { key } = added.json as { key: string };
  t.match((await ask('GET')).rules, [
    { key, name: '2' },
    { key: former?.key, name: 'former', struck: 1 },
  ]);
  t.match((await service.request('GET', list)).headers, { 'x-understudy-fault': '2' });
  t.match(await ask('POST', path, { status: 1, nmae: 'x' }), {
    status: 400,
    json: { errors: [{ attr: 'nmae' }, { attr: 'status' }] },
  });
  t.equal((await ask('DELETE', `${path}/${key}`)).status, 204);
  t.match((await ask('GET')).rules, [{ name: 'former', struck: 1 }]);
  t.match(await ask('DELETE', `${path}/${key}`), { status: 404, text: /no fault rule with the key/ });
  await ask('PUT', path, { rules: [{ ...rule, name: 'former' }] });
  t.equal((await ask('DELETE', `${path}/${former?.key}`)).status, 404, 'PUT ends the keys of before');
  for (let n = 1; n < 50; n++) t.equal((await ask('POST', path, rule)).status, 201);
  t.match(await ask('POST', path, rule), { status: 409, text: /at most 50 entries in a sandbox/ });
});

/** Sends rules; resolves when the service has found their sandbox and is still reading them. */
async function beginToSet(t: Test, service: Service, body: string) {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  t.teardown(() => client.end());
  const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now');
  const headers = { 'content-type': 'application/yaml' };
  const put = service.request('PUT', `${base}/job/faults`, { headers, body });
  let isFound = false;
  while (!isFound) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and state = 'idle' and query like '%sandboxes%' and query_start > $1`,
      [rows[0]?.now],
    );
    isFound = rowCount !== 0;
  }
  return { put };
}

await test('rules for a former sandbox don’t apply to a new one of its name', async (t) => {
  const service = await startService(t);
  // Reading this takes longer than replacing the sandbox.
  const body = `rules:\n${`  - status: 500\n    body: [${'1, '.repeat(2000)}1]\n`.repeat(8)}`;
  for (const isDeletedFirst of [true, false]) {
    await service.request('PUT', `${base}/job`);
    const { put } = await beginToSet(t, service, body);
    if (isDeletedFirst) await service.request('DELETE', `${base}/job`);
    await service.request('PUT', `${base}/job`);
    t.ok([200, 409].includes((await put).status), 'before, or while, the sandbox is replaced');
    t.same((await service.request('GET', `${base}/job/faults`)).json, []);
    t.equal((await service.request('GET', `/sandboxes/job${list}`)).status, 200);
  }
});

await test('rules are not set if the sandbox is cleared while they are read', async (t) => {
  const faults = createFaults(async (name) => {
    if (name === 'missing') throw new Error('no sandbox');
  });
  const rule = { status: 500 };
  const reading = <T>(read: T) => {
    faults.clear('job');
    return Promise.resolve(read);
  };
  const late = { message: /^The sandbox was deleted/ };
  await t.rejects(
    faults.replace('job', () => reading({ rules: [rule] })),
    late,
  );
  await t.rejects(
    faults.add('job', () => reading(rule)),
    late,
  );
  t.same(await faults.list('job'), []);
  await t.rejects(
    faults.add('job', () => Promise.reject(new Error('unread'))),
    { message: 'unread' },
  );
  const added = await faults.add('other', () => reading(rule));
  t.same(await faults.list('other'), [added]);
  const changes: readonly Promise<unknown>[] = [
    faults.add('missing', async () => rule),
    faults.replace('missing', async () => ({ rules: [rule] })),
    faults.remove('missing'),
    faults.remove('missing', added.key),
  ];
  for (const change of changes) await t.rejects(change, { message: 'no sandbox' });
});
