// Replays every recorded request: the document must list each answer, and the bodies of answers and of accepted requests must match
// its schemas.
import { test } from 'tap';
import type { OpenApiDocument } from '../../src/openapi/documents.ts';
import { loadTranscripts } from '../transcripts/engine/load.ts';
import { selectScenarios } from '../transcripts/engine/replay.ts';
import { send } from '../transcripts/engine/send-request.ts';
import { startService, transcriptsFolder } from '../support/service.ts';
import { createChecker } from './checker.ts';

// Bodies that are accepted though the document says otherwise: dates, numbers and links of other forms, what users can't
// set of themselves, and bodies of DELETE, which are ignored.
const lenient = new Set([
  ...['deleted', 'expiry', 'names', 'profile', 'self'].map((name) => `users/${name}`),
  ...'admins changed components created described managers of-project order projects roles several-faults'
    .split(' ')
    .map((name) => `groups/${name}`),
  'membership/values',
  'notifications/values',
  'notifications/whose',
]);

await test('the document describes every answer', async (t) => {
  const { scenarios, tokens } = await loadTranscripts(transcriptsFolder);
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const { json } = await service.request('GET', '/api/schema/');
  const checker = createChecker(json as OpenApiDocument);
  const target = { baseUrl: service.url, tokens };
  const faults: string[] = [];
  for (const { name, steps } of selectScenarios(scenarios)) {
    await service.reset();
    for (const { title, request } of steps) {
      const { status, headers, body } = await send(request, target);
      // Requests that Node's parser rejects reach no route.
      if (headers['x-understudy'] === undefined) continue;
      const { method, path } = request;
      const contentType = headers['content-type']?.[0];
      const parsed =
        contentType === 'application/json' && body !== '' ? (JSON.parse(body) as unknown) : body || undefined;
      const sent = lenient.has(name) ? undefined : request.json;
      for (const fault of checker.check({ method, path, status, contentType, body: parsed, sent }))
        faults.push(`${name}: ${title}: ${fault}`);
    }
  }
  // No transcript reads these, because the real system returns many more fields.
  await service.reset();
  for (const kind of ['projects', 'components']) {
    const list = await service.request('GET', `/api/${kind}/`, { as: 'admin' });
    const [first] = (list.json as { results: { url: string }[] }).results;
    const { pathname } = new URL(first?.url ?? '');
    const entry = await service.request('GET', pathname, { as: 'admin' });
    for (const [path, { status, headers, json: body }] of [
      [`/api/${kind}/`, list],
      [pathname, entry],
    ] as const)
      faults.push(...checker.check({ method: 'GET', path, status, contentType: headers['content-type'], body }));
  }
  t.same(faults, []);
  const operations = Object.entries((json as OpenApiDocument).paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.keys(responses)
        .filter((status) => Number(status) < 300)
        .map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );
  t.same(
    operations.filter((operation) => !checker.seen.has(operation)),
    [],
    'each operation was seen to succeed (a transcript has it, or test/openapi/answers.long.test.ts sends it)',
  );
});
