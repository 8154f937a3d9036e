// Of equal writes at once only one succeeds.
import { test } from 'tap';
import { notificationNames } from '../../src/model/notifications.ts';
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
