// The journal's bounds and counts, which hold for any requests.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { test } from 'tap';
import { ByteLog, createPool } from '../../src/traffic/journal/entry-bytes.ts';
import { keepBody, type KeptEntry, responseHeaderNames, shownEntry } from '../../src/traffic/entry.ts';
import { createJournal, type Journal } from '../../src/traffic/journal/journal.ts';
import { entriesOf, keptEntry } from '../support/kept-entry.ts';

const mebibyte = 1 << 20;
const entry = (path: string, responseBody: string | null = null) => keptEntry({ path, responseBody });
const pathsOf = (entries: readonly KeptEntry[]) => entries.map(({ path }) => path);
const countsOf = (journal: Journal, sandbox: string) => {
  const { dropped, dropped_bodies: droppedBodies } = journal.open(sandbox).lostAfter();
  return [entriesOf(journal, sandbox).length, dropped, droppedBodies];
};

await test('a full sandbox drops only its own oldest entries', async (t) => {
  const journal = createJournal(mebibyte, { entries: 2, headBytes: mebibyte, bodyBytes: mebibyte });
  journal.add('other', entry('/other'));
  for (const path of ['/a', '/b', '/c']) journal.add('mine', entry(path));
  t.same(pathsOf(entriesOf(journal, 'mine')), ['/b', '/c']);
  t.same(
    [countsOf(journal, 'mine'), countsOf(journal, 'other')],
    [
      [2, 1, 0],
      [1, 0, 0],
    ],
  );
  journal.clear('mine');
  t.same(countsOf(journal, 'mine'), [0, 0, 0]);
});

await test('a sandbox keeps 5,000 entries, and drops bodies before them', async (t) => {
  const journal = createJournal(64 * mebibyte);
  const body = 'x'.repeat(2000);
  for (let n = 0; n < 5000; n++) journal.add('mine', entry(`/${n}`, body));
  const [kept, dropped, droppedBodies = 0] = countsOf(journal, 'mine');
  t.same([kept, dropped], [5000, 0]);
  const withBodies = entriesOf(journal, 'mine').filter(({ responseBody }) => responseBody === body);
  t.equal(withBodies.length, 5000 - droppedBodies);
  t.ok(withBodies.length > 500 && withBodies.length * 2008 <= mebibyte, `${withBodies.length} bodies`);
  t.equal(withBodies.at(-1)?.path, '/4999');
  t.equal(entriesOf(journal, 'mine').filter(({ areBodiesDropped }) => areBodiesDropped).length, droppedBodies);
});

await test('a sandbox that sends long paths drops its own entries', async (t) => {
  const journal = createJournal(64 * mebibyte);
  journal.add('other', entry('/other'));
  for (let n = 0; n < 5000; n++) journal.add('mine', entry(`/${n}/${'x'.repeat(16_000)}`));
  t.ok(journal.usedBytes() < 6 * mebibyte, `${journal.usedBytes()} bytes`);
  t.ok(countsOf(journal, 'mine')[1]! > 4000);
  t.same(countsOf(journal, 'other'), [1, 0, 0]);
});

await test('if the pool is full, the sandbox that is longest silent drops its oldest', async (t) => {
  const journal = createJournal(mebibyte);
  const fill = (name: string, count: number) => {
    for (let n = 0; n < count; n++) journal.add(name, entry(`/${n}`, 'x'.repeat(2000)));
  };
  fill('first', 200);
  fill('second', 200);
  journal.add('first', entry('/again'));
  fill('third', 200);
  t.same(countsOf(journal, 'first'), [201, 0, 0], 'it was used since');
  t.ok(countsOf(journal, 'second')[1]! > 0);
  t.equal(entriesOf(journal, 'second').at(-1)?.path ?? '/199', '/199');
  t.same(countsOf(journal, 'third'), [200, 0, 0]);
  fill('fourth', 500);
  t.ok(journal.usedBytes() <= mebibyte);
  const [kept = 0, dropped = 0] = countsOf(journal, 'second');
  t.equal(kept + dropped, 200, 'what is dropped is counted');
  journal.forget('second');
  t.same(countsOf(journal, 'second'), [0, 0, 0]);
});

await test('of very many sandboxes, the one that is longest unused is forgotten', async (t) => {
  const journal = createJournal(64 * mebibyte);
  for (const name of ['default', 'second']) journal.add(name, entry('/'));
  for (let n = 2; n < 10_000; n++) journal.add(`s${n}`, entry('/'));
  journal.add('default', entry('/again'));
  journal.add('one more', entry('/'));
  t.strictSame(pathsOf(entriesOf(journal, 'default')), ['/', '/again']);
  t.strictSame(['default', 'second', 's2', 'one more'].map(journal.knows), [true, false, true, true]);
});

await test('an entry that the pool can’t hold is dropped, and counted', async (t) => {
  const journal = createJournal(4096);
  journal.add('mine', entry('/', 'x'));
  t.same(countsOf(journal, 'mine'), [0, 1, 0]);
});

await test('a request from before a clear is not added', async (t) => {
  const journal = createJournal(mebibyte);
  const before = entry('/before');
  journal.clear('mine');
  journal.add('mine', before);
  journal.add('other', before);
  journal.add('mine', entry('/after'));
  t.same([pathsOf(entriesOf(journal, 'mine')), pathsOf(entriesOf(journal, 'other'))], [['/after'], ['/before']]);
  t.same(countsOf(journal, 'mine'), [1, 0, 0], 'nothing was dropped');
});

