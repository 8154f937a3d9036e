// Fault rules, journal and use notes end with their sandbox, and unknown names leave no trace.
import { setImmediate as turn } from 'node:timers/promises';
import Fastify from 'fastify';
import { test } from 'tap';
import { createFaults } from '../../src/traffic/faults.ts';
import { entriesOf } from '../support/kept-entry.ts';
import { createJournal } from '../../src/traffic/journal/journal.ts';
import { createTraffic } from '../../src/traffic/traffic.ts';
import { keepContexts } from '../../src/http/call.ts';
import { registerDrain } from '../../src/http/edge/drain.ts';
import { withoutSandbox } from '../../src/access/which-sandbox.ts';
import { findSandboxId } from '../../src/access/caller-queries.ts';
import { startService } from '../support/service.ts';

const base = '/_understudy/sandboxes';
const list = '/api/users/alice/notifications/';
const rules = [{ name: 'former', match: { path: '/api/users/**' }, status: 418 }];

await test('faults and journal end with a sandbox', async (suite) => {
  const service = await startService(suite);
  const act = async (method: string, path: string, json?: unknown) =>
    (await service.request(method, `${base}/${path}`, json === undefined ? {} : { json })).status;
  const left = async (name: string) => {
    const [faults, journal] = await Promise.all(
      ['faults', 'requests'].map(async (what) => (await service.request('GET', `${base}/${name}/${what}`)).json),
    );
    return { faults, journal: (journal as { requests: unknown }).requests };
  };
  const fill = async (name: string) => {
    await service.request('PUT', `${base}/${name}/faults`, { json: { rules } });
    await service.request('GET', name === 'default' ? list : `/sandboxes/${name}${list}`);
  };
  const nothing = { faults: [], journal: [] };

  for (const [what, end] of [
    ['DELETE and PUT', async () => [await act('DELETE', 'job'), await act('PUT', 'job')]],
    ['PUT', async () => [await act('PUT', 'job')]],
    ['reset', async () => [await act('POST', 'job/reset')]],
    ['restore', async () => [await act('POST', 'job/snapshots/s/restore')]],
  ] as const)
    await suite.test(what, async (t) => {
      await act('PUT', 'job');
      await act('PUT', 'job/snapshots/s');
      await fill('job');
      t.match(await left('job'), { faults: [{ name: 'former', struck: 1 }], journal: [{ status: 418 }] });
      t.ok((await end()).every((status) => status < 300));
      t.strictSame(await left('job'), nothing);
      t.equal((await service.request('GET', `/sandboxes/job${list}`)).status, 200);
    });

  await suite.test('a reset of default too', async (t) => {
    await fill('default');
    t.equal(await act('POST', 'default/reset'), 204);
    t.strictSame(await left('default'), nothing);
  });

  await suite.test('a refused reset ends nothing', async (t) => {
    await act('PUT', 'job');
    await fill('job');
    t.equal(await act('POST', 'job/snapshots/none/restore'), 404);
    t.match(await left('job'), { faults: [{ name: 'former' }], journal: [{ status: 418 }] });
  });

  await suite.test('a request that began before is no part of what came after', async (t) => {
    await act('PUT', 'job');
    await service.request('PUT', `${base}/job/faults`, { json: { rules: [{ delay_ms: 300, next: 1 }] } });
    const slow = service.request('GET', `/sandboxes/job${list}?former`);
    for (;;) {
      const { json } = await service.request('GET', `${base}/job/faults`);
      if ((json as unknown[]).length === 0) break;
    }
    await act('PUT', 'job');
    t.equal((await slow).status, 200);
    await service.request('GET', `/sandboxes/job${list}?later`);
    t.match((await left('job')).journal, [{ query: 'later' }]);
    t.equal(((await left('job')).journal as unknown[]).length, 1);
  });
});

await test('names that no sandbox has leave no trace', async (suite) => {
  const service = await startService(suite);

  await suite.test('they empty no other journal', async (t) => {
    await service.request('PUT', `${base}/kept`);
    await service.request('GET', `/sandboxes/kept${list}`);
    for (let n = 0; n < 105; n++) {
      const headers = { 'x-understudy-sandbox': `none-${n}` };
      const paths = [list, '/api/nowhere/', '/api/docs/'];
      await Promise.all(paths.map((path) => service.request('GET', path, { headers })));
    }
    t.match((await service.request('GET', `${base}/kept/requests`)).json, {
      requests: [{ path: list, status: 200 }],
    });
  });

  await suite.test('they are not noted, unlike those of sandboxes', async (t) => {
    const noted = new Set<string>();
    const journal = createJournal(1 << 20);
    const app = Fastify({ rewriteUrl: (request) => withoutSandbox(request.url ?? '/') });
    t.teardown(() => app.close());
    keepContexts(app, { publicUrl: undefined, trustProxy: 0 });
    registerDrain(app);
    const watched = {
      database: service.database,
      faults: createFaults(async () => undefined),
      journal,
      expiry: {
        noteUse: (name: string) => void noted.add(name),
        isNoted: (name: string) => noted.has(name),
        forget: (name: string) => void noted.delete(name),
      },
    };
    createTraffic(watched, { send: () => t.fail('no page is sent') }).watch(app, new Set());
    app.get('/api/', async () => ({}));
    // A connection answers in order.
    const asked = async () => {
      await findSandboxId(service.database.read, 'default');
      await turn();
    };
    for (const name of ['nowhere', 'No-Name', 'x'.repeat(1000), 'kept', 'default']) {
      await app.inject({ url: '/api/', headers: { 'x-understudy-sandbox': name } });
      await app.inject({ url: '/api/nowhere/', headers: { 'x-understudy-sandbox': name } });
    }
    await app.inject({ url: '/sandboxes/nowhere/api/' });
    await asked();
    t.strictSame([...noted], ['kept']);
    t.strictSame(
      [entriesOf(journal, 'kept').length, entriesOf(journal, 'default').length, entriesOf(journal, 'nowhere').length],
      [2, 2, 0],
    );
    await service.request('DELETE', `${base}/kept`);
    noted.clear();
    await app.inject({ url: '/sandboxes/kept/api/' });
    await asked();
    t.strictSame([[...noted], entriesOf(journal, 'kept')], [[], []], 'one that another service dropped');
  });
});

await test('any request that names a sandbox and succeeds counts as its use', async (t) => {
  const service = await startService(t);
  const own = (path: string) => `${base}/NAME${path}`;
  for (const [isUse, method, path, json] of [
    [false, 'GET', base],
    [false, 'GET', '/_understudy/'],
    [false, 'GET', own('/nothing')],
    [true, 'GET', own('')],
    [true, 'POST', own('/requests/find'), {}],
    [true, 'GET', own('/requests')],
    [true, 'POST', own('/reset')],
    [true, 'GET', '/_understudy/console/NAME/'],
    [true, 'GET', '/sandboxes/NAME/'],
  ] as const) {
    const name = `used-${Math.random().toString(36).slice(2)}`;
    await service.request('PUT', `${base}/${name}`, { json: {} });
    await service.request(method, path.replace('NAME', name), json === undefined ? {} : { json });
    const isNoted = async () => {
      const { text } = await service.request('GET', '/_understudy/');
      return !text.split(`console/${name}/`)[1]?.split('</tr>')[0]?.includes('not used yet');
    };
    // The answer doesn't wait for the note.
    let attempts = 0;
    while (!(await isNoted()) && attempts < (isUse ? 500 : 5)) attempts++;
    t.equal(await isNoted(), isUse, `${method} ${path}`);
  }
});
