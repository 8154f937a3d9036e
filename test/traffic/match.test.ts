// The matcher of fault rules and of the journal: what matches, and which difference it reports.
import * as fc from 'fast-check';
import { test } from 'tap';
import { keepBody, type KeptEntry } from '../../src/traffic/entry.ts';
import { createJournal } from '../../src/traffic/journal/journal.ts';
import { compareBody, compileMatch, type Match } from '../../src/traffic/match.ts';
import { maxPathLength, pathPattern } from '../../src/traffic/path-pattern.ts';
import { entriesOf, keptEntry } from '../support/kept-entry.ts';
import { startService } from '../support/service.ts';

interface Sent extends Partial<KeptEntry> {
  readonly username?: string;
  readonly body?: string;
  readonly type?: string;
}

const candidate = ({ body, type, ...given }: Sent): KeptEntry =>
  keptEntry({
    method: 'POST',
    path: '/api/users/alice/notifications/',
    status: 201,
    requestBody: keepBody(body),
    contentType: type,
    ...given,
  });

const differences = (match: Match, sent: Sent) => compileMatch(match).findDifferences(candidate(sent));

await test('a request matches if every key fits', async (t) => {
  const form = 'application/x-www-form-urlencoded';
  const multipart = 'multipart/form-data; boundary=x';
  const parts = '--x\r\nContent-Disposition: form-data; name="scope"\r\n\r\n10\r\n--x--\r\n';
  for (const [match, sent, expected] of [
    [{}, {}, true],
    [{ method: 'post' }, {}, true],
    [{ method: 'GET' }, {}, false],
    [{ method: ['get', 'post'] }, {}, true],
    [{ method: ['GET', 'PUT'] }, {}, false],
    [{ path: '/api/users/*/notifications/' }, {}, true],
    [{ path: '/api/users/*/' }, {}, false],
    [{ user: 'ALICE' }, { username: 'alice' }, true],
    [{ user: 'alice' }, {}, false],
    [{ user: null }, {}, true],
    [{ user: null }, { username: 'alice' }, false],
    [{ user: null }, { hasToken: true }, false],
    [{ headers: { 'Content-Type': 'JSON' } }, { type: 'application/json' }, true],
    [{ headers: { 'content-type': 'xml' } }, { type: 'application/json' }, false],
    [{ headers: { accept: '' } }, { type: 'application/json' }, false],
    [{ status: 201 }, {}, true],
    [{ status: '2xx' }, {}, true],
    [{ status: '4XX' }, {}, false],
    [{ status: 0 }, { status: 0 }, true],
    [{ unmatched: false }, {}, true],
    [{ unmatched: true }, {}, false],
    [{ fault: 'busy' }, { fault: 'busy' }, true],
    [{ fault: 'busy' }, {}, false],
    [{ query: 'ge=2' }, { query: 'page=2' }, true],
    [{ query: { page: 2 } }, { query: 'page=2' }, true],
    [{ query: { page: '2' } }, { query: 'page=1&page=2&x=%' }, true],
    [{ query: { q: 'a b', ü: 'é' } }, { query: 'q=a+b&%C3%BC=%c3%a9' }, true],
    [{ query: { page: '2' } }, { query: 'page=22' }, false],
    [{ query: { page: ['2', 1] } }, { query: 'page=1&page=2' }, true],
    [{ query: { page: ['2', 1] } }, { query: 'page=2&page=3' }, false],
    [{ query: { page: [true] } }, { query: '' }, false],
    [{ query: { page: '' } }, { query: 'page' }, true],
    [{ query: { page: '' } }, { query: '' }, false],
    [{ body: { scope: 10 } }, { body: '{"scope":10,"frequency":1}' }, true],
    [{ body: { scope: 10 } }, { body: '{"scope":"10"}' }, false],
    [{ body: {} }, { body: '{"scope":10}' }, true],
    [{ body: {} }, { body: '[]' }, false],
    [{ body: {} }, {}, false],
    [{ body: null }, { body: 'null' }, true],
    [{ body: null }, {}, false],
    [{ body: { a: null } }, { body: '{}' }, false],
    [{ body: [{ a: 1 }, 2] }, { body: '[{"a":1,"b":2},2]' }, true],
    [{ body: [1] }, { body: '[1,2]' }, false],
    [{ body: 'plain' }, { body: 'plain' }, true],
    [{ body: { scope: '10', q: 'a b' } }, { body: 'scope=10&q=a+b&x=1', type: form }, true],
    [{ body: { scope: '10' } }, { body: 'scope=10', type: `${form}; charset=utf-8` }, true],
    [{ body: { scope: '10' } }, { body: 'scope=10', type: `${form}; x=${'x'.repeat(300)}` }, false],
    [{ body: { scope: 10 } }, { body: 'scope=10', type: form }, false],
    [{ body: { scope: '2' } }, { body: 'scope=1&scope=2', type: form }, true],
    [{ body: { scope: '10' } }, { body: parts, type: multipart }, true],
    [{ body: { scope: '10' } }, { body: parts, type: 'multipart/form-data' }, false],
    [{ body: JSON.parse('{"__proto__":{"a":1}}') }, { body: '{"__proto__":{"a":1}}' }, true],
    [{ body: JSON.parse('{"__proto__":{}}') }, { body: '{}' }, false],
    [{ body: { toString: {} } }, { body: '{}' }, false],
  ] as const satisfies readonly (readonly [Match, Sent, boolean])[])
    t.equal(compileMatch(match).fits(candidate(sent)), expected, `${JSON.stringify(match)} ${JSON.stringify(sent)}`);
});

