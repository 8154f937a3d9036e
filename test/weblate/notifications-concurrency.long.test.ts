// Concurrent writes: only one of equal ones succeeds, ids have no gaps, and loading a seed breaks no request.
import { test } from 'tap';
import { notificationNames } from '../../src/model/notifications.ts';
import { makeRandom } from '../support/random.ts';
import { type Answered, type Service, startService } from '../support/service.ts';

const list = '/api/users/dave/notifications/';
const entry = { notification: 'LockNotification', scope: 0, frequency: 1 };
const unique = {
  type: 'validation_error',
  errors: [
    { code: 'unique', detail: 'The fields notification, scope must make a unique set.', attr: 'non_field_errors' },
  ],
};

const create = (service: Service, json: object) => service.request('POST', list, { as: 'dave', json });
const idOf = ({ json }: Answered) => (json as { id: number }).id;

await test('fifty equal creations: one succeeds, forty-nine are duplicates, and no id is lost', async (t) => {
  const service = await startService(t);
  const before = idOf(await create(service, { ...entry, scope: 10 }));
  const answers = await Promise.all(Array.from({ length: 50 }, () => create(service, entry)));
  const made = answers.filter(({ status }) => status === 201);
  t.equal(made.length, 1);
  t.same(
    answers.filter(({ status }) => status !== 201).map(({ status, json }) => ({ status, json })),
    Array.from({ length: 49 }, () => ({ status: 400, json: unique })),
  );
  t.equal(made[0] && idOf(made[0]), before + 1);
  t.equal(idOf(await create(service, { ...entry, scope: 20 })), before + 2);
  t.match((await service.request('GET', list)).json, { count: 3 });
});

await test('sixty-nine different creations get consecutive ids', async (t) => {
  const service = await startService(t);
  const wanted = notificationNames.flatMap((notification) =>
    [0, 10, 20].map((scope) => ({ notification, scope, frequency: 1 })),
  );
  const answers = await Promise.all(wanted.map((json) => create(service, json)));
  t.same(new Set(answers.map(({ status }) => status)), new Set([201]));
  const ids = answers.map(idOf).toSorted((a, b) => a - b);
  t.same(
    ids,
    ids.map((_, i) => (ids[0] ?? 0) + i),
  );
});

await test('of equal changes one succeeds', async (t) => {
  const service = await startService(t);
  const names = notificationNames.slice(0, 20);
  const ids = (await Promise.all(names.map((notification) => create(service, { ...entry, notification })))).map(idOf);
  const answers = await Promise.all(
    ids.map((id) =>
      service.request('PATCH', `${list}${id}/`, { as: 'dave', json: { notification: 'ToDoStringsNotification' } }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  t.equal(statuses.filter((status) => status === 200).length, 1);
  t.equal(statuses.filter((status) => status === 400).length, 19);
});

await test('of equal deletions one finds the entry', async (t) => {
  const service = await startService(t);
  const id = idOf(await create(service, entry));
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.request('DELETE', `${list}${id}/`, { as: 'dave' })),
  );
  const statuses = answers.map(({ status }) => status);
  t.equal(statuses.filter((status) => status === 204).length, 1);
  t.equal(statuses.filter((status) => status === 404).length, 19);
});

await test('create, change, delete and list during continuous resets', async (t) => {
  const service = await startService(t);
  const path = '/api/users/alice/notifications/';
  const initial = (await service.request('GET', path)).text;
  const seen = new Map<string, number>();
  const loading = new AbortController();
  const work = async (worker: number) => {
    const random = makeRandom(1, worker);
    while (!loading.signal.aborted) {
      const id = `${path}${1 + random.below(20)}/`;
      const [method, where, json] = random.pick([
        ['POST', path, { ...entry, notification: random.pick(notificationNames), scope: random.pick([0, 10, 20]) }],
        ['PATCH', id, { frequency: random.below(5) }],
        ['PATCH', id, { notification: random.pick(notificationNames) }],
        ['DELETE', id, undefined],
        ['GET', path, undefined],
      ] as const);
      const { status } = await service.request(method, where, { as: 'alice', ...(json === undefined ? {} : { json }) });
      seen.set(`${method} ${status}`, (seen.get(`${method} ${status}`) ?? 0) + 1);
    }
  };
  const workers = Promise.all(Array.from({ length: 12 }, (_, worker) => work(worker)));
  for (let load = 0; load < 12; load++) await service.reset();
  loading.abort();
  await workers;
  const expected = new Set([
    'POST 201',
    'POST 400',
    'POST 404',
    'PATCH 200',
    'PATCH 400',
    'PATCH 404',
    'DELETE 204',
    'DELETE 404',
    'GET 200',
  ]);
  t.same(
    [...seen.keys()].filter((key) => !expected.has(key)),
    [],
    'nothing failed, and no client saw half a seed',
  );
  t.ok((seen.get('POST 201') ?? 0) > 0 && (seen.get('GET 200') ?? 0) > 0);
  await service.reset();
  t.equal((await service.request('GET', path)).text, initial);
});

// No request may take an entry's notification between the reset's deletion and its insertion of that entry.
await test('an entry that takes the notification of one that a reset restores', async (t) => {
  const service = await startService(t);
  const path = '/api/users/erin/notifications/';
  const initial = (await service.request('GET', path)).text;
  const { results } = JSON.parse(initial) as { results: { id: number; notification: string; scope: number }[] };
  const [one] = results;
  const other = results.find(({ notification, scope }) => notification !== one?.notification && scope === one?.scope);
  const json = { notification: other?.notification };
  const seen = new Set<number>();
  for (let round = 0; round < 150; round++) {
    await service.request('DELETE', `${path}${other?.id}/`, { as: 'erin' });
    const [reset, change] = await Promise.all([
      service.request('POST', '/_understudy/sandboxes/default/reset'),
      service.request('PATCH', `${path}${one?.id}/`, { as: 'erin', json }),
    ]);
    t.equal(reset.status, 204);
    seen.add(change.status);
    await service.request('POST', '/_understudy/sandboxes/default/reset');
  }
  t.same(
    [...seen].filter((status) => ![200, 400, 404].includes(status)),
    [],
  );
  t.equal((await service.request('GET', path)).text, initial);
});
