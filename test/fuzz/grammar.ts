// Generates requests from a grammar and mutates their bytes. A seed and a number determine the request.
import { makeBody } from './bodies.ts';
import { mutate } from './mutate.ts';
import { makeRight, type Place, sandboxes } from './operations.ts';
import { makeRandom, type Random } from './random.ts';
import { seldom, upkeep } from './set-pieces.ts';
import { accepts, headers, methods, odd, oddMethods, tokens, users } from './words.ts';

export interface FuzzRequest {
  readonly method: string;
  /** Written to the socket. */
  readonly bytes: Buffer;
  /** Whether the bytes were mutated, so that the server may wait for more or close the connection. */
  readonly isMutated: boolean;
  /** As in the documents, for a request that can succeed; otherwise undefined. */
  readonly operation?: string | undefined;
  /** The sandbox that must answer if the request succeeds. */
  readonly place?: Place | undefined;
}

interface Draft {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body?: { readonly type: string; readonly bytes: Buffer } | undefined;
  readonly operation?: string | undefined;
  readonly place?: Place | undefined;
}

export function makeRequest(seed: number, number: number): FuzzRequest {
  const random = makeRandom(seed, number);
  const { method, target, headers: given, body, operation, place }: Draft = upkeep(number) ?? makeDraft(random);
  const isOurs = operation !== undefined;
  const host = !isOurs && random.oneIn(40) ? random.pick(['a b', 'x"y', 'understudy:8000', '[::1]:1']) : '127.0.0.1';
  const hasType = isOurs || !random.oneIn(15);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    ...given,
    ...(body === undefined
      ? []
      : [...(hasType ? [`Content-Type: ${body.type}`] : []), `Content-Length: ${body.bytes.length}`]),
    // The log names the request by this.
    ...(given.some((line) => line.startsWith('X-Request-Id')) ? [] : [`X-Request-Id: fuzz-${number}`]),
    'Connection: close',
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const bytes = body === undefined ? head : Buffer.concat([head, body.bytes]);
  // A mutated rule could delay for a minute, or close connections that no rule may close.
  const isMutated = !isOurs && random.oneIn(8) && !/"(?:connection|delay_ms)"/.test(bytes.toString('latin1'));
  return {
    method,
    operation,
    place,
    bytes: isMutated ? mutate(random, bytes) : bytes,
    isMutated: isMutated || isDelicate(lines),
  };
}

// Headers that Node handles itself: it may wait for chunks, switch protocols, or close the connection with unread bytes.
const isDelicate = (lines: readonly string[]) =>
  lines.some((line) => /^(?:Transfer-Encoding|Connection: upgrade|Content-Length: 3000000|X-Long)/.test(line));

function makeDraft(random: Random): Draft {
  if (random.below(5) < 2) return makeWild(random);
  const { operation, place, path: target, headers: lines, body } = makeRight(random);
  const [method = ''] = operation.split(' ');
  const draft = {
    method,
    target,
    headers: lines,
    body: body && { type: body.type, bytes: Buffer.from(body.text) },
  };
  return random.oneIn(4) ? { ...draft, ...spoil(random, draft) } : { ...draft, operation, place };
}

/** Errors introduced into a correct request. */
function spoil(random: Random, { target, headers: lines }: Draft): Partial<Draft> {
  return random.pick<() => Partial<Draft>>([
    () => ({ headers: makeHeaders(random) }),
    () => ({ headers: [...lines, random.pick(headers).join(': ')] }),
    () => ({ body: makeBody(random) }),
    () => ({ target: target.replace(/[^/?]+(?=\/?(?:\?|$))/, () => part(random)) }),
    () => ({ target: target.replace(/\?.*$/, '') + makeQuery(random) }),
    () => ({ method: random.pick([...methods, ...oddMethods]) }),
    () => random.pick(seldom),
  ])();
}

function makeWild(random: Random): Draft {
  const method = random.pick(random.oneIn(10) ? oddMethods : methods);
  const hasBody = !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method) || random.oneIn(10);
  return {
    method,
    body: hasBody ? makeBody(random) : undefined,
    target: makePath(random) + makeQuery(random),
    headers: makeHeaders(random),
  };
}

function makePath(random: Random): string {
  const name = random.oneIn(2) ? random.pick(sandboxes) : random.pick(['none', ...odd]);
  if (random.oneIn(9)) return `/_understudy/sandboxes/${name}${random.pick(ownPaths)}`;
  const prefix = random.oneIn(4) ? `/sandboxes/${name}` : '';
  if (random.oneIn(9)) return prefix + makeOtherPath(random);
  const user = random.oneIn(8) ? part(random) : random.oneIn(2) ? 'alice' : random.pick(users);
  const list = `${prefix}/api/users/${user}/notifications/`;
  const path = random.below(5) < 2 ? list : `${list}${random.oneIn(5) ? part(random) : random.below(230)}/`;
  if (random.oneIn(25)) return path.slice(0, -1);
  return random.oneIn(40) ? path.replace(/\/$/, '.json') : path;
}

const ownPaths = [
  '',
  '/',
  '/reset',
  '/seed',
  '/snapshots/s1',
  '/snapshots/%2f',
  '/snapshots/s1/restore',
  '/tokens',
  '/faults',
  '/requests',
];

const part = (random: Random): string => random.pick(odd) + (random.oneIn(4) ? random.pick(odd) : '');

function makeOtherPath(random: Random): string {
  const user = random.pick(users);
  return random.pick([
    '/',
    '//',
    '/api',
    '/api/',
    '/api/users',
    '/api/users/',
    `/api/users/${user}/`,
    `/api/users/${user}/groups/`,
    `/api/users/${user}/statistics/`,
    '/api/groups/',
    `/api/groups/${random.below(20)}/`,
    '/api/projects/demo/',
    '/api/components/demo/app/',
    '/api/units/',
    '/healthz/',
    '/_understudy/health/live',
    '/_understudy/health/ready',
    '/_understudy/nothing',
    '/_understudy/metrics',
    '/_understudy/sandboxes',
    `/${part(random)}`,
    `/api/${part(random)}/`,
    '*',
  ]);
}

function makeQuery(random: Random): string {
  const names = [
    'page',
    'page',
    'page_size',
    'page_size',
    'format',
    'username',
    'email',
    'id',
    'is_active',
    'x',
    ...odd,
  ];
  const values = ['1', '2', '3', 'last', '5', '50', '1000', 'json', 'csv', 'api', 'xml', ...odd];
  const pairs = Array.from(
    { length: random.oneIn(2) ? 0 : random.below(4) },
    () =>
      random.pick(names) +
      (random.oneIn(10) ? '' : `=${random.pick(values)}${random.oneIn(8) ? random.pick(odd) : ''}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join(random.oneIn(20) ? ';' : '&')}`;
}

function makeHeaders(random: Random): string[] {
  const lines: string[] = [];
  if (!random.oneIn(6)) {
    const scheme = random.oneIn(12)
      ? random.pick(['Basic', '', 'token', 'BEARER', 'Token  x', '\u00ff'])
      : random.pick(['Token', 'Bearer']);
    // Alice and the superuser have permissions; the others are refused.
    const token = random.oneIn(4) ? random.pick(tokens) : random.pick(tokens.slice(0, 2));
    lines.push(`Authorization: ${scheme} ${token}`);
  }
  if (random.oneIn(3))
    lines.push(`Accept: ${random.pick(accepts)}${random.oneIn(6) ? `, ${random.pick(accepts)}` : ''}`);
  while (random.oneIn(8)) lines.push(random.pick(headers).join(': '));
  return lines;
}
