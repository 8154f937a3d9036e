// Another client locks a sandbox: writes to it are refused after a second, and no other sandbox waits.
import type { Client } from 'pg';
import { type Test, test } from 'tap';
import { assertUnavailable, withClient } from '../support/setting.ts';
import { type Service, startService } from '../support/service.ts';

const path = '/api/users/alice/notifications/';
const names = 'LockNotification NewStringNotificaton NewContributorNotificaton NewSuggestionNotificaton'.split(' ');

async function makeSandboxes(service: Service, wanted: readonly string[]): Promise<void> {
  for (const name of wanted) await service.request('PUT', `/_understudy/sandboxes/${name}`);
}

const write = (service: Service, sandbox: string, notification: string) =>
  service.request('POST', `/sandboxes/${sandbox}${path}`, {
    as: 'alice',
    json: { notification, scope: 0, frequency: 1 },
  });

/** Locks the sandboxes as a writer does, until the work is done. */
async function whileLocked<T>(t: Test, { databaseUrl }: Service, sandboxes: string[], work: () => Promise<T>) {
  return withClient(t, databaseUrl, async (client: Client) => {
    await client.query('begin');
    await client.query(
      `select from understudy.counters where sandbox_id in
         (select id from understudy.sandboxes where name = any($1)) for update`,
      [sandboxes],
    );
    const result = await work();
    await client.query('rollback');
    return result;
  });
}

await test('writes to a locked sandbox are refused together, and those to others go on', async (t) => {
  const service = await startService(t);
  await makeSandboxes(service, ['locked', 'locked-later', 'free']);
  const order: string[] = [];
  const note = async <T>(what: string, answer: Promise<T>): Promise<T> => {
    const answered = await answer;
    order.push(what);
    return answered;
  };
  await whileLocked(t, service, ['locked', 'locked-later'], async () => {
    const refused = names.map((name) => note('locked', write(service, 'locked', name)));
    for (const name of names) t.equal((await note('free', write(service, 'free', name))).status, 201);
    t.equal((await note('ready', service.request('GET', '/_understudy/health/ready'))).status, 200);
    t.equal((await note('list', service.request('GET', `/sandboxes/locked${path}`))).status, 200, 'it can be read');
    await Promise.race(refused);
    // If they were refused one by one, the others would take longer than this one.
    const later = note('locked later', write(service, 'locked-later', 'LockNotification'));
    for (const answer of await Promise.all([...refused, later])) assertUnavailable(t, answer, 'refused');
  });
  t.same(
    order,
    [...names.map(() => 'free'), 'ready', 'list', ...names.map(() => 'locked'), 'locked later'],
    'other sandboxes went on, and the refusals came together',
  );
  t.match((await service.request('GET', `/sandboxes/locked${path}`)).json, { count: 10 }, 'nothing was written');
  t.equal((await write(service, 'locked', 'LockNotification')).status, 201);
});

await test('resets of a locked sandbox take at most half of the connections for transactions', async (t) => {
  const service = await startService(t);
  await makeSandboxes(service, ['locked', 'free']);
  const reset = (name: string) => service.request('POST', `/_understudy/sandboxes/${name}/reset`);
  const order: string[] = [];
  await whileLocked(t, service, ['locked'], async () => {
    const refused = names.map(async () => {
      const answer = await reset('locked');
      order.push('locked');
      return answer;
    });
    for (const _ of names) {
      t.equal((await reset('free')).status, 204);
      order.push('free');
    }
    t.equal((await service.request('GET', '/_understudy/sandboxes/locked')).status, 200);
    for (const answer of await Promise.all(refused)) assertUnavailable(t, answer, 'refused');
  });
  t.same(order, [...names.map(() => 'free'), ...names.map(() => 'locked')], 'others went first');
  t.equal((await reset('locked')).status, 204);
});

await test('if every connection for writes serves a locked sandbox, others wait until the refusal', async (t) => {
  const service = await startService(t);
  const locked = ['one', 'two', 'three', 'four'];
  await makeSandboxes(service, [...locked, 'free']);
  await whileLocked(t, service, locked, async () => {
    const refused = locked.map((sandbox) => write(service, sandbox, 'LockNotification'));
    const other = write(service, 'free', 'LockNotification');
    for (const answer of await Promise.all(refused)) assertUnavailable(t, answer, 'refused');
    t.equal((await other).status, 201, 'a fifth one gets its turn when they are refused');
  });
});

await test('a sandbox that never stops writing gives its connection to those that wait', async (t) => {
  const service = await startService(t);
  const busy = ['one', 'two', 'three', 'four'];
  await makeSandboxes(service, [...busy, 'free']);
  const over = new AbortController();
  const ways = busy.flatMap((sandbox) =>
    ['a', 'b', 'c'].map(async () => {
      const statuses = new Set<number>();
      while (!over.signal.aborted) {
        const { status } = await service.request('PATCH', `/sandboxes/${sandbox}${path}1/`, {
          as: 'alice',
          json: { frequency: 1 },
        });
        statuses.add(status);
      }
      return [...statuses];
    }),
  );
  for (const name of names) t.equal((await write(service, 'free', name)).status, 201);
  over.abort();
  for (const statuses of await Promise.all(ways)) t.same(statuses, [200]);
});
