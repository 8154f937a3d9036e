// A request of the journal is explained: why it got its answer, in its row and on its page, and the lines to copy: the curl line repeats
// it, the assertions find it.
import { curlLine } from '../../src/pages/curl.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { test } from 'tap';
import { checkValue } from '../../src/base/check-value.ts';
import { asJavascript, asPython, repeat } from '../../src/pages/console/traffic/exchange-page.ts';
import { html } from '../../src/pages/html.ts';
import { keepBody, type KeptEntry } from '../../src/traffic/entry.ts';
import { RequestsFind } from '../../src/traffic/journal/journal-schemas.ts';
import { compileMatch, type Match, matchFor } from '../../src/traffic/match.ts';
import { keptEntry } from '../support/kept-entry.ts';
import { parse } from '../support/markup.ts';
import { openConsole, type Shown, textsOf } from '../support/person.ts';
import { type Ask, type Service, startService } from '../support/service.ts';

const list = '/api/users/bob/notifications/';
const entry = { notification: 'RepositoryNotification', scope: 10, frequency: 1 };

async function lastIdOf(service: Service, sandbox: string): Promise<string | undefined> {
  const { json } = await service.request('GET', `/_understudy/sandboxes/${sandbox}/requests`);
  return (json as { requests: { id: string }[] }).requests.at(-1)?.id;
}

const showLast = async (service: Service, sandbox: string): Promise<Shown> =>
  openConsole(service).get(`console/${sandbox}/journal/${await lastIdOf(service, sandbox)}/`);
/** After the notices of the frame. */
const reasonOf = (page: Shown) => textsOf(page, '.notice').at(-1);

await test('an entry begins with the reason of its answer', async (t) => {
  const service = await startService(t, { rateLimits: { anonymous: 'off', user: '20/day' } });
  await service.request('PUT', '/_understudy/sandboxes/mine');
  await service.request('PUT', '/_understudy/sandboxes/other');
  const { json } = await service.request('POST', '/_understudy/sandboxes/other/tokens', { json: { username: 'bob' } });
  const { token } = json as { token: string };
  const person = openConsole(service);
  for (const [method, path, ask, reason] of [
    ['GET', '/sandboxes/mine/api/users/bob', {}, 'The path lacks its final slash; did you mean /api/users/bob/?'],
    ['GET', '/sandboxes/mine/api/changes/', {}, 'Weblate serves changes; Understudy doesn’t mirror that.'],
    ['GET', '/sandboxes/mine/api/user/bob/', {}, 'Nothing is served at this path; did you mean /api/users/bob/?'],
    ['GET', '/sandboxes/mine/api/xyz/bob/', {}, 'Nothing is served at this path.'],
    ['GET', '/sandboxes/mine/api/users/', { token }, 'The token is of the sandbox "other".'],
    [
      'GET',
      '/sandboxes/mine/api/users/',
      { token: 'wlu_x' },
      'No user of this sandbox has the token: it was made elsewhere, or is no longer valid.',
    ],
    ['DELETE', '/sandboxes/mine/api/users/bob/', {}, 'The request has no token.'],
    [
      'POST',
      '/sandboxes/mine/api/users/',
      { as: 'bob', json: {} },
      'Refused to bob: it takes a superuser, or a group with the permission user.edit.',
    ],
    [
      'GET',
      '/sandboxes/mine/api/users/bob/notifications/999/',
      { as: 'bob' },
      'Subscription 999 of bob: there is none, or none that bob may see.',
    ],
    [
      'GET',
      '/sandboxes/mine/api/projects/nowhere/',
      { as: 'bob' },
      'Project nowhere: there is none, or none that bob may see.',
    ],
    [
      'GET',
      '/sandboxes/mine/api/users/nobody/',
      {},
      'User nobody: there is none, or none that a request without a token may see.',
    ],
    ['PUT', '/sandboxes/mine/api/users/', { as: 'bob' }, 'The path takes GET, POST, HEAD, OPTIONS, and not PUT.'],
    [
      'POST',
      '/sandboxes/mine/api/users/bob/notifications/',
      { as: 'bob', json: { ...entry, scope: 7 } },
      'scope: "7" is not a valid choice.',
    ],
  ] as [string, string, Ask, string][]) {
    await service.request(method, path, ask);
    t.equal(reasonOf(await showLast(service, 'mine')), reason, `${method} ${path}`);
    t.match((await person.get('console/mine/journal/')).elements.map(({ text }) => text).join(), reason, 'its row too');
  }
  for (let n = 0; n < 21; n++) await service.request('GET', list, { as: 'bob' });
  t.match(reasonOf(await showLast(service, 'default')), /^The rate limit of 20 requests was reached: wait \d+ s\.$/);
  await service.request('PUT', '/_understudy/sandboxes/mine/faults', {
    json: { rules: [{ name: 'busy', status: 503 }] },
  });
  await service.request('GET', '/sandboxes/mine/api/');
  t.equal(reasonOf(await showLast(service, 'mine')), 'The fault rule busy struck this request.');
  for (const [path, reason] of [
    ['/sandboxes/mime/api/', 'No sandbox is named mime; did you mean mine?'],
    ['/users/bob/', 'Nothing is served at this path; did you mean /api/users/bob/?'],
    ['/sandboxes/mine/users/', 'Nothing is served at this path; did you mean /sandboxes/mine/api/users/?'],
  ] as const) {
    await service.request('GET', path);
    const [, ofRow] =
      /_understudy\/console\/all\/journal\/([0-9a-f]{8}-\d+)\//.exec((await person.get('console/all/journal/')).text) ??
      [];
    t.equal(reasonOf(await person.get(`console/all/journal/${ofRow}/`)), reason, path);
  }
});