await test('each difference is reported', async (t) => {
  const match = {
    method: 'POST',
    path: '/api/x/',
    user: 'bob',
    query: { page: 2 },
    headers: { Accept: 'json', 'Content-Type': 'yaml' },
    body: { scope: 10, a: { b: [1] } },
  };
  const sent = {
    method: 'PUT',
    username: 'alice',
    query: 'page=1&page=3',
    type: 'application/json',
    body: '{"scope":"10","a":{"b":[2]}}',
  };
  const all = [
    { field: 'method', expected: 'POST', received: 'PUT' },
    { field: 'path', expected: '/api/x/', received: '/api/users/alice/notifications/' },
    { field: 'user', expected: 'bob', received: 'alice' },
    { field: 'query.page', expected: '2', received: ['1', '3'] },
    { field: 'headers.accept', expected: 'json' },
    { field: 'headers.content-type', expected: 'yaml', received: 'application/json' },
    { field: 'body.scope', expected: 10, received: '10' },
    { field: 'body.a.b[0]', expected: 1, received: 2 },
  ];
  for (const [given, count] of [
    [{}, 0],
    [{ method: 'POST' }, 1],
    [{ path: '/api/x/' }, 2],
    [{ username: 'bob' }, 3],
    [{ query: 'page=2' }, 4],
    [{ request_headers: { accept: 'text/json', 'content-type': 'application/yaml' } }, 6],
    [{ body: '{"scope":10,"a":{"b":[2]}}' }, 7],
    [{ body: '{"scope":10,"a":{"b":[1]}}' }, 8],
  ] as const)
    t.strictSame(differences(match, Object.assign(sent, given)), all.slice(count));
  t.strictSame(differences({ query: { page: 2 } }, {}), [{ field: 'query.page', expected: '2' }]);
  t.strictSame(differences({ body: { scope: 10 } }, { body: '{}' }), [{ field: 'body.scope', expected: 10 }]);
  t.strictSame(differences({ user: 'bob' }, { hasToken: true }), [
    { field: 'user', expected: 'bob', received: null, reason: 'No user had the token.' },
  ]);
  t.strictSame(differences({ body: { a: 1 } }, { body: '{"a":' }), [
    { field: 'body', expected: { a: 1 }, received: '{"a":' },
  ]);
  t.strictSame(differences({ method: ['get', 'Put'], query: { a: [1, 2] } }, { query: 'a=2' }), [
    { field: 'method', expected: ['GET', 'PUT'], received: 'POST' },
    { field: 'query.a', expected: ['1', '2'], received: '2' },
  ]);
});

await test('a dropped body may have matched', async (t) => {
  const lost = { hadBody: true, areBodiesDropped: true };
  const { fits, mayHaveFitted, findDifferences } = compileMatch({ method: 'POST', body: { a: 1 } });
  t.strictSame([fits(candidate(lost)), mayHaveFitted(candidate(lost))], [false, true]);
  t.match(findDifferences(candidate(lost)), [{ field: 'body', reason: 'The journal has dropped the body.' }]);
  t.equal(mayHaveFitted(candidate({ ...lost, method: 'PUT' })), false, 'the method differs');
  t.equal(mayHaveFitted(candidate({ ...lost, hadBody: false })), false, 'the request had no body');
  t.equal(mayHaveFitted(candidate({ body: '{}' })), false, 'the body is there');
  const { mayHaveFitted: whatever } = compileMatch({ method: 'POST' });
  t.equal(whatever(candidate(lost)), false, 'the match has no body');
});

