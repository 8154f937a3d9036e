// Fixed requests: those that restore the sandboxes, and those that the grammar would rarely generate.
import { readFileSync } from 'node:fs';
import { sandboxes } from './operations.ts';

interface SetPiece {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body?: { readonly type: string; readonly bytes: Buffer };
  readonly operation?: string;
}

const own = '/_understudy/sandboxes';
const list = '/api/users/alice/notifications/';
const admin = ['Authorization: Token wlu_admin_public_sample_token_0000000000'];

function piece(method: string, target: string, text?: string, type = 'application/json', headers = admin): SetPiece {
  return { method, target, headers, ...(text === undefined ? {} : { body: { type, bytes: Buffer.from(text) } }) };
}

const sample = readFileSync(new URL('../../seeds/documented.yaml', import.meta.url), 'utf8');
const steps: readonly SetPiece[] = [
  { ...piece('PUT', `${own}/one`, '{"from":"documented"}'), operation: `PUT ${own}/{name}` },
  { ...piece('PUT', `${own}/two`, '{"from":"documented"}'), operation: `PUT ${own}/{name}` },
  { ...piece('PUT', `${own}/default/seed`, sample, 'application/yaml'), operation: `PUT ${own}/{name}/seed` },
  ...sandboxes.map((name) => ({
    ...piece('DELETE', `${own}/${name}/faults`),
    operation: `DELETE ${own}/{name}/faults`,
  })),
];

const [inside, outside] = ['/sandboxes/one/api/users', `${own}/one`];
/** Requests that write, at the same time, what a reset restores. */
const collision: readonly SetPiece[] = [
  piece('DELETE', `${inside}/alice/notifications/3/`),
  piece('PATCH', `${inside}/alice/notifications/2/`, '{"notification":"LastAuthorCommentNotificaton"}'),
  piece('POST', `${outside}/reset`),
  piece('POST', `${inside}/alice/notifications/`, '{"notification":"LockNotification","scope":0,"frequency":1}'),
  piece('POST', `${inside}/`, '{"username":"made-1","full_name":"x","email":"made-1@made.example"}'),
  piece('PATCH', `${inside}/alice/notifications/2/`, '{"notification":"LastAuthorCommentNotificaton"}'),
  piece('POST', `${outside}/reset`),
  piece('POST', `${inside}/dave/groups/`, '{"group_id":2}'),
  piece('POST', `${outside}/tokens`, '{"username":"alice"}'),
];

const every = 200;
const planned = new Map<number, SetPiece>([
  ...steps.entries(),
  // Makes room for one and two.
  [every - 30, piece('GET', own)],
  [every - 2, piece('DELETE', `${own}/sandbox-made`)],
  [every - 1, piece('DELETE', `${own}/sandbox-made`)],
  ...[...collision, ...collision, ...collision].map((made, i) => [every / 2 + i, made] as const),
]);

/** The number of requests that begin each run. */
export const upkeepSteps = steps.length;

/** Writes use the sample up, so it is restored regularly while other requests go on. */
export const upkeep = (number: number): SetPiece | undefined => planned.get(number % every);

/** Each causes one error of the catalogue. */
export const seldom: readonly SetPiece[] = [
  piece('POST', list, 'a=1&'.repeat(1100), 'application/x-www-form-urlencoded'),
  piece('POST', list, '--b\r\nnothing', 'multipart/form-data; boundary=b'),
  piece('POST', list, '{}', 'text/plain'),
  piece('POST', list, undefined, undefined, [...admin, 'Content-Length: 3000000']),
  piece('GET', list, undefined, undefined, [...admin, `X-Long: ${'x'.repeat(17_000)}`]),
  piece('GET', `${list}?page=77`),
  piece('PATCH', '/api/users/anonymous/', '{"full_name":"x"}'),
  piece('POST', '/api/users/', '{"username":"alice","email":"ALICE@example.com","full_name":" "}'),
  piece('POST', '/api/users/', `{"username":"${'x'.repeat(200)}","full_name":"\\u0000","email":null}`),
  piece('POST', '/api/users/', '{"username":"x","full_name":"\\ud800","email":"x"}'),
  piece('PATCH', '/api/projects/demo/', '{}'),
  piece('GET', '/api/users/', undefined, undefined, ['Authorization: Token wlu_carol_public_sample_token_0000000000']),
  piece('DELETE', `${own}/default`),
  piece('PUT', `${own}/all`, '{}'),
  piece('PUT', `${own}/spare`, '{"from":"nothing"}'),
  piece('PUT', `${own}/one/seed`, '{"users":[{"usernme":"x"}]}'),
  piece('PUT', `${own}/one/seed`, 'users: [', 'application/yaml'),
  piece('PUT', `${own}/one/faults`, '{"rules": {', 'application/yaml'),
  piece('PUT', `${own}/one/faults`, 'x', 'text/plain'),
  piece('POST', `${own}/one/snapshots/never/restore`),
  piece('POST', `${own}/one/tokens`, '{"username":"nobody"}'),
  piece('GET', own, undefined, undefined, ['Origin: http://evil.example']),
];