await test('a body is kept up to 2,000 characters, without tokens', async (t) => {
  const shown = (body: unknown) => {
    const journal = createJournal(mebibyte);
    journal.add('mine', keptEntry({ requestBody: keepBody(body) }));
    const [kept] = entriesOf(journal, 'mine');
    return kept === undefined ? undefined : shownEntry(kept).request_body;
  };
  t.equal(shown(''), null);
  t.equal(shown(undefined), null);
  t.equal(shown(Buffer.from('zoë')), 'zoë');
  t.equal(shown('x'.repeat(2000)), 'x'.repeat(2000));
  t.equal(shown('x'.repeat(2001)), `${'x'.repeat(2000)}…`);
  t.equal(shown(Buffer.from('ü'.repeat(500_000))), `${'ü'.repeat(2000)}…`);
  t.equal(shown('漢'.repeat(9000)), `${'漢'.repeat(2000)}…`);
  t.equal(shown('{"token":"wlu_secret"}'), '{"token":"wlu_…"}');
});

const text = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength });
const orNull = (arbitrary: fc.Arbitrary<string>) => fc.option(arbitrary.filter((one) => one !== ''));
const bodies = orNull(
  fc.oneof(
    text(20),
    fc.integer({ min: 1, max: 2001 }).map((length) => '漢x'.repeat(length).slice(0, length)),
  ),
);
const entries = fc
  .record({
    at: fc.integer({ min: 0 }),
    durationMs: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    method: fc.constantFrom('GET', 'PATCH'),
    path: fc.oneof(
      text(30),
      fc.integer({ max: 16_000, min: 1 }).map((length) => 'p'.repeat(length)),
    ),
    query: text(30),
    status: fc.integer({ min: 0, max: 599 }),
    hasToken: fc.boolean(),
    username: fc.option(text(20), { nil: undefined }),
    unmatched: fc.boolean(),
    fault: orNull(text(10)),
    hint: orNull(text(10)),
    not_mirrored: orNull(text(10)),
    error: fc.option(
      fc.record({ code: text(10), detail: text(10), attr: orNull(text(10)) }, { noNullPrototype: true }),
    ),
    from_page: fc.boolean(),
    contentType: fc.option(text(10), { nil: undefined }),
    response_headers: fc.dictionary(fc.constantFrom(...responseHeaderNames), text(5), { noNullPrototype: true }),
    requestBody: bodies,
    responseBody: bodies,
  })
  .map((given) => keptEntry(given));
const sandboxes = fc.constantFrom('a', 'b', 'c');
const acts = fc.array(
  fc.oneof(
    { weight: 30, arbitrary: fc.record({ what: fc.constant('add' as const), sandbox: sandboxes, kept: entries }) },
    {
      weight: 1,
      arbitrary: fc.record({ what: fc.constantFrom('clear' as const, 'forget' as const), sandbox: sandboxes }),
    },
  ),
  { maxLength: 120 },
);

await test('bounds and counts hold for any requests, clears and ends of sandboxes', async (t) => {
  const bounds = { entries: 20, headBytes: 60_000, bodyBytes: 20_000 };
  const bytes = 40 * 4096;
  const withoutNumber = ({ number: _number, startedAt: _startedAt, ...rest }: KeptEntry) => rest;
  fc.assert(
    fc.property(acts, (all) => {
      const journal = createJournal(bytes, bounds);
      const sent = new Map<string, KeptEntry[]>();
      let at = performance.now() + 1000;
      for (const act of all) {
        if (act.what === 'add') {
          // Later than any clear.
          const kept = { ...act.kept, startedAt: ++at };
          journal.add(act.sandbox, kept);
          sent.set(act.sandbox, [...(sent.get(act.sandbox) ?? []), kept]);
        } else {
          journal[act.what](act.sandbox);
          sent.delete(act.sandbox);
        }
        assert.ok(journal.usedBytes() <= bytes);
        for (const sandbox of ['a', 'b', 'c']) {
          const put = sent.get(sandbox) ?? [];
          const kept = entriesOf(journal, sandbox);
          const { dropped, dropped_bodies: droppedBodies } = journal.open(sandbox).lostAfter();
          assert.equal(kept.length + dropped, put.length);
          assert.ok(kept.length <= bounds.entries);
          const lost = kept.filter(({ areBodiesDropped }) => areBodiesDropped);
          assert.equal(lost.length, droppedBodies);
          const expected = put
            .slice(dropped)
            .map((one, index) =>
              kept[index]?.areBodiesDropped === true
                ? { ...one, areBodiesDropped: true, requestBody: null, responseBody: null }
                : one,
            );
          assert.deepEqual(kept.map(withoutNumber), expected.map(withoutNumber));
          const withBodies = kept.filter(
            (one) => one.areBodiesDropped || one.requestBody !== null || one.responseBody !== null,
          );
          assert.deepEqual(withBodies.slice(0, droppedBodies), lost, 'the oldest ones went');
          const count = (kind: number) =>
            kept.filter((one) => !one.from_page && Math.floor(one.status / 100) === kind).length;
          assert.deepEqual(
            journal.open(sandbox).countByStatus(),
            Object.fromEntries([0, 1, 2, 3, 4, 5].map((digit) => [`${digit}xx`, count(digit)])),
          );
          const middle = kept[Math.floor(kept.length / 2)];
          assert.deepEqual(journal.open(sandbox).find(middle?.number ?? 0), middle);
        }
      }
    }),
    { numRuns: 100 },
  );
  t.pass();
});

await test('chunks return to the pool', async (t) => {
  const pool = createPool(10 * 4096);
  const log = new ByteLog(pool);
  const from = Buffer.alloc(9000, 'x');
  for (let n = 0; n < 50; n++) {
    log.append(from, from.length);
    log.dropTo(log.end);
  }
  t.equal(pool.usedBytes(), 0);
  t.equal(pool.left(), 10);
});
