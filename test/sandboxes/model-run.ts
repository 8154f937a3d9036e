// Random operations on three sandboxes of one service at once: each is answered as in its sandbox alone, and shows nothing
// of another one. A reset and a restore bring back what the sandbox held.
import * as fc from 'fast-check';
import type { Json } from '../transcripts/engine/raw-json.ts';
import { type Received, send } from '../transcripts/engine/send-request.ts';
import type { TranscriptRequest } from '../transcripts/engine/transcript.ts';

export const names = ['heron', 'otter', 'lynx'] as const;
type Name = (typeof names)[number];

const actors = ['admin', 'ann', 'bob'] as const;
const changing = ['new-1', 'new-2', 'New-1', 'ann', 'bob', 'eve'] as const;

interface Op {
  readonly kind: string;
  readonly way: 'prefix' | 'header' | 'token';
  readonly as: (typeof actors)[number] | 'nobody';
  readonly user: string;
  /** Never the administrator's, who reads what the others do. */
  readonly name: string;
  readonly entry: number;
  readonly group: number;
  readonly page: number;
  readonly values: { readonly notification: string; readonly scope: number; readonly frequency: number };
}

type Sent = readonly [method: string, path: string, json?: Json];

const userPath = (name: string) => `/api/users/${name}/`;
const list = ({ user }: Op) => `${userPath(user)}notifications/`;
const entry = (op: Op) => `${list(op)}${op.entry}/`;
const snapshot = ({ page }: Op) => `/_understudy/snapshots/s${page}`;
const personOf = (username: string, sandbox: Name) => ({
  username,
  full_name: `${username} of ${sandbox}`,
  email: `${username.toLowerCase()}@${sandbox}.example`,
});

/** Paths of the control API without their sandbox. */
const requests: Readonly<Record<string, (op: Op, sandbox: Name) => Sent>> = {
  'list users': ({ page }) => ['GET', `/api/users/?page=${page}&page_size=2`],
  'read user': ({ user }) => ['GET', userPath(user)],
  'create user': ({ name }, sandbox) => ['POST', '/api/users/', personOf(name, sandbox)],
  'change user': ({ name, page }) => ['PATCH', userPath(name), { full_name: `Changed ${page}`, is_active: page > 1 }],
  'rename user': ({ name, user }) => ['PATCH', userPath(name), { username: user }],
  'delete user': ({ name }) => ['DELETE', userPath(name)],
  join: ({ user, group }) => ['POST', `${userPath(user)}groups/`, { group_id: group }],
  leave: ({ user, group }) => ['DELETE', `${userPath(user)}groups/`, { group_id: group }],
  list: (op) => ['GET', `${list(op)}?page=${op.page}&page_size=4`],
  read: (op) => ['GET', entry(op)],
  create: (op) => ['POST', list(op), op.values],
  change: (op) => [op.page === 1 ? 'PUT' : 'PATCH', entry(op), op.values],
  delete: (op) => ['DELETE', entry(op)],
  reset: () => ['POST', '/_understudy/reset'],
  snapshot: (op) => ['PUT', snapshot(op)],
  restore: (op) => ['POST', `${snapshot(op)}/restore`],
  journal: () => ['GET', '/_understudy/requests'],
  export: () => ['GET', '/_understudy/seed?format=json'],
  sandbox: () => ['GET', '/_understudy'],
};
export const kinds = Object.keys(requests);

const anyOp = fc.record<Op>({
  kind: fc.constantFrom(...kinds, 'list', 'read', 'create', 'change', 'delete'),
  way: fc.constantFrom('prefix', 'header', 'token'),
  as: fc.constantFrom('admin', 'admin', 'admin', 'admin', 'ann', 'ann', 'bob', 'nobody'),
  user: fc.constantFrom(...actors, ...changing, 'unknown'),
  name: fc.constantFrom(...changing),
  entry: fc.integer({ min: 1, max: 12 }),
  group: fc.constantFrom(2, 3, 4, 99),
  page: fc.integer({ min: 1, max: 3 }),
  values: fc.record({
    notification: fc.constantFrom('LockNotification', 'NewAlertNotificaton', 'ToDoStringsNotification'),
    scope: fc.constantFrom(0, 10, 20),
    frequency: fc.nat({ max: 4 }),
  }),
});

