// Every act on a sandbox and every write into it at once, over three sandboxes: none waits in a circle, none fails.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { test } from 'tap';
import { notificationNames } from '../../src/model/notifications.ts';
import { makeRandom, type Random } from '../support/random.ts';
import { type Ask, createSeededDatabase, type Service, startService } from '../support/service.ts';

const names = ['one', 'two', 'three'];
const seed = {
  users: [
    { username: 'admin', is_superuser: true, token: 'wlu_admin' },
    { username: 'dave', subscriptions: [{ notifications: notificationNames.slice(0, 6), scope: 'all' }] },
    { username: 'someone-0' },
    { username: 'someone-1', subscriptions: [{ notifications: 'all', scope: 'watched' }] },
  ],
};
const entry = (random: Random) => ({
  notification: random.pick(notificationNames.slice(0, 9)),
  scope: random.pick([0, 10, 20]),
  frequency: random.below(5),
});

type Act = (random: Random) => readonly [method: string, path: string, ask?: Ask];

/** In the Weblate API of a sandbox, as a superuser whom every seed of this test has. */
const mirrored =
  (method: string, path: (random: Random) => string, json?: (random: Random) => object): Act =>
  (random) => [
    method,
    `/sandboxes/${random.pick(names)}/api/users/${path(random)}`,
    { token: 'wlu_admin', ...(json === undefined ? {} : { json: json(random) }) },
  ];
const own =
  (method: string, path: string, said: (random: Random) => Ask = () => ({})): Act =>
  (random) => [method, `/_understudy/sandboxes/${random.pick(names)}${path}`, said(random)];

const ofEntry = (random: Random) => `dave/notifications/${1 + random.below(9)}/`;
const someone = (random: Random) => `someone-${random.below(3)}`;

const acts: Readonly<Record<string, Act>> = {
  list: mirrored('GET', () => 'dave/notifications/'),
  'create an entry': mirrored('POST', () => 'dave/notifications/', entry),
  'change an entry': mirrored('PATCH', ofEntry, (random) => ({ frequency: random.below(5) })),
  'rename an entry': mirrored('PATCH', ofEntry, (random) => ({ notification: entry(random).notification })),
  'delete an entry': mirrored('DELETE', ofEntry),
  'create a user': mirrored(
    'POST',
    () => '',
    (random) => ({ username: someone(random), full_name: 'Someone' }),
  ),
  'change a user': mirrored(
    'PATCH',
    () => 'dave/',
    (random) => ({ full_name: `Dave ${random.below(5)}` }),
  ),
  'rename a user': mirrored(
    'PATCH',
    (random) => `${someone(random)}/`,
    (random) => ({ username: someone(random) }),
  ),
  'delete a user': mirrored('DELETE', (random) => `${someone(random)}/`),
  'join a group': mirrored(
    'POST',
    () => 'dave/groups/',
    (random) => ({ group_id: random.pick([2, 3]) }),
  ),
  'leave a group': mirrored(
    'DELETE',
    () => 'dave/groups/',
    (random) => ({ group_id: random.pick([2, 3]) }),
  ),
  reset: own('POST', '/reset'),
  'make it anew': own('PUT', '', () => ({ json: { seed } })),
  'make it from another': own('PUT', '', (random) => ({ json: { from: random.pick(names) } })),
  delete: own('DELETE', ''),
  seed: own('PUT', '/seed', () => ({ json: seed })),
  token: own('POST', '/tokens', () => ({ json: { username: 'dave' } })),
  snapshot: own('PUT', '/snapshots/s'),
  restore: own('POST', '/snapshots/s/restore'),
};
// Else a sandbox would be missing most of the time.
const often = ['make it anew', 'make it from another', 'make it from another'];

/** A database that detects deadlocks at once, whatever other time limits locks have. */
async function createDatabase(t: Parameters<typeof createSeededDatabase>[0]): Promise<string> {
  const url = await createSeededDatabase(t, 'documented');
  await ask(
    url,
    `do $$ begin execute format('alter database %I set deadlock_timeout = ''20ms''', current_database()); end $$`,
  );
  return url;
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** As all connections but this one saw them: they write their figures when they end. */
async function countDeadlocks(url: string): Promise<number> {
  const others = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await ask(url, `select pg_terminate_backend(pid) ${others}`);
  while ((await ask(url, `select pid ${others} and backend_type = 'client backend'`)).length > 0) await sleep(20);
  const [row] = await ask(url, 'select deadlocks::int from pg_stat_database where datname = current_database()');
  return Number(row?.['deadlocks']);
}

async function collide(service: Service, workers: number, each: number): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  const choices = [...Object.keys(acts), ...often];
  const work = async (worker: number) => {
    const random = makeRandom(14, worker);
    for (let n = 0; n < each; n++) {
      const name = random.pick(choices);
      const [method, path, said] = (acts[name] as Act)(random);
      const { status } = await service.request(method, path, said);
      seen.set(`${name} ${status}`, (seen.get(`${name} ${status}`) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return seen;
}

/** Each finds what an act left half done. */
const wrong = {
  'a deleted user has nothing left': `select u.username from understudy.users u where u.username like 'deleted-%' and (
      exists (select from understudy.subscriptions x where x.sandbox_id = u.sandbox_id and x.user_id = u.id)
      or exists (select from understudy.user_groups m where m.sandbox_id = u.sandbox_id and m.user_id = u.id)
      or exists (select from understudy.tokens k where k.sandbox_id = u.sandbox_id and k.user_id = u.id))`,
  'everybody else is in the groups that new users join': `select u.username from understudy.users u
    where u.username not like 'deleted-%' and u.username <> 'dave' and not exists (
      select from understudy.user_groups m where m.sandbox_id = u.sandbox_id and m.user_id = u.id)`,
  'every sandbox counts above its ids': `select s.id from understudy.sandboxes s left join understudy.counters c on c.sandbox_id = s.id
    where c.sandbox_id is null
      or c.next_user_id <= (select max(u.id) from understudy.users u where u.sandbox_id = s.id)
      or c.next_subscription_id <= (select max(x.id) from understudy.subscriptions x where x.sandbox_id = s.id)`,
  'no hidden sandbox is without a purpose': `select h.id from understudy.sandboxes h where h.name is null and h.template_key is null
    and h.snapshot_of is null and h.baseline_id is null and not exists (select from understudy.sandboxes s where s.baseline_id = h.id)`,
};

await test('all operations at once neither deadlock nor fail', async (t) => {
  const databaseUrl = await createDatabase(t);
  const service = await startService(t, { databaseUrl });
  const seen = await collide(service, 16, 100);
  // 503 says that a lock was waited for too long, and to come again.
  t.same(
    [...seen].filter(([key]) => / 5(?!03)/.test(key)),
    [],
  );
  for (const name of Object.keys(acts))
    t.ok(
      [...seen.keys()].some((key) => new RegExp(`^${name} 2..$`).test(key)),
      `${name} succeeds`,
    );
  t.equal(await countDeadlocks(databaseUrl), 0, 'deadlocks');

  for (const [what, query] of Object.entries(wrong)) t.same(await ask(databaseUrl, query), [], what);
});
