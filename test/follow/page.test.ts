// The page of releases: its tables from planted findings, and that the page in docs/ is the one that was found.
import { readFile } from 'node:fs/promises';
import { test } from 'tap';
import { operations } from './declared.ts';
import { formatReleases, type Kept, pageFile, readKept, replaceTables } from './page.ts';

const list = 'GET /api/users/{username}/notifications/';
const read = 'GET /api/users/{username}/notifications/{id}/';
const component = {
  kind: 'body.results[].component text → object',
  place: 'body.results[].component',
  before: '"…/app/"',
  now: '{"id":1}',
  request: 'GET /api/users/alice/notifications/',
};
const status = { kind: 'status 200 → 404', place: 'status', before: '200', now: '404', request: 'GET /x|y' };
const compared = Object.fromEntries(operations.map((operation) => [operation, 1]));
const found = (release: string, ...changes: Kept['changes'][number][]): Kept => ({
  release,
  mirrored: '2026.10.1',
  recorded: 10,
  generated: 5,
  compared,
  date: release === '5.9' ? '2026-01-02' : '2026-01-01',
  changes,
});

await test('changes have numbers, and operations that changed alike share a row', (t) => {
  const tables = formatReleases([
    found('2026.10.1'),
    found('5.10', { ...component, operation: list }, { ...component, operation: read }),
    found(
      '5.9',
      { ...status, operation: read },
      { ...component, operation: read },
      { ...status, operation: list },
      { ...component, operation: list },
    ),
  ]);
  t.equal(
    tables,
    `Measured from 2026-01-01 to 2026-01-02:

| operation | 2026.10.1 | 5.10 | 5.9 |
| --- | --- | --- | --- |
| \`${list}\`, \`${read}\` | = | 1 | 1, 2 |
| the other ${operations.length - 2} operations | = | = | = |

|  | what | 2026.10.1 | there | for example |
| --- | --- | --- | --- | --- |
| 1 | \`body.results[].component\` | \`"…/app/"\` | \`{"id":1}\` | \`GET /api/users/alice/notifications/\` |
| 2 | \`status\` | \`200\` | \`404\` | \`GET /x\\|y\` |
`,
  );
  t.end();
});

await test('without changes there is one row', (t) => {
  t.equal(
    formatReleases([found('2026.10.1')]),
    `Measured on 2026-01-01:\n\n| operation | 2026.10.1 |\n| --- | --- |\n| all ${operations.length} operations | = |\n`,
  );
  t.end();
});

await test('the page has the tables of test/follow/releases.json', async (t) => {
  const page = await readFile(pageFile, 'utf8');
  t.equal(page, replaceTables(page, formatReleases(await readKept())));
  t.match(page, /^\| operation \| 2026\.10\.1 \|/mu);
});