/** Operations of each sandbox, in their order. */
function episodesOf(longest: number) {
  const ops = fc.array(anyOp, { minLength: 1, maxLength: longest, size: 'max' });
  return fc.noBias(fc.record({ heron: ops, otter: ops, lynx: ops }));
}

export type Ask = (sandbox: Name, way: Op['way'], request: TranscriptRequest) => Promise<Received>;

export interface ModelRun {
  readonly url: string;
  readonly seed: number;
  /** How many operations each sandbox gets, on average. */
  readonly operations: number;
  /** The most operations in one sequence; default 60. */
  readonly longest?: number;
  /** Plants a fault into the run of all sandboxes at once. */
  readonly plant?: (ask: Ask) => Ask;
  /** Time to look for a shorter sequence; default 10,000. */
  readonly shrinkMs?: number;
  readonly signal?: AbortSignal;
}

/** Returns as `fault` the shortest failing sequence that fast-check finds within `shrinkMs`. */
export async function runModel(options: ModelRun) {
  const { url, seed, operations, longest = 60, plant = (ask) => ask, shrinkMs = 10_000, signal } = options;
  const episodes = episodesOf(longest);
  const seen = new Map<string, number>();
  let done = 0;
  let fault: string | undefined;
  let endsAt = Infinity;
  const property = fc.asyncProperty(episodes, async (episode) => {
    if (signal?.aborted === true || performance.now() > endsAt) return;
    try {
      const alone: Record<string, readonly string[]> = {};
      const ask = await createAsk(url);
      for (const name of names) alone[name] = await runSandbox(name, episode[name], ask, seen);
      const together = plant(await createAsk(url));
      const runs = await Promise.allSettled(
        names.map((name) => runSandbox(name, episode[name], together, seen, alone[name])),
      );
      for (const run of runs) if (run.status === 'rejected') throw run.reason;
    } catch (error) {
      fault = (error as Error).message;
      endsAt = Math.min(endsAt, performance.now() + shrinkMs);
      throw error;
    }
  });
  const isOver = () => done >= operations || fault !== undefined || signal?.aborted === true;
  for (let run = 0; !isOver(); run++) {
    const runSeed = seed ^ Math.imul(run, 0x9e3779b1);
    const [episode] = fc.sample(episodes, { seed: runSeed, numRuns: 1 });
    const { failed, errorInstance } = await fc.check(property, { seed: runSeed, numRuns: 1 });
    if (failed) fault ??= String(errorInstance);
    done += names.reduce((sum, name) => sum + (episode?.[name].length ?? 0), 0) / names.length;
  }
  for (const name of names) await call(url, 'DELETE', name).catch(() => undefined);
  return { fault, seen, operations: done };
}

const call = (url: string, method: string, name: string, json?: Json) =>
  send(
    { method, path: `/_understudy/sandboxes/${name}`, ...(json !== undefined && { json }) },
    { baseUrl: url, tokens: new Map() },
  );

const tokenOf = (sandbox: Name, actor: string): string => `wlu_${actor}_${sandbox}_`.padEnd(40, '0');

const seedOf = (sandbox: Name): Json => ({
  // Another year in each sandbox.
  now: `1${sandbox.codePointAt(0)}-02-03T04:05:06Z`,
  groups: [
    { id: 2, name: 'Viewers', automatic: true },
    { id: 3, name: 'Users', automatic: true },
    { id: 4, name: `Friends of ${sandbox}` },
  ],
  users: actors.map((actor) => ({
    ...personOf(actor, sandbox),
    is_superuser: actor === 'admin',
    token: tokenOf(sandbox, actor),
    subscriptions: [{ notification: 'LockNotification', scope: 'watched' }],
  })),
});

