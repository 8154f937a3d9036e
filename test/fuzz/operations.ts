// Requests that can succeed: one line for each operation of both documents, for one of three sandboxes.
import type { Random } from './random.ts';
import { notifications } from './words.ts';

export interface Right {
  /** As in the documents: `GET /api/users/{username}/`. */
  readonly operation: string;
  readonly path: string;
  /** The header lines for credentials and sandbox. */
  readonly headers: readonly string[];
  readonly body?: { readonly type: string; readonly text: string };
  /** The sandbox and how the request names it; undefined for our own API. */
  readonly place?: Place;
}

export interface Place {
  readonly sandbox: string;
  readonly way: (typeof ways)[number];
}

export const sandboxes = ['default', 'one', 'two'] as const;
export const ways = ['token', 'prefix', 'header'] as const;

type Parameters = Readonly<Record<string, string>>;
interface Case {
  readonly params?: Parameters;
  readonly query?: string;
  readonly body?: unknown;
}
type Line = readonly [weight: number, operation: string, make?: ((random: Random) => Case) | undefined];

/** The ids that each user's subscriptions have after the sample is loaded. */
const entries: readonly (readonly [user: string, first: number, count: number])[] = [
  ['alice', 1, 10],
  ['bob', 11, 9],
  ['carol', 20, 5],
  ['erin', 26, 137],
  ['admin', 164, 4],
];
const entryOf = (random: Random): Parameters => {
  const [username, first, count] = random.pick(entries);
  return { username, id: String(first + random.below(count)) };
};
const subscription = (random: Random) => ({
  notification: random.pick(notifications),
  scope: random.pick([0, 10, 20]),
  frequency: random.below(5),
});
const made = (random: Random): Parameters => ({ username: `made-${random.below(12)}` });
const person = (username: string) => ({ username, full_name: `The ${username}`, email: `${username}@made.example` });
const membership = (random: Random): Case => ({ body: { group_id: 2 + random.below(2) } });
const page = (random: Random): Case => ({
  query: random.pick(['', '', '?page=1', '?page_size=3', '?page=last&page_size=7']),
});
const source = (random: Random): Case => ({
  body: random.pick<unknown>([undefined, {}, { from: 'documented' }, { from: 'default' }, { expires_in_seconds: 60 }]),
});
const snapshot = (random: Random): Case => ({ params: { snapshot: `s${random.below(2)}` } });
/** More snapshots than a sandbox may have, in the one sandbox that upkeep doesn't recreate. */
const newSnapshot = (random: Random): Case =>
  random.oneIn(2) ? snapshot(random) : { params: { name: 'default', snapshot: `s${random.below(60)}` } };

/** Few, because each becomes a template in the database. */
const seeds = [
  { users: [{ username: 'alice', token: 'wlu_alice_public_sample_token_0000000000', subscriptions: [] }] },
  { users: [{ username: 'admin', is_superuser: true }], projects: [{ slug: 'demo', name: 'Demo' }] },
  { groups: [{ name: 'Editors', permissions: ['user.edit'] }], users: [{ username: 'bob', groups: ['Editors'] }] },
];

/** A rule that delays a request, which is then answered as usual. */
export const slow = 'slow';

// Only bob's connections are closed on purpose, so that any other closed connection is a fault.
const rules = [
  { path: '/api/users/bob/**', connection: 'close', next: 2 },
  { path: '/api/users/bob/**', connection: 'cut', next: 2 },
  { path: '/api/users/*/notifications/', status: 503, headers: { 'Retry-After': '1' }, next: 2 },
  { method: 'POST', status: 500, body: { a: [1] }, next: 2 },
  { user: 'alice', status: 418, body: 'short and stout', share: 0.5, next: 3, expires_in_seconds: 1 },
  { name: slow, delay_ms: { min: 1, max: 9 }, next: 9 },
];

const ofRead: readonly Line[] = [
  [2, 'GET /api/'],
  [6, 'GET /api/users/', page],
  [4, 'GET /api/users/{username}/'],
  [2, 'GET /api/users/{username}/statistics/'],
  [2, 'GET /api/users/{username}/contributions/', page],
  [12, 'GET /api/users/{username}/notifications/', page],
  [4, 'GET /api/users/{username}/notifications/{id}/', (random) => ({ params: entryOf(random) })],
  [2, 'GET /api/groups/', page],
  [2, 'GET /api/groups/{id}/', (random) => ({ params: { id: random.pick(['2', '3']) } })],
  [2, 'GET /api/projects/', page],
  [2, 'GET /api/projects/{slug}/', (random) => ({ params: { slug: random.pick(['demo', 'secret']) } })],
  [2, 'GET /api/components/', page],
  [
    2,
    'GET /api/components/{project}/{slug}/',
    (random) => ({ params: { project: 'demo', slug: random.pick(['app', 'docs']) } }),
  ],
];

