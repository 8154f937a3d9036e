// A badge in a README: shields.io's dynamic JSON badge reads a user's statistics without a token, and shows one number of them.
import { test } from 'tap';
import { startService } from '../support/service.ts';

/** As the badge's service asks, for the query `$.translated`: the number, or what the badge says instead. */
async function readBadge(url: string): Promise<string> {
  const response = await fetch(url, { headers: { Accept: 'application/json', 'User-Agent': 'Shields.io/2003a' } });
  if (response.status === 404) return 'resource not found';
  if (!response.ok) return `inaccessible (${response.status})`;
  return String(((await response.json()) as { translated: number }).translated);
}

await test('a badge shows what a request without a token may read', async (t) => {
  for (const [anonymous, shown] of [
    ['read', '12'],
    ['strict', 'resource not found'],
  ] as const) {
    const service = await startService(t, { seed: 'documented', anonymous });
    const seed = { users: [{ username: 'ada', profile: { translated: 12 } }] };
    const made = await service.request('PUT', '/_understudy/sandboxes/badge', { json: { seed } });
    t.equal(made.status, 201);
    t.equal(await readBadge(`${service.url}/sandboxes/badge/api/users/ada/statistics/`), shown, anonymous);
  }
});
