// More of the random operations of together.test.ts, and leaks that they must find.
import { t as file, test } from 'tap';
import type { TranscriptRequest } from '../transcripts/engine/transcript.ts';
import { startService } from '../support/service.ts';
import { type Ask, names, runModel } from './model-run.ts';

file.setTimeout(600_000);

const seed = 1;

await test('random operations on three sandboxes at once show no leak', async (t) => {
  const { url } = await startService(t);
  const { fault, operations } = await runModel({ url, seed: 2, operations: 300 });
  t.equal(fault, undefined);
  t.ok(operations >= 300);
});

const isList = ({ method, path }: TranscriptRequest) => method === 'GET' && path.startsWith('/api/users/?');
const leaks: Readonly<Record<string, (ask: Ask) => Ask>> = {
  'a request reaches another sandbox': (ask) => {
    let number = 0;
    return (name, way, request) => ask(name === 'heron' && ++number % 20 === 0 ? 'otter' : name, way, request);
  },
  'a list is that of another sandbox': (ask) => (name, way, request) =>
    ask(name === 'otter' && isList(request) ? 'lynx' : name, way, request),
  'a subscription is made in another sandbox too': (ask) => async (name, way, request) => {
    const isWrite = request.method === 'POST' && request.path.endsWith('/notifications/');
    if (isWrite && name === 'lynx') await ask('heron', 'prefix', { ...request, as: 'admin' });
    return ask(name, way, request);
  },
  'an entry of another sandbox is read': (ask) => (name, way, request) =>
    ask(request.method === 'GET' && /\/\d+\/$/.test(request.path) ? 'otter' : name, way, request),
  'a reset strikes another sandbox': (ask) => (name, way, request) =>
    ask(name === 'heron' && request.path.endsWith('/reset') ? 'lynx' : name, way, request),
  ...Object.fromEntries(
    ['/requests', '/seed?format=json', '/snapshots/s1/restore'].map((path) => [
      `another sandbox answers ${path}`,
      (ask: Ask): Ask =>
        (name, way, request) =>
          ask(
            request.path === `/_understudy${path}` ? (names[(names.indexOf(name) + 1) % 3] ?? name) : name,
            way,
            request,
          ),
    ]),
  ),
};

await test('leaks that were planted are found', async (t) => {
  const { url } = await startService(t);
  for (const [name, plant] of Object.entries(leaks)) {
    const { fault } = await runModel({ url, seed, operations: 300, plant, shrinkMs: 0 });
    t.ok(fault, name);
  }
});

await test('a fault is reported with the shortest sequence that shows it', async (t) => {
  const { url } = await startService(t);
  const plant =
    (ask: Ask): Ask =>
    async (name, way, request) => {
      const answer = await ask(name, way, request);
      return request.path === '/_understudy/reset' ? { ...answer, status: 200 } : answer;
    };
  const { fault = '' } = await runModel({ url, seed, operations: 300, longest: 8, plant, shrinkMs: 60_000 });
  const [what, ...sent] = fault.split('\n');
  t.match(what, /^POST \/_understudy\/reset in (?:heron|otter|lynx) is answered 200 instead of 204/);
  t.equal(sent.length, 1);
});

await test('a service that does not answer is a fault', async (t) => {
  const { fault = '' } = await runModel({ url: 'http://127.0.0.1:1', seed, operations: 10 });
  t.match(fault, /not reachable/);
});
