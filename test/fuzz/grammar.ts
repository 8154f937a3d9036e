// Requests from a grammar, and mutations of their bytes. The same seed and number make the same request.
import { makeRandom, type Random } from './random.ts';
import { accepts, headers, methods, notifications, odd, oddMethods, tokens, types, users } from './words.ts';

export interface FuzzRequest {
  readonly method: string;
  /** What is written to the socket. */
  readonly bytes: Buffer;
  /** Whether the bytes are no longer as the grammar made them, so that the server may wait for more, or refuse to speak. */
  readonly isMutated: boolean;
}

export function makeRequest(seed: number, number: number): FuzzRequest {
  const random = makeRandom(seed, number);
  const method = random.pick(random.oneIn(10) ? oddMethods : methods);
  const body = ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method) && !random.oneIn(10) ? undefined : makeBody(random);
  const lines = [
    `${method} ${makePath(random)}${makeQuery(random)} HTTP/1.1`,
    `Host: ${random.oneIn(40) ? random.pick(['a b', 'x"y', 'understudy:8000', '[::1]:1']) : '127.0.0.1'}`,
    ...makeHeaders(random),
    ...(body === undefined
      ? []
      : [...(random.oneIn(15) ? [] : [`Content-Type: ${body.type}`]), `Content-Length: ${body.bytes.length}`]),
    'Connection: close',
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const bytes = body === undefined ? head : Buffer.concat([head, body.bytes]);
  const isMutated = random.oneIn(8);
  return { method, bytes: isMutated ? mutate(random, bytes) : bytes, isMutated: isMutated || isDelicate(lines) };
}

// Headers that are Node's own affair: it may wait for chunks, or take the connection for another protocol.
const isDelicate = (lines: readonly string[]) =>
  lines.some((line) => /^(?:Transfer-Encoding|Connection: upgrade)/.test(line));

function makePath(random: Random): string {
  const prefix = random.oneIn(12) ? `/sandboxes/${random.pick(['default', 'none', ...odd])}` : '';
  if (random.oneIn(9)) return prefix + makeOtherPath(random);
  const user = random.oneIn(8) ? part(random) : random.oneIn(2) ? 'alice' : random.pick(users);
  const list = `${prefix}/api/users/${user}/notifications/`;
  const path = random.below(5) < 2 ? list : `${list}${random.oneIn(5) ? part(random) : random.below(230)}/`;
  if (random.oneIn(25)) return path.slice(0, -1);
  return random.oneIn(40) ? path.replace(/\/$/, '.json') : path;
}

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
    // Alice and the superuser get somewhere; the others are refused.
    const token = random.oneIn(4) ? random.pick(tokens) : random.pick(tokens.slice(0, 2));
    lines.push(`Authorization: ${scheme} ${token}`);
  }
  if (random.oneIn(3))
    lines.push(`Accept: ${random.pick(accepts)}${random.oneIn(6) ? `, ${random.pick(accepts)}` : ''}`);
  while (random.oneIn(8)) lines.push(random.pick(headers).join(': '));
  return lines;
}

function makeBody(random: Random): { type: string; bytes: Buffer } {
  const kind = random.below(10);
  const type =
    kind < 6
      ? 'application/json'
      : kind < 8
        ? 'application/x-www-form-urlencoded'
        : kind < 9
          ? 'multipart/form-data; boundary=b'
          : random.pick(types);
  const text =
    kind < 6
      ? makeJson(random)
      : kind < 8
        ? makeForm(random)
        : kind < 9
          ? makeMultipart(random)
          : random.pick([makeJson, makeForm, makeMultipart])(random);
  const bytes = Buffer.from(random.oneIn(30) ? '' : text, random.oneIn(10) ? 'latin1' : 'utf8');
  return {
    type: random.oneIn(15) ? random.pick(types) : type,
    bytes: random.oneIn(12) ? mutate(random, bytes) : bytes,
  };
}

