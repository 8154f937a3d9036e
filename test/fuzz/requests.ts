// Requests of a run: steps in one of three sandboxes, requests to the control API, and both kinds spoilt.
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { TranscriptRequest } from '../transcripts/engine/transcript.ts';
import { steps } from '../generator/steps.ts';
import { weighted } from '../generator/weighted.ts';
import type { World } from '../generator/world.ts';
import { controlSteps } from './control-steps.ts';
import { address, type Place, sandboxes, ways } from './sandboxes.ts';

export interface FuzzRequest {
  /** As declared: `GET /api/users/:username/`; undefined for a spoilt or raw request. */
  readonly operation?: string | undefined;
  /** The sandbox that must answer if the request succeeds. */
  readonly place?: Place | undefined;
  readonly request: TranscriptRequest;
  /** Sent as bytes with these changes; the server may then wait for more, or close the connection. */
  readonly raw?: { readonly lines: readonly string[]; readonly mutations: readonly Mutation[] };
}

interface Mutation {
  /** Where the change begins, in thousandths of the bytes. */
  readonly at: number;
  readonly cut: number;
  readonly insert: string;
}

/** Parts of a path that have broken software before. */
const odd =
  String.raw`. .. %2e%2e %00 %0a %0d%0a % %zz %c3 %ff%fe %ed%a0%80 %f0%9f%98%80 %2f %5c %25 ' " <script> {{7*7}} __proto__
  2147483648 %D9%A1 ;a=1 * ~ ${'x'.repeat(300)}`.split(/\s+/);
const otherPaths =
  `/ // /api/units/ /healthz /favicon.ico /api/schema/ /api/docs/ /_understudy/ /sandboxes/ /%61pi/users/
  /_understudy/nothing /_understudy/schema/ /_understudy/docs/ /sandboxes/none/api/`.split(/\s+/);
const oddHeaders: readonly (readonly [string, string])[] = [
  ['X-Understudy-Sandbox', 'none'],
  ['X-Understudy-Sandbox', '\u00e4 %00 "'],
  ['X-Forwarded-Host', 'evil"<example'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Host', 'x"y'],
  ['Host', '[::1]:1'],
  ['If-None-Match', '*'],
  ['Range', 'bytes=0-1'],
  ['Content-Encoding', 'gzip'],
  ['Content-Type', '\u00ff/\u00ff'],
  ['Accept', `text/${'x'.repeat(200)}`],
  ['Accept-Language', 'de'],
  ['Cookie', 'a=b'],
  ['Origin', 'http://evil.example'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['X-Request-Id', 'x'.repeat(500)],
  ['Authorization', `Token ${'x'.repeat(4000)}`],
];
/** Header lines after which the server answers without reading on, or waits for more. */
const oddLines = `Transfer-Encoding: chunked|Connection: upgrade|Content-Length: -1|Host: a b|X|
  |: x|X : y|Expect: 100-continue|Expect: x|X-Long: ${'x'.repeat(17_000)}`.split(/\|\s*/);
const json = 'application/json';
const oddBodies: readonly (readonly [type: string, raw: string, length?: string])[] = [
  ['application/x-www-form-urlencoded', 'a=1&'.repeat(1100)],
  ['multipart/form-data; boundary=b', '--b\r\nnothing'],
  [`multipart/form-data; boundary=${'b'.repeat(300)}`, 'x'],
  [json, '['.repeat(3000)],
  [json, '{"a":'.repeat(500)],
  [json, `{"scope":${'9'.repeat(5000)}}`],
  [json, '{', '3000000'],
  ['application/json; charset=utf-16', '{}'],
  ['application/json; charset=base64', '{}'],
];

type Change = (request: TranscriptRequest) => TranscriptRequest;

const withHeader =
  (name: string, value: string): Change =>
  ({ headers, ...request }) => ({ ...request, headers: { ...headers, [name]: value } });

const spoils: Arbitrary<Change> = weighted(
  [3, fc.constantFrom(...oddHeaders).map(([name, value]) => withHeader(name, value))],
  [
    2,
    fc.constantFrom(...odd).map((part): Change => (request) => ({
      ...request,
      path: request.path.replace(/[^/?]+(?=\/?(?:\?|$))/, () => part),
    })),
  ],
  [
    1,
    fc.constantFrom(...otherPaths).map((path): Change => (request) => ({ ...request, path })),
  ],
  [
    1,
    fc.constantFrom('PROPFIND', 'QUERY', 'PURGE').map((method): Change => (request) => ({
      ...request,
      method,
    })),
  ],
  // To this path an admin may post: the service refuses nothing before it has read the body.
  [
    1,
    fc.constantFrom(...oddBodies).map(([type, raw, length]): Change => (request) => {
      const headers = { 'Content-Type': type, ...(length !== undefined && { 'Content-Length': length }) };
      const path = request.path.replace(/\/api\/.*$/, '/api/users/');
      return { method: 'POST', path, as: 'admin', raw, headers };
    }),
  ],
);

const mutations: Arbitrary<Mutation> = fc.record({
  at: fc.nat({ max: 1000 }),
  cut: fc.oneof(fc.constant(0), fc.nat({ max: 12 })),
  insert: fc.oneof(
    fc.constant(''),
    fc.nat({ max: 255 }).map((code) => String.fromCodePoint(code)),
    fc.constantFrom('\0', '\r', '\n', '\r\n', '\r\n\r\n', '\t', ' ', '\u00ff', '\u00c3', 'GET / HTTP/1.1\r\n', ...odd),
  ),
});

export function requests(world: World): Arbitrary<FuzzRequest> {
  const placed = fc
    .tuple(steps(world), fc.constantFrom(...sandboxes), fc.constantFrom(...ways))
    .map(([{ operation, request }, sandbox, way]): FuzzRequest => {
      // Without a user's token, something else has to name the sandbox.
      const place = { sandbox, way: request.as === undefined && way === 'token' ? ('prefix' as const) : way };
      return { operation, place, request: address(place, request) };
    });
  const control: Arbitrary<FuzzRequest> = controlSteps(world);
  const any = weighted([5, placed], [1, control]);
  const spoilt = fc.tuple(any, spoils).map(([{ request }, spoil]): FuzzRequest => ({ request: spoil(request) }));
  // A changed rule could delay for a minute, or close connections that no rule may close.
  const harmless = any.filter(({ request }) => !request.path.endsWith('/faults'));
  const raw = fc
    .tuple(
      harmless,
      fc.array(fc.constantFrom(...oddLines), { maxLength: 1 }),
      fc.array(mutations, { maxLength: 4 }),
      fc.option(fc.constantFrom('get', 'FOO', 'CONNECT'), { nil: undefined, freq: 12 }),
    )
    .map(([{ request }, lines, changes, method = request.method]): FuzzRequest => ({
      request: { ...request, method },
      raw: { lines, mutations: changes },
    }));
  return weighted([56, placed], [34, control], [6, spoilt], [4, raw]);
}

/** The requests of one batch, which starts from the generator's world. */
export const batches = (world: World, longest: number): Arbitrary<readonly FuzzRequest[]> =>
  fc.noBias(fc.array(requests(world), { minLength: 1, maxLength: longest, size: 'max' }));