await test('a body that was cut can’t be compared', async (t) => {
  const text = (length: number) => JSON.stringify({ a: 1, long: 'x'.repeat(length - 17) });
  t.equal(text(2000).length, 2000);
  t.strictSame(differences({ body: { a: 1 } }, { body: text(2000) }), []);
  t.match(differences({ body: { a: 1 } }, { body: text(2001) }), [{ field: 'body', reason: /first 2000 characters/ }]);
});

await test('the query and the body of a request are read once, for all that compare it', async (t) => {
  let reads = 0;
  const kept = candidate({ query: 'a=1', body: '{"a":1}' });
  const { query, requestBody } = kept;
  Object.defineProperty(kept, 'query', { get: () => (reads++, query) });
  Object.defineProperty(kept, 'requestBody', { get: () => (reads++, requestBody) });
  const compare = () => t.ok(compileMatch({ query: { a: 1 }, body: { a: 1 } }).fits(kept));
  compare();
  const once = reads;
  compare();
  t.equal(reads, once);
});

await test('a long query is compared by its beginning', async (t) => {
  const search = (before: number) => `${'x'.repeat(before - 1)}&page=2`;
  t.strictSame(differences({ query: { page: 2 } }, { query: search(1994) }), []);
  t.strictSame(differences({ query: { page: 2 } }, { query: search(2000) }), [{ field: 'query.page', expected: '2' }]);
  t.strictSame(differences({ query: { page: 2 } }, { query: `${'x&'.repeat(199)}page=2` }), []);
  t.equal(differences({ query: { page: 2 } }, { query: `${'x&'.repeat(200)}page=2` }).length, 1);
});

await test('tokens are neither found nor shown', async (t) => {
  const token = 'wlu_abcdefgh';
  /** As the journal returns it. */
  const differencesIn = (match: Match, sent: Sent) => {
    const journal = createJournal(1 << 20);
    journal.add('mine', candidate(sent));
    return compileMatch(match).findDifferences(entriesOf(journal, 'mine')[0] as KeptEntry);
  };
  const sent = { path: `/api/${token}/`, query: `t=wlu%5Fabcdefgh`, body: '{"t":"wlu\\u005fabcdefgh"}' };
  for (const match of [{ path: '/api/wlu_a**' }, { query: { t: token } }, { body: { t: token } }])
    t.match(differencesIn(match, sent)[0]?.received, /^(?!.*abc).*wlu_…/);
  t.strictSame(differencesIn({ query: 'wlu_a' }, { query: `t=${token}` }), [
    { field: 'query', expected: 'wlu_a', received: 't=wlu_…' },
  ]);
  t.strictSame(differencesIn({ path: '/api/wlu_…/', query: { t: 'wlu_…' }, body: { t: 'wlu_…' } }, sent), []);
});

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

await test('any part of a body fits it', async (t) => {
  const value = fc.jsonValue({ maxDepth: 4 });
  /** The same value without some of its keys, at any depth. */
  const partOf = (whole: unknown, keeps: () => boolean): unknown => {
    if (Array.isArray(whole)) return whole.map((member) => partOf(member, keeps));
    if (typeof whole !== 'object' || whole === null) return whole;
    const kept = Object.entries(whole).filter(() => keeps());
    return Object.fromEntries(kept.map(([key, member]) => [key, partOf(member, keeps)]));
  };
  const fits = (expected: unknown, received: unknown) => [...compareBody(expected, received, 'body')].length === 0;
  fc.assert(
    fc.property(value, fc.infiniteStream(fc.boolean()), (whole, choices) => {
      const part = partOf(whole, () => choices.next().value as boolean);
      return fits(part, whole);
    }),
  );
  fc.assert(
    fc.property(value, value, (one, other) => {
      const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
      return (fits(one, other) && fits(other, one)) === isSame;
    }),
  );
  t.pass();
});

await test('* matches one segment, and ** any number', async (t) => {
  for (const [pattern, path, expected] of [
    ['/api/users/*/notifications/', '/api/users/alice/notifications/', true],
    ['/api/users/*/notifications/', '/api/users/a/b/notifications/', false],
    ['/api/users/*', '/api/users/', false],
    ['/api/*/users/', '/api//users/', false],
    ['/api/**/users/', '/api/users/', true],
    ['/api/**/users/', '/api/a/b/users/', true],
    ['/api/**/users/', '/api/xusers/', false],
    ['/api/**/**/*/x', '/api/a/x', true],
    ['/a/*b/', '/a/b/', true],
    ['/api/users/*', '/api/users/alice', true],
    ['/api/users/*', '/api/users/alice/', false],
    ['/api/**', '/api/users/alice/', true],
    ['**/notifications/', '/api/users/alice/notifications/', true],
    ['**/notifications/', '/api/users/alice/notifications/1/', false],
    ['/a**b*c/', '/a/x/b/y/bzc/', true],
    ['/a**b*c/', '/a/x/b/y/bz/c/', false],
    ['***', '/anything/at/all', true],
    ['/a.c', '/abc', false],
    ['', '', true],
    ['', '/', false],
    ['/*j%C3%BCrgen*', '/j%C3%BCrgen', true],
  ] as const)
    t.equal(pathPattern(pattern)(path), expected, `${pattern} ${path}`);
});

