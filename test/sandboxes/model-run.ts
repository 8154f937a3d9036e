// Random operations on three sandboxes of one service at once: each answer, and each sandbox's content, is that of its
// own model, and shows nothing of another sandbox.
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Json } from '../transcripts/engine/raw-json.ts';
import { type Received, send } from '../transcripts/engine/send-request.ts';
import type { TranscriptRequest } from '../transcripts/engine/transcript.ts';
import * as model from './model.ts';
import { predict, type Predicted } from './predict.ts';

export const names = ['heron', 'otter', 'lynx'] as const;
type Name = (typeof names)[number];

export type Ask = (sandbox: Name, way: model.Op['way'], request: TranscriptRequest) => Promise<Received>;

export interface ModelRun {
  readonly url: string;
  readonly seed: number;
  /** In each sandbox, on average. */
  readonly operations: number;
  /** The most operations in one sequence; default 60. */
  readonly longest?: number;
  /** Plants a fault. */
  readonly plant?: (ask: Ask) => Ask;
  /** Time to look for a shorter sequence; default 10,000. */
  readonly shrinkMs?: number;
  readonly signal?: AbortSignal;
}

const anyOp: Arbitrary<model.Op> = fc.record<model.Op>({
  kind: fc.constantFrom(...model.kinds),
  way: fc.constantFrom('prefix', 'header', 'token'),
  as: fc.constantFrom('admin', 'admin', 'admin', 'admin', 'ann', 'ann', 'bob', 'nobody'),
  user: fc.nat({ max: 40 }),
  entry: fc.nat({ max: 11 }),
  name: fc.constantFrom('new-1', 'new-2', 'New-1', 'ann', 'bob', 'eve'),
  notification: fc.nat({ max: model.notifications.length - 1 }),
  scope: fc.constantFrom(...model.scopes),
  frequency: fc.nat({ max: 4 }),
  page: fc.integer({ min: 1, max: 3 }),
});

/** Operations of each sandbox, in their order. */
function episodesOf(longest: number) {
  const ops = fc.array(anyOp, { minLength: 1, maxLength: longest, size: 'max' });
  return fc.noBias(fc.record({ heron: ops, otter: ops, lynx: ops }));
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
    const ask = plant(await createAsk(url));
    const found = await Promise.all(names.map((name) => runSandbox(name, episode[name], ask, seen)));
    const [first] = found.filter((one) => one !== undefined);
    if (first === undefined) return;
    fault = first;
    endsAt = Math.min(endsAt, performance.now() + shrinkMs);
    throw new Error(first);
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

/** Recreates the sandboxes, and returns a function that sends a request to one of them. */
async function createAsk(url: string): Promise<Ask> {
  const made = names.map(async (name) => {
    const { status, body } = await call(url, 'PUT', name, { seed: model.seedOf(model.createModel(name)) });
    if (status !== 201) throw new Error(`${name} was not made: ${status} ${body}`);
    const { users } = JSON.parse(body) as { users: { username: string; token: string }[] };
    return [name, new Map(users.map(({ username, token }) => [username, token]))] as const;
  });
  const own = new Map(await Promise.all(made));
  return (name, way, { path, ...request }) => {
    const tokens = new Map(model.actors.map((actor) => [actor, model.tokenOf(name, actor)]));
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

/** Sends one operation after the other; returns a description of the first wrong answer. */
async function runSandbox(name: Name, given: readonly model.Op[], ask: Ask, seen: Map<string, number>) {
  const state = model.createModel(name);
  const sent: string[] = [];
  const check = async (way: model.Op['way'], { request, status, body }: Predicted) => {
    let answer = await ask(name, way, request);
    // Too many exports at once.
    while (answer.status === 503) answer = await ask(name, way, request);
    const what = `${request.method} ${request.path}`;
    const stranger = names.find((other) => other !== name && JSON.stringify(answer).includes(other));
    const got = project(what, answer, body);
    const wrong =
      stranger !== undefined
        ? `holds something of ${stranger}: ${answer.body}`
        : answer.status !== status
          ? `is answered ${answer.status} instead of ${status}: ${answer.body}`
          : body !== undefined && !isDeepStrictEqual(got, body)
            ? `holds ${JSON.stringify(got)} instead of ${JSON.stringify(body)}`
            : undefined;
    return wrong && [`${what} in ${name} ${wrong}`, ...sent].join('\n');
  };
  for (const op of given) {
    const predicted = predict(state, op);
    sent.push(JSON.stringify({ way: op.way, ...predicted.request }));
    const wrong =
      (await check(op.way, predicted)) ?? (predicted.request.method === 'GET' ? undefined : await checkRest(op));
    if (wrong !== undefined) return wrong;
    for (const key of [`${op.kind} ${predicted.status}`, op.way]) seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return undefined;

  /** All users, and the subscriptions of one, as the administrator sees them. */
  async function checkRest({ user, way }: model.Op): Promise<string | undefined> {
    const users = model.sortedUsers(state);
    const { id, username } = users[user % users.length] as (typeof users)[number];
    for (const [path, results] of [
      ['/api/users/?page_size=1000', users.map((one): Json => ({ ...one, groups: [...one.groups] }))],
      [`/api/users/${username}/notifications/?page_size=1000`, model.listSubscriptions(state.now, id)],
    ] as const) {
      state.journal.push(`GET ${path} 200`);
      const body = { count: results.length, next: false, previous: false, results: [...results] };
      const wrong = await check(way, { request: { method: 'GET', path, as: 'admin' }, status: 200, body });
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
}

type Members = { readonly [name: string]: Json };

/** The parts of an answer that the model predicts. */
function project(what: string, { body }: Received, wanted: Json | undefined): Json | undefined {
  if (wanted === undefined) return undefined;
  try {
    const json = JSON.parse(body) as never;
    if (what.endsWith('/requests'))
      return (json as { requests: Members[] }).requests.map(
        ({ method, path, query, status }) =>
          `${method as string} ${path as string}${query === '' ? '' : `?${query as string}`} ${status as number}`,
      );
    if (what.includes('/seed')) return (json as { users: Members[] }).users.map(exportedUser);
    if (what.endsWith('/_understudy')) {
      const { name, snapshots, users } = json as { name: string; snapshots: string[]; users: { username: string }[] };
      return { name, snapshots, users: users.map(({ username }) => username) };
    }
    return pick(json, wanted);
  } catch {
    return body;
  }
}

const exportedUser = ({ id, username, full_name, email, subscriptions = [] }: Members): Json => ({
  id: id as Json,
  username: username as Json,
  full_name: full_name as Json,
  email: email as Json,
  subscriptions: (subscriptions as Members[]).map(
    (each) => `${each['id'] as number} ${each['notification'] as string} ${each['scope'] as string}`,
  ),
});

/** Keeps the expected members. A link to another page becomes whether there is one, and groups become their ids. */
function pick(json: Json, wanted: Json): Json {
  if (Array.isArray(json) && Array.isArray(wanted))
    return json.map((item, index) => pick(item, wanted[index] ?? wanted[0] ?? {}));
  if (!isMembers(json) || !isMembers(wanted)) return json;
  const members = Object.keys(wanted).map((name) => {
    const value = json[name] ?? null;
    if (name === 'next' || name === 'previous') return [name, value !== null] as const;
    if (name === 'groups') return [name, (value as string[]).map((url) => Number(/(\d+)\/$/.exec(url)?.[1]))] as const;
    return [name, pick(value, wanted[name] ?? null)] as const;
  });
  return Object.fromEntries(members);
}

const isMembers = (value: Json): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