const fieldNames = [
  'notification',
  'scope',
  'frequency',
  'id',
  'project',
  'username',
  'email',
  'full_name',
  'is_active',
  'group_id',
  '__proto__',
  'constructor',
  '',
];

function makeValue(random: Random, depth = 0): string {
  if (depth < 3 && random.oneIn(12)) return `[${makeValue(random, depth + 1)}, ${makeValue(random, depth + 1)}]`;
  if (depth < 3 && random.oneIn(12)) return `{"${random.pick(fieldNames)}": ${makeValue(random, depth + 1)}}`;
  const texts = [
    '"10"',
    '""',
    '"\\u0000"',
    '"\\ud800"',
    '"\u{1F600}"',
    '"a\\"b"',
    JSON.stringify(random.pick(odd)),
    `"${'x'.repeat(2000)}"`,
  ];
  const numbers = [
    '0',
    '10',
    '20',
    '30',
    '40',
    '1',
    '2',
    '4',
    '-1',
    '-0',
    '1.0',
    '1e3',
    '1e999',
    '99999999999999999999',
  ];
  return random.pick([...numbers, ...texts, 'true', 'false', 'null']);
}

function makeJson(random: Random): string {
  if (random.oneIn(12))
    return random.pick([
      '',
      'null',
      '[]',
      '1',
      '"x"',
      '{',
      '{"a":}',
      '{"a":1,}',
      "{'a':1}",
      'NaN',
      '\uFEFF{}',
      '['.repeat(3000),
      '{"a":'.repeat(500),
    ]);
  const fields = [
    `"notification": ${random.oneIn(14) ? makeValue(random) : JSON.stringify(random.pick(notifications))}`,
    `"scope": ${random.oneIn(14) ? makeValue(random) : random.pick([0, 10, 20, 30])}`,
    `"frequency": ${random.oneIn(14) ? makeValue(random) : random.below(5)}`,
    ...(random.oneIn(3) ? [`"${random.pick(fieldNames)}": ${makeValue(random)}`] : []),
  ];
  return `{${fields.filter(() => !random.oneIn(14)).join(', ')}}`;
}

function makeForm(random: Random): string {
  const pairs = [
    `notification=${random.pick(notifications)}`,
    `scope=${random.pick(random.oneIn(6) ? odd : ['0', '10', '20', '30'])}`,
    `frequency=${random.pick(random.oneIn(6) ? odd : ['0', '1', '2'])}`,
    `${random.pick(fieldNames)}=${random.pick(odd)}`,
  ];
  return pairs.filter(() => !random.oneIn(14)).join('&');
}

function makeMultipart(random: Random): string {
  const parts = ['notification', 'scope', 'frequency', random.pick(fieldNames)].filter(() => !random.oneIn(4));
  const written = parts.map((name) => {
    const file = random.oneIn(8) ? '; filename="x.txt"\r\nContent-Type: text/plain' : '';
    return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${random.pick([...notifications, '0', '10', '1', ...odd])}\r\n`;
  });
  return `${written.join('')}${random.oneIn(8) ? '' : '--b--\r\n'}`;
}

/** Changes, drops, doubles or adds some bytes, one to four times. */
function mutate(random: Random, bytes: Buffer): Buffer {
  let mutated = bytes;
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(mutated.length + 1);
    const length = random.below(12);
    const [before, after] = [mutated.subarray(0, at), mutated.subarray(at)];
    const insert = random.pick([
      Buffer.from([random.below(256)]),
      Buffer.from(random.pick(odd)),
      Buffer.from([random.pick([0, 13, 10, 9, 0xff, 0xc3])]),
      before.subarray(Math.max(0, at - length)),
    ]);
    mutated = random.oneIn(3)
      ? Buffer.concat([before, after.subarray(length)])
      : Buffer.concat([before, insert, after]);
  }
  return mutated;
}
