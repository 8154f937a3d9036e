// Health answers a check whatever its headers say: a balancer chooses Host, and may pass on others.
import { test } from 'tap';
import { head, sendRaw } from '../support/raw.ts';
import { startService } from '../support/service.ts';

await test('health checks with a Host and a sandbox that are none', async (t) => {
  const service = await startService(t);
  for (const path of ['/_understudy/health/live', '/_understudy/health/ready', '/healthz/'])
    for (const header of ['Host: not a host', 'Host: localhost\r\nX-Understudy-Sandbox: Not a Name'])
      t.equal((await sendRaw(service, head(`GET ${path}`, header))).status, 200, `${path}, ${header}`);
  const refused = await sendRaw(service, head('GET /api/', 'Host: not a host'));
  t.equal(refused.status, 400, 'other paths need a Host for their links');
});
