// The steps of each test: list, create, delete, and list again. COUNT is the number of tests in a file, MORE the number of additional
// lists in each test.
import { expect } from 'vitest';

export const count = Number(process.env.COUNT);
const more = Number(process.env.MORE ?? 0);

/** @param url the URL of the list */
export async function changeAndList(url, headers) {
  const call = (path, method, body) =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const list = async () => (await (await call('', 'GET')).json()).results ?? [];
  const before = await list();
  const created = await call('', 'POST', { notification: 'RepositoryNotification', scope: 10, frequency: 1 });
  expect(created.status).toBe(201);
  const { id } = await created.json();
  expect((await call(`${id}/`, 'DELETE')).ok).toBe(true);
  expect(await list()).toEqual(before);
  for (let n = 0; n < more; n++) await list();
}
