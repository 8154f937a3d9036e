// The types of the own API that the package has written out are those that its client was checked with.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { dist, root } from './tarball.ts';

const source = 'package/client/wire-types';

await test('each type that is written out is the one of the schemas', (t) => {
  const namesIn = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name).toSorted();
  const names = namesIn(join(dist, 'types', `${source}.d.ts`));
  t.same(names, namesIn(join(root, 'src', `${source}.ts`)));
  // Each is assigned to the other. What it compiles lies where TypeScript finds the packages.
  const check = join(dist, 'wire-types-check.ts');
  t.teardown(() => rmSync(check));
  const lines = names.map(
    (name) =>
      `export const ${name} = (a: Checked.${name}, b: Written.${name}): [Written.${name}, Checked.${name}] => [a, b];`,
  );
  writeFileSync(
    check,
    [
      `import type * as Checked from '../src/${source}.ts';`,
      `import type * as Written from './types/${source}.js';`,
      ...lines,
    ].join('\n'),
  );
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'];
  const target = ['--module', 'nodenext', '--target', 'es2024', '--allowImportingTsExtensions', '--types', 'node'];
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(tsc, [...options, ...target, check], { cwd: root, encoding: 'utf8' });
  t.equal(stdout, '');
  t.equal(status, 0);
  t.end();
});