/** Whether a path fits the steps of a pattern, which are characters, `*` and `**`. */
function fitsSteps(steps: readonly string[], path: string): boolean {
  let reached = new Set([0]);
  const isEnd = (step = '/') => step === '/';
  const isWhole = (at: number) => steps[at] === '*' && isEnd(steps[at - 1]) && isEnd(steps[at + 1]);
  const close = () => {
    for (const at of reached) if (steps[at]?.startsWith('*') === true && !isWhole(at)) reached.add(at + 1);
  };
  close();
  for (const character of path) {
    const next = new Set<number>();
    for (const at of reached) {
      const step = steps[at];
      if (step === '**' || (step === '*' && character !== '/')) next.add(at);
      if (step === character || (isWhole(at) && character !== '/')) next.add(at + 1);
      // `**/` after a slash may stand for nothing.
      if (step === '/' && character === '/')
        for (let to = at + 1; steps[to] === '**' && steps[to + 1] === '/'; to += 2) next.add(to + 2);
    }
    reached = next;
    close();
  }
  return reached.has(steps.length);
}

await test('patterns of any length agree with the definition', async (t) => {
  const pieces = fc.array(fc.constantFrom('a', 'b', '/', '*', '**'), { maxLength: 150, size: 'max' });
  const separated = pieces.map((all) => all.filter((one, at) => !one.startsWith('*') || !all[at - 1]?.startsWith('*')));
  // What a pattern may stand for, with one character changed or not.
  const property = (steps: readonly string[], fill: fc.Stream<string>, at: number) => {
    const path = steps.map((step) => (step.startsWith('*') ? fill.next().value : step)).join('');
    const changed = `${path.slice(0, at % (path.length + 1))}a${path.slice((at % (path.length + 1)) + 1)}`;
    return [path, changed].every((one) => pathPattern(steps.join(''))(one) === fitsSteps(steps, one));
  };
  const fill = fc.infiniteStream(fc.constantFrom('', 'a', 'b', '/', 'ab'));
  const short = separated.map((steps) => steps.slice(0, 6));
  for (const steps of [short, separated]) fc.assert(fc.property(steps, fill, fc.nat(), property), { numRuns: 500 });
  t.pass();
});

await test('each character of a path is read once', async (t) => {
  const reads = (length: number): number => {
    let count = 0;
    const path = { length, charCodeAt: (at: number) => (count++, at === 0 ? 0x2f : 0x61) };
    t.equal(pathPattern(`/${'**a'.repeat(60)}**b`)(path), false);
    return count;
  };
  t.equal(reads(500), 500);
  t.equal(reads(1000), 1000);
  t.equal(reads(10_000), maxPathLength, 'and of a very long one only the beginning');
});

await test('a pattern that is made to take long doesn’t, as a filter and as a rule', async (t) => {
  const service = await startService(t);
  const base = '/_understudy/sandboxes/slow';
  const pattern = '/**a**a**a**a**a**a**b';
  await service.request('PUT', base);
  await service.request('GET', `/sandboxes/slow/api/${'a'.repeat(900)}`);
  const { json } = await service.request('GET', `${base}/requests?path=${pattern}`);
  t.strictSame(json, { dropped: 0, dropped_bodies: 0, requests: [] });
  await service.request('PUT', `${base}/faults`, { json: { rules: [{ match: { path: pattern }, status: 418 }] } });
  t.equal((await service.request('GET', `/sandboxes/slow/api/${'a'.repeat(900)}`)).status, 404);
  t.equal((await service.request('GET', `/sandboxes/slow/api/${'a'.repeat(900)}b`)).status, 418);
  const long = `/${'*a'.repeat(100)}`;
  t.match(await service.request('GET', `${base}/requests?path=${long}`), { status: 400, text: /200 characters/ });
  const rules = [{ match: { path: long }, status: 418 }];
  t.match(await service.request('PUT', `${base}/faults`, { json: { rules } }), { status: 400, text: /200 characters/ });
});
