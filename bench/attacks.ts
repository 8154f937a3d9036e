// Inputs built to block the service: the longest wait of another client for its list while the service handles each of them.
import { Agent, request as send } from 'node:http';
import { stringify } from 'yaml';
import type { BenchServer } from './databases.ts';
import { launchService } from './launch.ts';
import type { Options } from './options.ts';
import { print, say } from './report.ts';

interface Attack {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const json = { 'content-type': 'application/json' };
const yaml = { 'content-type': 'application/yaml' };
const alice = { authorization: 'Token wlu_alice_public_sample_token_0000000000' };
const list = '/api/users/alice/notifications/';
// What both limits leave room for.
const [mirrored, own] = [65_000, 1_048_000];
const fill = (bytes: number, item: (i: number) => string, length: number) =>
  Array.from({ length: Math.floor(bytes / length) }, (_, i) => item(i)).join('');
const user = (i: number) => ({ username: `user${i}`, email: `user${i}@example.com`, full_name: `User ${i}` });
const users = (count: number) => ({ users: Array.from({ length: count }, (_, i) => user(i)) });

const post = (name: string, body: string, headers: Readonly<Record<string, string>> = json): Attack => ({
  name,
  method: 'POST',
  path: list,
  headers,
  body,
});
const seed = (name: string, body: string, headers: Readonly<Record<string, string>> = yaml): Attack => ({
  name: `seed: ${name}`,
  method: 'PUT',
  path: '/_understudy/sandboxes/attacked/seed',
  headers,
  body,
});

const nested = (levels: number) => `{"notification":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;

const ofMirrored: readonly Attack[] = [
  { name: '?id= of 14,000 digits and a letter', method: 'GET', path: `/api/users/?id=${'1'.repeat(14_000)}x` },
  { name: '?page= of 14,000 digits', method: 'GET', path: `${list}?page=${'1'.repeat(14_000)}` },
  { name: 'Accept of 3,500 ranges', method: 'GET', path: list, headers: { accept: 'a/b,'.repeat(3500) } },
  { name: '1,000 users as a page', method: 'GET', path: '/api/users/?page_size=1000&format=api' },
  { name: '1,000 users as CSV', method: 'GET', path: '/api/users/?page_size=1000&format=csv' },
  { name: 'the documentation', method: 'GET', path: '/api/docs/' },
  post('a number of 65,000 digits, no token', `{"scope":${'9'.repeat(mirrored)}}`),
  post('a number of 65,000 digits', `{"scope":${'9'.repeat(mirrored)}}`, { ...json, ...alice }),
  post('2,000 levels, no token', nested(2000)),
  post('1,000 levels', nested(999), { ...json, ...alice }),
  post('a list of 32,000 numbers', `{"scope":[${fill(mirrored - 20, () => '1,', 2)}1]}`, { ...json, ...alice }),
  post('an address of 32,000 parts', `{"email":"a@${'a.'.repeat(mirrored / 2 - 10)}"}`, { ...json, ...alice }),
  post(
    'multipart, nearly its boundary',
    `--${'b'.repeat(200)}\r\n\r\n`.repeat(1) + `\r\n--${'b'.repeat(199)}`.repeat(310),
    { 'content-type': `multipart/form-data; boundary=${'b'.repeat(200)}`, ...alice },
  ),
];

const subscriptions = [{ notifications: 'all', scopes: [0, 10, 20] }];
const ofOwn: readonly Attack[] = [
  seed('900 KB of YAML', stringify(users(11_000))),
  seed('1 MB of JSON', JSON.stringify(users(13_000)), json),
  seed('16,000 users without a name', `{"users":[${Array(16_000).fill('{}').join()}]}`, json),
  seed('340,000 users without a name', `{"users":[${Array(340_000).fill('{}').join()}]}`, json),
  seed('a map of 10,000 keys', fill(own, (i) => `k${i}: 1\n`, 10).slice(0, 89_000)),
  seed(
    '2,000 names that lead nowhere',
    JSON.stringify({
      ...users(2000),
      subscriptions: users(2000).users.map(({ username }) => ({
        user: `${username}x`,
        notification: 'LockNotification',
        scope: 0,
      })),
    }),
    json,
  ),
  seed(
    '50,000 subscriptions in 70 KB',
    JSON.stringify({ users: Array.from({ length: 700 }, (_, i) => ({ username: `u${i}`, subscriptions })) }),
    json,
  ),
  seed(
    'lists that multiply',
    `{"users":[{"username":"a","subscriptions":[{"notifications":[${fill(own / 2, () => '"LockNotification",', 19)}"LockNotification"],"scopes":[${fill(own / 2 - 200, () => '0,', 2)}0]}]}]}`,
    json,
  ),
  seed('400,000 brackets', '['.repeat(400_000)),
  {
    name: 'a sandbox of 900 KB of YAML',
    method: 'PUT',
    path: '/_understudy/sandboxes/attacked',
    headers: yaml,
    body: stringify({ seed: users(11_000) }),
  },
];

export async function benchAttacks(server: BenchServer, { rounds }: Options): Promise<void> {
  await using running = await launchService(await server.createDatabase('attacks'));
  const agent = new Agent({ keepAlive: true });
  const ask = (attack: Attack) => exchange(agent, running.url, attack);
  const other: Attack = { name: '', method: 'GET', path: list };
  await ask({ name: '', method: 'PUT', path: '/_understudy/sandboxes/attacked', headers: json, body: '{}' });
  await ask(seed('', JSON.stringify(users(1000)), json));

  // The slowest list of another client while the work is done.
  async function worstBeside(work: () => Promise<unknown>): Promise<number> {
    const state = { isDone: false };
    const done = work().finally(() => (state.isDone = true));
    let worst = 0;
    while (!state.isDone) {
      const start = performance.now();
      await ask(other);
      worst = Math.max(worst, performance.now() - start);
    }
    await done;
    return worst;
  }

  const pause = () => new Promise((resolve) => setTimeout(resolve, 500));
  for (let i = 0; i < 20; i++) await worstBeside(() => ask(other));
  print(
    '\n**Inputs that were made to hold others up: the longest that another client waits for a list, of all rounds**\n',
  );
  print('| input | answer | ms to answer | ms another waits |\n|---|---:|---:|---:|');
  print(`| nothing | | | ${(await worstBeside(pause)).toFixed(0)} |`);
  for (const [limit, attacks] of [
    [50, ofMirrored],
    [300, ofOwn],
  ] as const)
    for (const attack of attacks) {
      say(`attacks: ${attack.name}`);
      const inSandbox = attack.path.startsWith('/api/users/?')
        ? { ...attack, path: `/sandboxes/attacked${attack.path}` }
        : attack;
      let [status, worst, longest] = [0, 0, 0];
      for (let round = 0; round < rounds; round++) {
        const start = performance.now();
        worst = Math.max(worst, await worstBeside(async () => (status = await ask(inSandbox))));
        longest = Math.max(longest, performance.now() - start);
      }
      print(`| ${attack.name} | ${status} | ${longest.toFixed(0)} | ${worst.toFixed(0)} of ${limit} |`);
    }
  agent.destroy();
}

/** Gives the status. */
function exchange(agent: Agent, url: string, { method, path, headers = {}, body }: Attack): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = send(url + path, { method, agent, headers: { ...headers, ...length } }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
      answer.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
