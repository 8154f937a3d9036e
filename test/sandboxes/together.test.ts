// Sandboxes that are used at once don't touch each other: many jobs, and random operations that a model predicts.
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { runModel } from './model-run.ts';
import { kinds } from './model.ts';

const base = '/_understudy/sandboxes';
const list = '/api/users/dave/notifications/';
const entry = (scope: number) => ({ notification: 'NewStringNotificaton', scope, frequency: 1 });

await test('fifty jobs at once get their own rows and ids', async (t) => {
  const service = await startService(t);
  const start = (await service.request('GET', '/api/users/erin/notifications/')).json as { count: number };
  const failed: unknown[] = [];

  async function expect(status: number, method: string, path: string, ask = {}) {
    const answered = await service.request(method, path, ask);
    if (answered.status !== status) failed.push([method, path, answered.status, answered.text]);
    return answered;
  }

  async function job(n: number): Promise<number[]> {
    const name = `job-${n}`;
    const ids: number[] = [];
    for (let round = 0; round < 2; round++) {
      const { token } = (await expect(201, 'PUT', `${base}/${name}`)).json as { token: string };
      // Jobs create different numbers of entries, so that a stray entry shows.
      const scopes = [0, 10, 20].slice(0, 1 + (n % 3));
      const created = await Promise.all(
        scopes.map((scope) => expect(201, 'POST', list, { token, json: entry(scope) })),
      );
      ids.push(...created.map((answered) => (answered.json as { id: number }).id));
      const { count } = (await expect(200, 'GET', list, { token })).json as { count: number };
      if (count !== scopes.length) failed.push([name, count]);
      await Promise.all([
        expect(204, 'POST', `${base}/${name}/reset`),
        expect(204, 'PUT', `${base}/${name}/snapshots/s`),
        service.request('POST', list, { token, json: entry(10) }),
        service.request('DELETE', `${list}${ids[0]}/`, { token }),
        service.request('PATCH', `${list}${ids[0]}/`, { token, json: { frequency: 2 } }),
      ]);
      await expect(204, 'POST', `${base}/${name}/reset`);
      const again = (await expect(200, 'GET', list, { token })).json as { count: number };
      if (again.count !== 0) failed.push([name, 'after the reset', again.count]);
      if (round === 0) await expect(204, 'DELETE', `${base}/${name}`);
    }
    return [...new Set(ids)].toSorted((a, b) => a - b);
  }

  const ids = await Promise.all(Array.from({ length: 50 }, (_, n) => job(n)));
  t.strictSame(failed, []);
  const first = Math.min(...ids.flat());
  t.strictSame(
    ids,
    ids.map((_, n) => Array.from({ length: 1 + (n % 3) }, (_unused, i) => first + i)),
    'each sandbox has the same ids, in both rounds',
  );
  t.match((await service.request('GET', '/api/users/erin/notifications/')).json, { count: start.count });
  t.match((await service.request('GET', list)).json, { count: 0 });
});

/** Fixed; `npm run fuzz` tries other seeds and more operations. */
const seed = 1;

await test('random operations on three sandboxes at once answer as a model predicts', async (t) => {
  const { url } = await startService(t);
  const { fault, seen, operations } = await runModel({ url, seed, operations: 300 });
  t.equal(fault, undefined);
  t.ok(operations >= 300);
  const all = [...seen.keys()];
  for (const kind of kinds)
    t.ok(
      all.some((key) => /^\D+ 2/.test(key) && key.startsWith(kind)),
      `${kind} succeeded`,
    );
  for (const key of [
    'prefix',
    'header',
    'token',
    'create 400',
    'create 401',
    'create 403',
    'create 404',
    'restore 404',
  ])
    t.ok(seen.has(key), key);
});
