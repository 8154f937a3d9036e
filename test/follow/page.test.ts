// The page of releases: its tables from planted findings, and that the page in docs/ is the one that was found.
import { readFile } from 'node:fs/promises';
import { test } from 'tap';
import { operations } from './declared.ts';
import { formatReleases, type Kept, pageFile, readKept, replaceTables } from './page.ts';

const list = 'GET /api/users/{username}/notifications/';
const read = 'GET /api/users/{username}/notifications/{id}/';
const change = (operation: string, place: string, before: string, now: string) => ({
  operation,
  kind: place,
  place,
  before,
  now,
  request: 'GET /x',
});
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

await test('what changed stands in cells, and operations that changed alike share a row', (t) => {
  const component = (operation: string) => change(operation, 'body.results[].component', '"…/app/"', '{"id":1}');
  const tables = formatReleases([
    found('2026.10.1'),
    found(
      '5.10',
      component(list),
      component(read),
      change(`OPTIONS ${read.slice(4)}`, 'body.actions.PUT.id', '1', '2'),
      change('TRACE /api/', 'text', 'a', 'b'),
    ),
    found(
      '5.9',
      component(list),
      change(`HEAD ${list.slice(4)}`, 'status', '200', '404'),
      change(list, 'text', 'component', 'component.id'),
      component(read),
      change(read, 'status', '200', '404'),
      change('GET /api/', 'body.reports', '"/"', '(absent)'),
      change('GET /api/', 'body.news', '(absent)', '"/"'),
      change('GET /api/', 'left body.count', '1', '2'),
    ),
  ]);
  const same = operations.filter((one) => ![list, read, 'GET /api/'].includes(one)).map((one) => `\`${one}\``);
  t.equal(
    tables,
    `Measured from 2026-01-01 to 2026-01-02:

| operation | 2026.10.1 | 5.10 | 5.9 |
| --- | --- | --- | --- |
| \`GET /api/\` | = | = | +news, entries, −reports |
| ${same.join(', ')} | = | = | = |
| \`${list}\`, \`${read}\` | = | component | 200→404, component |
| \`OPTIONS ${read.slice(4)}\` | ? | fields | ? |
| other methods and paths | ? | form | ? |
`,
  );
  t.end();
});

await test('the page has the tables of test/follow/releases.json', async (t) => {
  const page = await readFile(pageFile, 'utf8');
  t.equal(page, replaceTables(page, formatReleases(await readKept())));
  t.match(page, /^\| operation \| 2026\.10\.1 \|/mu);
});
