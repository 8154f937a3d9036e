// Fault rules and the journal of each sandbox.
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';
import { createFaults } from '../../src/traffic/faults.ts';
import { startService } from '../support/service.ts';
import { keptEntry } from '../support/kept-entry.ts';

const base = '/_understudy/sandboxes';
const list = '/api/users/alice/notifications/';

await test('faults', async (suite) => {
  const service = await startService(suite);
  const put = (name: string, json: unknown) => service.request('PUT', `${base}/${name}/faults`, { json });
  await service.request('PUT', `${base}/a`);
  await service.request('PUT', `${base}/b`);
  const ask = async (path = `/sandboxes/a${list}`, method = 'GET', as = 'alice') => {
    const { status, headers, json } = await service.request(method, path, { as });
    return { status, fault: headers['x-understudy-fault'], json };
  };
  const none = { status: 200, fault: undefined };

  await suite.test('a status with a body, for the next requests, in one sandbox', async (t) => {
    t.equal((await put('a', { rules: [{ name: 'busy', status: 503, body: { busy: true }, next: 2 }] })).status, 200);
    t.match(await ask(`/sandboxes/b${list}`), none);
    t.match(await ask(list), none);
    t.match(await ask(), { status: 503, fault: 'busy', json: { busy: true } });
    t.match((await service.request('GET', `${base}/a/faults`)).json, [{ name: 'busy', struck: 1, status: 503 }]);
    t.match(await ask(), { status: 503 });
    t.match(await ask(), none);
    t.strictSame((await service.request('GET', `${base}/a/faults`)).json, [], 'used up');
  });

  await suite.test('a delay, and the answer as usual', async (t) => {
    await put('a', { rules: [{ delay_ms: { min: 1, max: 5 }, next: 1 }] });
    t.match(await ask(), { status: 200, fault: '1' });
  });

  await suite.test('rules end by time and by DELETE', async (t) => {
    await put('a', { rules: [{ status: 500, expires_in_seconds: 1 }] });
    t.match(await ask(), { status: 500 });
    while ((await ask()).status === 500) await sleep(20);
    t.match(await ask(), none);
    await put('a', { rules: [{ status: 500 }] });
    t.equal((await service.request('DELETE', `${base}/a/faults`)).status, 204);
    t.match(await ask(), none);
  });

  await suite.test('all errors of the rules are reported at once', async (t) => {
    const rules = [
      { statu: 500 },
      {
        status: 99,
        delay_ms: -1,
        skip: -1,
        next: 0,
        match: { path: 'x', method: 'G T', pth: 1, body: 'x'.repeat(2000) },
      },
      { body: 1 },
      { status: 500, headers: { 'not a name': 'x' } },
      5,
      { status: 500, headers: { Trailer: 'x', 'X-Fine': 'y', 'content-LENGTH': '3', 'transfer-encoding': 'gzip' } },
    ];
    const refused = await put('a', { rules, sed: 1 });
    t.equal(refused.status, 400);
    t.strictSame(
      (refused.json as { errors: { attr: string }[] }).errors.map(({ attr }) => attr),
      [
        'sed',
        'rules[0].statu',
        'rules[0]',
        'rules[1].match.pth',
        'rules[1].match.method',
        'rules[1].match.path',
        'rules[1].match.body',
        'rules[1].status',
        'rules[1].delay_ms',
        'rules[1].skip',
        'rules[1].next',
        'rules[2]',
        'rules[2].status',
        'rules[3].headers',
        'rules[4]',
        'rules[5].headers',
      ],
    );
    t.match(refused.text, 'The service sets Trailer and content-LENGTH and transfer-encoding itself.');
    t.equal((await put('nowhere', { rules: [] })).status, 404);
  });

  await suite.test('a body that nests too deep is refused', async (t) => {
    const headers = { 'content-type': 'application/json' };
    const putNested = (levels: number) => {
      const body = `{"rules":[{"status":503,"body":${'['.repeat(levels)}${']'.repeat(levels)}}]}`;
      return service.request('PUT', `${base}/a/faults`, { headers, body });
    };
    t.match(await putNested(20_000), { status: 400, text: /nests deeper than 100 levels/ });
    t.match(await service.request('GET', `${base}/a/faults`), { status: 200, json: [] }, 'no rule is in force');
    t.equal((await putNested(90)).status, 200);
    t.equal((await service.request('GET', '/_understudy/console/a/faults/')).status, 200);
    await put('a', { rules: [] });
  });
});

await test('delays of a range are drawn from it', async (t) => {
  const faults = createFaults(async () => undefined);
  await faults.add('a', async () => ({ delay_ms: { min: 5, max: 60_000 } }));
  const drawn: number[] = [];
  const admit = (ms: number) => void drawn.push(ms);
  for (let n = 0; n < 40; n++) await faults.strike('a', keptEntry({}), async () => null, admit);
  t.equal(drawn.length, 40);
  t.ok(drawn.every((ms) => ms >= 5 && ms <= 60_000));
  t.ok(new Set(drawn).size > 1);
});

interface Entry {
  method: string;
  status: number;
}

await test('the journal', async (suite) => {
  const service = await startService(suite);
  const made = await service.request('PUT', `${base}/j`);
  const { token } = made.json as { token: string };
  const read = async (query = '', name = 'j') =>
    ((await service.request('GET', `${base}/${name}/requests${query}`)).json as { requests: Entry[] }).requests;

  await suite.test('filters', async (t) => {
    await service.request('GET', `/sandboxes/j${list}?page=1`, { as: 'alice' });
    await service.request('POST', list, { token, json: { notification: 'x', note: token } });
    await service.request('GET', '/sandboxes/j/api/nowhere/');
    const paths = async (query: string) => (await read(query)).map(({ method, status }) => `${method} ${status}`);
    t.strictSame(await paths('?method=post'), ['POST 400']);
    t.strictSame(await paths('?status=4xx'), ['POST 400', 'GET 404']);
    t.strictSame(await paths('?unmatched=true'), ['GET 404']);
    t.strictSame(await paths('?principal=alice&path=/api/users/*/notifications/'), ['GET 200']);
    t.strictSame(await paths('?limit=1'), ['GET 404']);
    t.match((await service.request('GET', `${base}/j/requests?sttus=1&status=x`)).json, {
      errors: [{ attr: 'sttus' }, { attr: 'status' }],
    });
  });

  await suite.test('the journal of default starts with the service, and reading changes nothing', async (t) => {
    await service.request('GET', list);
    const shown = await read('', 'default');
    t.match(shown, [{ path: list, status: 200 }]);
    t.strictSame(await read('', 'default'), shown);
    t.equal((await service.request('GET', `${base}/nowhere/requests`)).status, 404);
  });

  await suite.test('the journal has the fault of a request', async (t) => {
    const rules = [{ name: 'gone', connection: 'close', next: 1 }];
    await service.request('PUT', `${base}/j/faults`, { json: { rules } });
    await t.rejects(service.request('GET', `/sandboxes/j${list}`));
    t.match(await read('?fault=gone'), [{ status: 0, fault: 'gone' }]);
  });
});
