// npx vitest run vitest.test.ts: one sandbox for the file, reset before each test.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from './sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ from: 'documented' });
});
beforeEach(async () => void (await sandbox.reset()));
// Saves what the job keeps when it fails.
afterEach(({ task }) => (task.result?.state === 'fail' ? sandbox.save() : undefined));
afterAll(() => sandbox[Symbol.asyncDispose]());

const subscriptions = async () => {
  const headers = { authorization: `Token ${sandbox.tokens['alice']}`, 'content-type': 'application/json' };
  const url = `${sandbox.base_url}/api/users/alice/notifications/`;
  const { count, results } = (await (await fetch(url, { headers })).json()) as {
    count: number;
    results: { id: number }[];
  };
  return { url, headers, count, first: results[0]?.id };
};

test('unsubscribes', async () => {
  const { url, headers, first } = await subscriptions();
  expect((await fetch(`${url}${first}/`, { method: 'DELETE', headers })).status).toBe(204);
  expect((await subscriptions()).count).toBe(9);
});

test('sees nothing of the test before', async () => {
  expect((await subscriptions()).count).toBe(10);
});