const ofWrite: readonly Line[] = [
  [
    4,
    'POST /api/users/',
    (random) => {
      const { username = '' } = made(random);
      return { body: { ...person(username), is_bot: random.oneIn(2) } };
    },
  ],
  [
    3,
    'PUT /api/users/{username}/',
    (random) => {
      const params = random.pick([{ username: 'alice' }, { username: 'dave' }, made(random)]);
      return { params, body: person(params['username'] as string) };
    },
  ],
  [
    4,
    'PATCH /api/users/{username}/',
    // Carol is inactive now and then; her token is then rejected.
    (random) =>
      random.oneIn(3)
        ? { params: { username: 'carol' }, body: { is_active: random.oneIn(2) } }
        : { body: { full_name: `Name ${random.below(99)}` } },
  ],
  [
    3,
    'DELETE /api/users/{username}/',
    (random) => ({ params: random.pick([{ username: 'dave' }, { username: 'bob' }, made(random)]) }),
  ],
  [3, 'POST /api/users/{username}/groups/', membership],
  [3, 'DELETE /api/users/{username}/groups/', membership],
  [10, 'POST /api/users/{username}/notifications/', (random) => ({ body: subscription(random) })],
  [
    4,
    'PUT /api/users/{username}/notifications/{id}/',
    // Entries of scope 0; another scope would be rejected.
    (random) => ({
      params: random.pick([
        { username: 'alice', id: '1' },
        { username: 'j%C3%BCrgen', id: '163' },
      ]),
      body: { ...subscription(random), scope: 0 },
    }),
  ],
  [
    6,
    'PATCH /api/users/{username}/notifications/{id}/',
    (random) => ({
      params: entryOf(random),
      body: random.oneIn(2) ? { frequency: random.below(5) } : { notification: random.pick(notifications) },
    }),
  ],
  [4, 'DELETE /api/users/{username}/notifications/{id}/', (random) => ({ params: entryOf(random) })],
];

const named = '/_understudy/sandboxes/{name}';
const ofSandboxes: readonly Line[] = [
  [1, 'GET /_understudy/sandboxes'],
  [1, 'POST /_understudy/sandboxes', source],
  [2, `GET ${named}`],
  // A spare sandbox comes and goes beside the three; `learned.ts` knows its name.
  [
    1,
    `PUT ${named}`,
    (random) => ({ params: { name: random.pick(['spare', 'spare', 'one', 'two']) }, ...source(random) }),
  ],
  [
    1,
    `DELETE ${named}`,
    (random) => ({ params: { name: random.pick(['spare', 'spare', 'one', 'sandbox-made', 'sandbox-made']) } }),
  ],
  [3, `POST ${named}/reset`],
  [2, `GET ${named}/seed`, (random) => ({ query: random.pick(['', '?format=json']) })],
  [
    1,
    `PUT ${named}/seed`,
    (random) => ({ params: { name: random.pick(['one', 'two', 'spare']) }, body: random.pick(seeds) }),
  ],
  [4, `PUT ${named}/snapshots/{snapshot}`, newSnapshot],
  [1, `POST ${named}/snapshots/{snapshot}/restore`, snapshot],
  [2, `POST ${named}/tokens`, (random) => ({ body: { username: random.pick(['alice', 'admin', 'nobody']) } })],
  [2, `GET ${named}/faults`],
  [1, `PUT ${named}/faults`, (random) => ({ body: { seed: random.below(9), rules: [random.pick(rules)] } })],
  [2, `DELETE ${named}/faults`],
  [
    2,
    `GET ${named}/requests`,
    (random) => ({ query: random.pick(['', '?status=4xx&limit=5', '?path=/api/users/**']) }),
  ],
  [1, `DELETE ${named}/requests`],
  [1, 'GET /_understudy/health/live'],
  [1, 'GET /_understudy/health/ready'],
  [1, 'GET /healthz/'],
  [1, 'GET /_understudy/metrics'],
];

const as = (method: string, [, operation, make]: Line): Line => [1, operation.replace(/^[A-Z]+/, method), make];
const mirrored = [...ofRead, ...ofWrite];
const table: readonly Line[] = [
  ...mirrored,
  ...ofSandboxes,
  ...ofRead.map((line) => as('HEAD', line)),
  ...[...Map.groupBy(mirrored, ([, operation]) => operation.split(' ')[1])].flatMap(([, [first]]) =>
    first === undefined ? [] : [as('OPTIONS', first)],
  ),
];
const byWeight = table.flatMap((line) => Array.from({ length: line[0] }, () => line));

export function makeRight(random: Random): Right {
  const [, operation, make] = random.pick(byWeight);
  const { params = {}, query = '', body } = make?.(random) ?? {};
  const isOwn = !operation.includes(' /api/');
  const name = random.pick(sandboxes);
  const all: Parameters = {
    username: random.pick(['alice', 'bob', 'carol', 'dave', 'erin', 'admin', 'j%C3%BCrgen']),
    name: random.oneIn(12) ? 'spare' : name,
    ...params,
  };
  const pattern = operation.slice(operation.indexOf(' ') + 1);
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_whole, part: string) => all[part] ?? '') + query;
  const written = body === undefined ? {} : { body: write(random, body, isOwn) };
  if (isOwn) return { operation, path, headers: [], ...written };
  return { operation, ...address(random, name, path, all['username'] as string), ...written };
}

function address(random: Random, sandbox: string, path: string, username: string) {
  const whose = random.oneIn(4) && /^\w+$/.test(username) ? username : 'admin';
  const sample = `wlu_${whose}_public_sample_token_`.padEnd(40, '0');
  const way = random.pick(ways);
  const token = way === 'token' && sandbox !== 'default' ? `wlu_sandbox_${sandbox}_${whose}` : sample;
  const scheme = random.pick(['Token', 'Bearer']);
  return {
    place: { sandbox, way },
    path: way === 'prefix' ? `/sandboxes/${sandbox}${path}` : path,
    headers: [`Authorization: ${scheme} ${token}`, ...(way === 'header' ? [`X-Understudy-Sandbox: ${sandbox}`] : [])],
  };
}

function write(random: Random, body: unknown, isOwn: boolean): { type: string; text: string } {
  // JSON is YAML.
  if (isOwn) return { type: random.pick(['application/json', 'application/yaml']), text: JSON.stringify(body) };
  if (!random.oneIn(4)) return { type: 'application/json', text: JSON.stringify(body) };
  const pairs = Object.entries(body as Record<string, unknown>).map(([key, value]) => [key, String(value)]);
  return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(pairs).toString() };
}
