// What each test does: it lists, creates, deletes and lists again. COUNT tests of that in a file; MORE lists besides in each.
import { expect } from 'vitest';

export const count = Number(process.env.COUNT);
const more = Number(process.env.MORE ?? 0);

/** @param url of the list */
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