/** Recreates the sandboxes, and returns a function that sends a request to one of them. */
async function createAsk(url: string): Promise<Ask> {
  const made = names.map(async (name) => {
    const { status, body } = await call(url, 'PUT', name, { seed: seedOf(name) });
    if (status !== 201) throw new Error(`${name} was not made: ${status} ${body}`);
    const { users } = JSON.parse(body) as { users: { username: string; token: string }[] };
    return [name, new Map(users.map(({ username, token }) => [username, token]))] as const;
  });
  const own = new Map(await Promise.all(made));
  return (name, way, { path, ...request }) => {
    const tokens = new Map(actors.map((actor) => [actor, tokenOf(name, actor)]));
    if (path.startsWith('/_understudy'))
      return send(
        { ...request, path: path.replace('/_understudy', `/_understudy/sandboxes/${name}`) },
        { baseUrl: url, tokens },
      );
    if (way === 'token' && request.as !== undefined)
      return send({ ...request, path }, { baseUrl: url, tokens: own.get(name) ?? tokens });
    if (way === 'header')
      return send({ ...request, path, headers: { 'X-Understudy-Sandbox': name } }, { baseUrl: url, tokens });
    return send({ ...request, path: `/sandboxes/${name}${path}` }, { baseUrl: url, tokens });
  };
}

/**
 * Sends the operations in order; after each write, reads what the administrator sees. Returns the answers.
 *
 * @param expected the answers to the same operations
 * @throws Error that names the first wrong answer, and lists the operations as far as they were sent
 */
async function runSandbox(
  name: Name,
  ops: readonly Op[],
  ask: Ask,
  seen: Map<string, number>,
  expected?: readonly string[],
): Promise<string[]> {
  const sent: string[] = [];
  const answers: string[] = [];
  const exchange = async (way: Op['way'], request: TranscriptRequest): Promise<string> => {
    let answer = await ask(name, way, request);
    // Too many exports at once.
    while (answer.status === 503) answer = await ask(name, way, request);
    const stranger = names.find((other) => other !== name && JSON.stringify(answer).includes(other));
    const said = `${answer.status} ${shown(request.path, answer.body)}`.trim();
    const wanted = expected?.[answers.length] ?? said;
    answers.push(said);
    const wrong = stranger === undefined ? said !== wanted && `instead of ${wanted}` : `with something of ${stranger}`;
    if (wrong !== false) fail(request, `is answered ${said} ${wrong}`);
    return said;
  };
  const fail = ({ method, path }: TranscriptRequest, what: string) => {
    throw new Error([`${method} ${path} in ${name} ${what}`, ...sent].join('\n'));
  };
  const read = (path: string, way: Op['way'] = 'prefix') => exchange(way, { method: 'GET', path, as: 'admin' });
  const held = async () => {
    const ofUsers = ['ann', 'bob'].map((user) => `${userPath(user)}notifications/`);
    const all: string[] = [];
    for (const path of ['/api/users/?page_size=1000', ...ofUsers]) all.push(await read(path));
    return all.join('\n');
  };
  /** What the sandbox must hold after a request to the path. */
  const kept = new Map([['/_understudy/reset', await held()]]);
  for (const op of ops) {
    const [method, path, json] = requests[op.kind]!(op, name);
    const request = { method, path, ...(op.as !== 'nobody' && { as: op.as }), ...(json !== undefined && { json }) };
    sent.push(JSON.stringify({ way: op.way, ...request }));
    const status = Number.parseInt(await exchange(op.way, request));
    for (const key of [`${op.kind} ${status}`, op.way]) seen.set(key, (seen.get(key) ?? 0) + 1);
    if (op.kind === 'snapshot') kept.set(`${path}/restore`, await held());
    if (kept.has(path) && kept.get(path) !== (await held())) fail(request, `does not bring back what was there`);
    if (method === 'GET') continue;
    for (const rest of ['/api/users/?page_size=1000', `${list(op)}?page_size=1000`]) await read(rest, op.way);
  }
  return answers;
}

/** The body without what differs each time: moments, durations, ids of requests, and tokens. */
function shown(path: string, body: string): string {
  if (path === '/_understudy') {
    const { snapshots, users } = JSON.parse(body) as { snapshots: string[]; users: { username: string }[] };
    return JSON.stringify([snapshots, users.map(({ username }) => username)]);
  }
  if (path !== '/_understudy/requests') return body;
  const { requests: all } = JSON.parse(body) as { requests: Record<string, Json>[] };
  return JSON.stringify(all.map(({ method, path: to, query, status }) => [method, to, query, status]));
}
