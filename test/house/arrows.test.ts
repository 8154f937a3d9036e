// The house keeps the design's arrows; and the check finds a violation of each rule, or it would prove nothing.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { findBroken } from './arrows.ts';

const source = join(import.meta.dirname, '../../src');

await test('src/', async (t) => {
  const files = new Map(
    globSync('**/*.ts', { cwd: source }).map((file) => [file, readFileSync(join(source, file), 'utf8')]),
  );
  t.ok(files.size > 100);
  t.same(findBroken(files), []);
});

await test('planted violations', async (t) => {
  const planted: [file: string, text: string, broken: string | null][] = [
    [
      'resources/users/list.ts',
      `import { findPages } from '../notifications/queries.ts';`,
      `another resource's queries`,
    ],
    [
      'resources/users/list.ts',
      `import { findPages } from '../notifications/entry-queries.ts';`,
      `another resource's queries`,
    ],
    ['resources/users/list.ts', `export * from '../../traffic/faults.ts';`, `resources doesn't use traffic`],
    ['resources/users/list.ts', `const x = await import('../../cli/serve.ts');`, `resources doesn't use cli`],
    ['resources/users/list.ts', `import type {\n  Seed,\n} from '../../load/apply.ts';`, `resources doesn't use load`],
    ['api/page.ts', `import { x } from '../resources/users/schema.ts';`, `api doesn't use resources`],
    ['database/errors.ts', `import { paths } from '../api/paths.ts';`, `database doesn't use api`],
    ['app.ts', `import { serve } from './cli/serve.ts';`, `app.ts doesn't use cli`],
    ['traffic/faults.ts', `import '../cli/seed.ts';`, `traffic doesn't use cli`],
    ['version.ts', `import { x } from './api/paths.ts';`, 'a leaf uses nobody'],
    ['newcomer/x.ts', `import { x } from '../api/paths.ts';`, 'nothing is said of newcomer'],
    ['api/page.ts', `import { x } from '../../test/support/service.ts';`, 'outside of src/'],
    ['resources/users/list.ts', 'const q = sql`select 1`;', 'holds SQL'],
    ['resources/users/list.ts', `db.selectFrom('understudy.users')`, 'holds SQL'],
    ['resources/users/queries.ts', 'const q = sql<number>`select 1`;', null],
    ['resources/users/list.ts', `import { names } from '../notifications/names.ts';`, null],
    ['api/page.ts', `// import { x } from '../cli/serve.ts';`, null],
    ['app.ts', `import { health } from './monitoring/health.ts';`, null],
  ];
  for (const [file, text, broken] of planted) {
    const found = findBroken(new Map([[file, text]]));
    if (broken === null) t.same(found, [], text);
    else t.match(found, [new RegExp(RegExp.escape(broken))], text);
  }
});