// The lines that the console offers to copy for a request: the curl line repeats it, and the assertions find it.

const text = fc.string({ unit: 'binary', maxLength: 30 });
const bodies = fc.oneof(
  fc.json({ stringUnit: 'binary', maxDepth: 4 }),
  text,
  fc.constant('{"__proto__":{"a":"it\'s \\"x\\""},"":[],"\u2028":"\u202e"}'),
  fc.constant(`[${'"long", '.repeat(400)}1]`),
  fc.constant(`${'['.repeat(60)}${']'.repeat(60)}`),
);
const candidates: fc.Arbitrary<KeptEntry> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS'),
    path: fc.oneof(
      fc.webPath().map((path) => `/api${path}`),
      fc.constant(`/api/${'x'.repeat(300)}/`),
    ),
    query: fc.oneof(fc.constant(''), fc.webQueryParameters(), fc.constant('a=1&a=2&token=wlu_secret')),
    status: fc.constantFrom(0, 200, 201, 404, 503),
    body: fc.option(bodies, { nil: undefined }),
    contentType: fc.constantFrom(
      null,
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain; charset=utf-8',
    ),
    username: fc.option(fc.constantFrom('alice', 'zoë', `o'neill "x"`), { nil: undefined }),
  })
  .map(({ body, ...given }) => keptEntry({ ...given, requestBody: keepBody(body) }));

/** The text that a user copies from a page that shows the line. */
const throughPage = (line: string): string =>
  parse(html`<code>${line}</code>`.text)[0]?.text.replaceAll(/\r\n?/g, '\n') ?? '';

await test('the assertion in JavaScript finds the request', async (t) => {
  fc.assert(
    fc.property(candidates, (candidate) => {
      const line = throughPage(asJavascript(matchFor(candidate).match));
      const context = {
        found: '',
        box: { requests: { expect: (match: Match) => (context.found = JSON.stringify(match)) } },
      };
      runInNewContext(line.replace(/^await /, ''), context);
      const match = checkValue(RequestsFind, JSON.parse(context.found)) as Match;
      if (!compileMatch(match).fits(candidate)) throw new Error(`not found by ${line}`);
    }),
    { numRuns: 500 },
  );
  t.pass();
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

await test('an assertion in Python', { skip: !hasPython && 'there is no python3' }, async (t) => {
  const all = fc.sample(candidates, 200);
  const lines = all.map((candidate) => throughPage(asPython(matchFor(candidate).match)));
  const program = `
import json, sys
found = []
class sandbox:
    class requests:
        @staticmethod
        def expect(**match):
            found.append(match)
for line in json.load(sys.stdin):
    exec(line)
print(json.dumps(found))`;
  const matches = JSON.parse(
    execFileSync('python3', ['-c', program], { input: JSON.stringify(lines) }).toString(),
  ) as Match[];
  t.equal(matches.length, all.length);
  for (const [index, candidate] of all.entries())
    if (!compileMatch(checkValue(RequestsFind, matches[index])).fits(candidate)) t.fail(`not found by ${lines[index]}`);
});

await test('the curl line sends the request again', async (t) => {
  const stub = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; printf '\\0'; }`;
  const all = fc.sample(candidates, 200).filter(({ query }) => !/wlu_/.test(query));
  const repeated = all.map((kept) => repeat(kept, 'http://127.0.0.1:8000', 'wlu_x'));
  const script = [stub, ...repeated.map(({ request }) => throughPage(curlLine(request)))].join('\n');
  const calls = execFileSync('sh', { input: script, maxBuffer: 1e8 }).toString().split('\0\0').slice(0, -1);
  t.equal(calls.length, all.length);
  for (const [index, kept] of all.entries()) {
    const given = calls[index]?.split('\0') ?? [];
    const body = given[given.indexOf('--data-raw') + 1];
    if (!given.includes('--data-raw')) t.equal(kept.requestBody === null, repeated[index]?.missing.length === 0);
    else if (body !== kept.requestBody) t.equal(body, kept.requestBody);
  }
});
