// docs/reference/own-api.md lists the operations of the own API's document, and no others.
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { plain, readTable } from './tables.ts';

await test('the table of requests', async (t) => {
  const service = await startService(t, { seed: null });
  const { json } = await service.request('GET', '/_understudy/schema/');
  const { paths } = json as { paths: Record<string, Record<string, unknown>> };
  const methods = ['get', 'put', 'post', 'patch', 'delete'];
  const served = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => methods.includes(key))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  t.ok(served.length > 10);
  t.same(new Set(readTable('reference/own-api.md', 'requests').map((row) => plain(row['request']))), new Set(served));
});
