// Enough fuzzed requests to reach every operation, error and status.
import { t as file, test } from 'tap';
import { fuzzServices } from '../fuzz/services.ts';
import { unseenErrors, unseenOperations } from '../fuzz/tally.ts';
import { fieldCodes } from '../fuzz/verdict.ts';

file.setTimeout(600_000);

/** Errors that the generator's requests cause by chance or never, and where they are tested. */
const notFuzzed = {
  conflict: 'takes a fault rule with its status: test/traffic/fault-rules.test.ts',
  export_limit: 'takes 33 exports of a sandbox at once: test/seeds/turns.test.ts',
  faults_cleared: 'takes a reset while rules are read, which is chance here: test/traffic/fault-rules.test.ts',
  faults_limit: 'takes rules of more than 256 KiB: test/traffic/fault-rules.test.ts',
  form_rejected: 'takes a form of a page: test/console/sign-in.test.ts',
  journal_emptied: 'takes a journal that is emptied during a wait, which is chance here: test/traffic/waits.test.ts',
  journal_off: 'takes a service without a journal: test/traffic/find.test.ts',
  reading_limit: 'takes ten large texts at once: test/seeds/turns.test.ts',
  request_timeout: 'takes fifteen seconds: test/edge/slow-clients.long.test.ts',
  sandbox_without_baseline: 'takes a sandbox that SQL made: test/seeds/sandboxes.test.ts',
  server_error: 'would be a fault',
  service_unavailable: 'takes a database that is away or busy: test/outages/',
  at_once_limit: 'takes fifty at the same moment: test/traffic/waits.test.ts, find.test.ts',
  token_limit: 'takes ten thousand tokens: test/sandboxes/sandboxes.test.ts',
};
/** What succeeds only after another request to the same group, which is chance here. The recordings groups/* have them. */
const isLucky = /^(?:PUT|DELETE) \/api\/groups\/:id\//;
const statuses = [200, 201, 204, 400, 401, 403, 404, 405, 406, 409, 413, 415, 429, 431];

await test('20,000 requests reach every operation, error and status', async (t) => {
  const requests = 20_000;
  const { tally, url } = await fuzzServices(t, { requests, narrowRequests: 1000 });
  t.ok(tally.unavailable < 0.01 * requests, `${tally.unavailable} answered 503`);
  t.ok(tally.injected > 0, 'some answers came from fault rules');
  t.same(
    (await unseenOperations(tally, url)).filter((operation) => !isLucky.test(operation)),
    [],
    'every operation of both documents succeeded',
  );
  t.same(
    unseenErrors(tally).filter((name) => !(name in notFuzzed)),
    [],
    'every error of the catalogue was seen',
  );
  t.same(
    fieldCodes.filter((code) => !tally.errors.has(`field ${code}`)),
    [],
    'and every code of a field',
  );
  for (const status of statuses) t.ok(tally.statuses.has(String(status)), `some were answered ${status}`);
});
