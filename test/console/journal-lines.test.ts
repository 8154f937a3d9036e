// The lines that the console offers to copy for a request: the curl line repeats it, and the assertions find it.
import { execFileSync, spawnSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { test } from 'tap';
import { asJavascript, asPython, matchFor, repeat } from '../../src/pages/console/traffic/repeat.ts';
import { checkValue } from '../../src/base/check-value.ts';
import { html } from '../../src/pages/html.ts';
import { RequestsFind } from '../../src/traffic/journal/expectations.ts';
import { keepBody, type KeptEntry } from '../../src/traffic/entry.ts';
import { compileMatch, type Match } from '../../src/traffic/match.ts';
import { parse } from '../support/markup.ts';
import { keptEntry } from '../support/kept-entry.ts';

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
  const script = [stub, ...repeated.map(({ line }) => throughPage(line))].join('\n');
  const calls = execFileSync('sh', { input: script, maxBuffer: 1e8 }).toString().split('\0\0').slice(0, -1);
  t.equal(calls.length, all.length);
  for (const [index, kept] of all.entries()) {
    const given = calls[index]?.split('\0') ?? [];
    const body = given[given.indexOf('--data-raw') + 1];
    if (!given.includes('--data-raw')) t.equal(kept.requestBody === null, repeated[index]?.missing.length === 0);
    else if (body !== kept.requestBody) t.equal(body, kept.requestBody);
  }
});
