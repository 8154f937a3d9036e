// A client that still sends its body gets the whole answer that refuses it.
import { test } from 'tap';
import { pathsOfBodies, whole } from '../support/paths-of-bodies.ts';
import { head, sendRaw } from '../support/raw.ts';
import { startService } from '../support/service.ts';

// More than the buffers of both sockets hold.
const length = 16_000_000;
const body = 'x'.repeat(length);
const times = 3;
const typed = ['Host: 127.0.0.1', 'Content-Type: application/json', `Content-Length: ${length}`];

await test('a body beyond its limit', async (t) => {
  const service = await startService(t);
  for (const [method, path] of pathsOfBodies)
    for (let n = 0; n < times; n++) {
      const answer = await sendRaw(service, head(`${method} ${path}`, ...typed) + body);
      t.match(answer, { status: 413, body: whole, isEnded: true }, `${method} ${path}`);
    }
});

await test('a body that is refused before it is read', async (t) => {
  const service = await startService(t, { anonymous: 'write' });
  const foreign = [...typed, 'Origin: http://elsewhere.example'];
  for (const [status, line, ...headers] of [
    [415, 'PUT /_understudy/sandboxes/default/seed', ...typed.toSpliced(1, 1, 'Content-Type: text/html')],
    [403, 'PUT /_understudy/sandboxes/default/seed', ...foreign],
    [403, 'POST /_understudy/console/default/seed/', ...foreign],
    [403, 'POST /api/users/alice/notifications/', ...foreign],
  ] as const)
    for (let n = 0; n < times; n++) {
      const answer = await sendRaw(service, head(line, ...headers) + body);
      t.match(answer, { status, body: whole, isEnded: true }, `${line} ${status}`);
    }
});
