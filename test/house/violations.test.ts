// Each rule of the house finds what breaks it, or it would prove nothing.
import { test } from 'tap';
import { compareDrawing, readDrawing } from './drawing.ts';
import { findCircles, findCrowdedFolders, findForbiddenImports, findMisplacedSql, findNamesakes } from './rules.ts';
import { listPackages, type Sources } from './sources.ts';

/** Files that import these others. */
const importing = (files: Record<string, string>): Sources =>
  new Map(Object.entries(files).map(([file, specifier]) => [file, specifier && `import { x } from '${specifier}';`]));

await test('crowded folders', async (t) => {
  const files = (folder: string, count: number) =>
    Array.from({ length: count }, (_, i): [string, string] => [`${folder}/${i}.ts`, '']);
  t.same(findCrowdedFolders(new Map([...files('seed', 12), ...files('seed/read', 12)])), []);
  t.same(findCrowdedFolders(new Map([...files('seed', 13), ...files('api/wire', 1)])), [
    'seed holds 13 files, more than 12',
  ]);
});

await test('files of one name', async (t) => {
  const files = ['load/queries.ts', 'export/queries.ts', 'api/send.ts', 'pages/page.ts'];
  t.same(findNamesakes(importing(Object.fromEntries(files.map((file) => [file, ''])))), []);
  t.same(findNamesakes(importing(Object.fromEntries([...files, 'seed/read/send.ts'].map((file) => [file, ''])))), [
    'api/send.ts and seed/read/send.ts have the same name',
  ]);
});

await test('circles', async (t) => {
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
  // A folder and the files beside it use each other, one by one.
  t.same(findCircles(importing({ 'api/call.ts': './wire/b.ts', 'api/wire/b.ts': '../moments.ts' })), []);
  t.same(findCircles(importing({ 'seed/a.ts': './b.ts', 'seed/b.ts': '../load/c.ts' })), []);
});

await test('forbidden imports', async (t) => {
  const cases: [file: string, specifier: string, broken: boolean][] = [
    ['resources/users/list.ts', '../notifications/queries.ts', true],
    ['resources/users/list.ts', '../notifications/entry-queries.ts', true],
    ['resources/users/list.ts', '../notifications/names.ts', false],
    ['resources/users/list.ts', './queries.ts', false],
    ['resources/users/list.ts', '../../access/queries.ts', false],
    ['api/send.ts', '../../test/support/service.ts', true],
    ['database/migrator.ts', '../../migrations/0001-start.ts', false],
  ];
  for (const [file, specifier, broken] of cases)
    t.equal(findForbiddenImports(importing({ [file]: specifier })).length, broken ? 1 : 0, `${file}: ${specifier}`);
});

await test('misplaced SQL', async (t) => {
  const cases: [file: string, text: string, broken: boolean][] = [
    ['resources/users/list.ts', 'const q = sql`select 1`;', true],
    ['resources/users/list.ts', `db.selectFrom('understudy.users')`, true],
    ['resources/users/queries.ts', 'const q = sql<number>`select 1`;', false],
    ['resources/users/change-queries.ts', `db.updateTable('understudy.users')`, false],
    ['database/batch.ts', 'const q = sql`select 1`;', false],
  ];
  for (const [file, text, broken] of cases)
    t.same(findMisplacedSql(new Map([[file, text]])), broken ? [`${file} holds SQL`] : [], text);
});

await test('the drawing', async (t) => {
  const draw = (...lines: string[]) =>
    readDrawing(['<!-- arrows: checked by test/house -->', '```text', ...lines, '```', '<!-- /arrows -->'].join('\n'));
  const lines = ['app.ts -> api, database', 'api    -> database', 'database -> (none)', 'errors.ts -> (none)'];
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
  for (const [drawing, files, fault] of cases) t.ok(compareDrawing(draw(...drawing), files).includes(fault), fault);
  t.throws(() => draw('api uses database'), { message: 'no arrow: api uses database' });
  t.throws(() => readDrawing('# Architecture\n'), { message: /no drawing/ });
});

await test('packages that are imported or read', async (t) => {
  const sources = new Map([
    ['a.ts', "import fs from 'node:fs';\nimport type { A } from 'types-alone';\nimport { b } from './b.ts';"],
    ['b.mjs', "import { Value } from '@scope/one/value';\nconst two = await import('two.js/x');\n// from 'a comment'"],
    ['c.ts', "import {\n  three,\n} from 'three';\nconst file = 'node_modules/four/five.js';"],
    ['d.css', "@import 'style';"],
  ]);
  t.same(listPackages(sources), ['@scope/one', 'four', 'three', 'two.js']);
});
