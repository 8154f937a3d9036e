// Enough fuzzed requests to reach every operation and status.
import { t as file, test } from 'tap';
import { fuzzServices } from '../fuzz/services.ts';
import { unseenOperations } from '../fuzz/tally.ts';

file.setTimeout(600_000);

/** What succeeds only after another request to the same group, which is chance here. The recordings groups/* have them. */
const isLucky = /^(?:PUT|DELETE) \/api\/groups\/:id\//;
const statuses = [200, 201, 204, 400, 401, 403, 404, 405, 406, 409, 413, 415, 429, 431];

await test('20,000 requests reach every operation and status', async (t) => {
  const requests = 20_000;
  const { tally, url } = await fuzzServices(t, { requests, narrowRequests: 1000 });
  t.ok(tally.unavailable < 0.01 * requests, `${tally.unavailable} answered 503`);
  t.ok(tally.injected > 0, 'some answers came from fault rules');
  t.same(
    (await unseenOperations(tally, url)).filter((operation) => !isLucky.test(operation)),
    [],
    'every operation of both documents succeeded',
  );
  for (const status of statuses) t.ok(tally.statuses.has(String(status)), `some were answered ${status}`);
});
