// npx tap tap.test.ts: each test has its own sandbox.
import { test } from 'tap';
import { createSandbox, type Sandbox } from './sandbox.ts';

const list = (sandbox: Sandbox) => `${sandbox.base_url}/api/users/alice/notifications/`;
const alice = (sandbox: Sandbox) => ({
  authorization: `Token ${sandbox.tokens['alice']}`,
  'content-type': 'application/json',
});
const count = async (sandbox: Sandbox) =>
  ((await (await fetch(list(sandbox), { headers: alice(sandbox) })).json()) as { count: number }).count;

await test('unsubscribes from everything', async (t) => {
  await using sandbox = await createSandbox({ from: 'documented', failed: () => !t.passing() });
  const headers = alice(sandbox);
  const { results } = (await (await fetch(list(sandbox), { headers })).json()) as { results: { id: number }[] };
  for (const { id } of results) await fetch(`${list(sandbox)}${id}/`, { method: 'DELETE', headers });
  t.equal(await count(sandbox), 0);
  await sandbox.reset();
  t.equal(await count(sandbox), 10);
});

await test('a seed of its own', async (t) => {
  await using sandbox = await createSandbox({ seed: { users: [{ username: 'alice' }] } });
  t.equal(await count(sandbox), 0);
});
