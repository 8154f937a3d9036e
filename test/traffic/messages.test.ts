// What failed assertions say and reports list, word by word.
import { Readable } from 'node:stream';
import { test } from 'tap';
import { type JournalEntry, shownEntry } from '../../src/traffic/entry.ts';
import {
  describeDisorder,
  describeJournal,
  describeMismatch,
  describeOthers,
} from '../../src/traffic/journal/messages.ts';
import { rangeOf } from '../../src/traffic/request-match.ts';
import { keptEntry } from '../support/kept-entry.ts';

const list = '/api/users/alice/notifications/';
const read = shownEntry(keptEntry({ path: list, query: 'page=1', username: 'alice', responseBody: '{}' }));
const refused = shownEntry(
  keptEntry({
    method: 'POST',
    path: list,
    status: 400,
    username: 'alice',
    requestBody: '{"scope":20,\n "note":"\u001b[31m"}',
    responseBody: 'x'.repeat(400),
  }),
);
const failed = { path: '/api/users/alice', status: 404, unmatched: true } as const;
const error = { code: 'not_found', detail: 'Not found.', attr: null };
const slashless = shownEntry(keptEntry({ ...failed, hint: 'The path needs a slash at its end.', responseBody: '{}' }));
const unmirrored = shownEntry(keptEntry({ ...failed, path: '/api/changes/', not_mirrored: 'changes', error }));
const closed = shownEntry(
  keptEntry({ method: 'DELETE', path: '/api/users/bob/', status: 0, username: 'bob', fault: 'busy' }),
);

const outcome = { sandbox: 'job', withinMs: 0, count: 0, lost: 0, dropped: 0, dropped_bodies: 0 };
const none: readonly JournalEntry[] = [];
const advice = 'Give each test a sandbox of its own, or clear the journal before the requests that the test asserts.';

await test('a mismatch says how many were expected, and how many came', (t) => {
  for (const [times, expected] of [
    [0, 'no request'],
    [1, 'exactly 1 request'],
    [{ min: 2 }, 'at least 2 requests'],
    [{ max: 4 }, 'at most 4 requests'],
    [{ min: 2, max: 3 }, '2 to 3 requests'],
  ] as const)
    t.equal(
      describeMismatch({ ...outcome, count: 9 }, {}, rangeOf(times), none, []).split('\n')[0],
      `Expected ${expected}, but sandbox job received 9:`,
    );
  for (const [withinMs, text] of [
    [5000, '5s'],
    [1500, '1500ms'],
  ] as const)
    t.match(describeMismatch({ ...outcome, withinMs }, {}, rangeOf(1), none, []), `request within ${text}, but`);
  t.end();
});

await test('a mismatch shows what matches, the closest others, and all that differs in them', (t) => {
  const differs = [
    { field: 'body.scope', expected: 10, received: 20 },
    { field: 'query.page', expected: '1' },
    { field: 'user', expected: 'bob', received: null, reason: 'No user had the token.' },
  ];
  const match = { method: ['post', 'put'], path: '/api/users/*/', user: null, status: '4xx', unmatched: true };
  t.equal(
    describeMismatch({ ...outcome, count: 3 }, match, rangeOf(5), [read, closed], [{ request: refused, differs }]),
    `Expected exactly 5 requests, but sandbox job received 3:
  POST|PUT /api/users/*/ without a token to a path that isn't served → 4xx
Received:
  1. GET    ${list}?page=1  200  alice
  2. DELETE /api/users/bob/  closed  bob  fault: busy
  and 1 more
It also received:
  1. POST   ${list}  400  alice
       sent {"scope":20, "note":" [31m"}
       received ${'x'.repeat(300)}…
       body.scope: expected 10, received 20
       query.page: expected "1", received none
       user: expected "bob", received null (No user had the token.)`,
  );
  const instead = describeMismatch(outcome, {}, rangeOf(1), none, [{ request: refused, differs }]);
  t.match(instead, /received none:\n  any request\nIt received instead:\n  1\. POST /);
  const lastLine = (count: number) =>
    describeMismatch({ ...outcome, count }, {}, rangeOf(5), none, [])
      .split('\n')
      .at(-1);
  t.strictSame([lastLine(0), lastLine(1)], ['Its journal is empty.', 'Its journal has no other request.']);
  t.end();
});

await test('a message says what the journal dropped, and what to do', (t) => {
  const lost = { ...outcome, lost: 3, dropped: 1, dropped_bodies: 2 };
  const both = `The journal dropped the oldest 1 request, and the bodies of 2 requests.\n${advice}`;
  const perhaps = "received none, and perhaps 3 that its journal can't compare any more:";
  t.equal(
    describeMismatch(lost, { fault: 'busy' }, rangeOf(0), none, []),
    `Expected no request, but sandbox job ${perhaps}\n  any request struck by fault busy\n${both}`,
  );
  const others = describeOthers(lost, { requests: none, total: 0 });
  t.equal(
    others,
    `Expected no other request, but sandbox job received none, and perhaps 3 that its journal can't compare any more:\n${both}`,
  );
  t.equal(
    describeDisorder({ ...lost, dropped_bodies: 0 }, [{}], { requests: none, total: 0 }),
    `Expected 1 request in this order, but sandbox job received no number 1:\n  1. any request\nThe journal dropped the oldest 1 request.\n${advice}\nIts journal is empty.`,
  );
  t.end();
});

await test('an order and others show lines, the last ones of many', (t) => {
  const many = { requests: [closed, read], total: 7 };
  const lines = `  the last 2 of 7:\n  ${closed.line}\n  ${read.line}`;
  t.equal(
    describeDisorder({ ...outcome, count: 1, withinMs: 5000 }, [{ method: 'DELETE' }, {}], many),
    `Expected 2 requests in this order within 5s, but sandbox job received no number 2 after number 1:\n  1. DELETE any path\n  2. any request\nReceived:\n${lines}`,
  );
  t.match(describeOthers({ ...outcome, count: 7 }, many), `received 7 that no assertion matched:\n${lines}`);
  t.end();
});

await test('a report aligns requests, and has the reasons of those that failed', async (t) => {
  const report = async (dropped: number, total: number, elsewhere: (typeof read)[], ...requests: (typeof read)[]) =>
    (
      await Readable.from(
        describeJournal({ dropped, dropped_bodies: 0, total }, () => Readable.from(requests), elsewhere),
      ).toArray()
    ).join('');
  t.equal(
    await report(50, 9, [], read, slashless, unmirrored),
    `The journal dropped the oldest 50 requests.
The last 3 of 9:
GET    ${list}?page=1  200  alice
GET    /api/users/alice                        404  anonymous  no such path is served
       hint: The path needs a slash at its end.
       received {}
GET    /api/changes/                           404  anonymous  no such path is served
       not mirrored: changes
       received Not found.\n`,
  );
  t.equal(await report(0, 0, []), 'none\n');
  t.match(
    await report(0, 0, [slashless]),
    /^none\nRequests that reached no sandbox, from any test:\nGET +\/api\/users\/alice  404/,
  );
});
