// docs/reference/differences.md names each step that differences.json does, and no other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { transcriptsFolder } from '../support/service.ts';
import { rules } from '../differential/rules.ts';
import { readTable } from './tables.ts';

await test('the page and the file name the same steps', async (t) => {
  const file: Record<string, object> = JSON.parse(readFileSync(join(transcriptsFolder, 'differences.json'), 'utf8'));
  const inFile = Object.entries(file).flatMap(([scenario, steps]) =>
    scenario === '*' ? ['*'] : Object.keys(steps).map((step) => `${scenario} ${step}`),
  );
  const named = readTable('reference/differences.md', 'steps').flatMap((row) => {
    const groups = (row['steps'] ?? '').split('; ').map((group) => /^`([^`]+)`(?: ([\d, ]+))?$/.exec(group) ?? []);
    return groups.flatMap(([, scenario, steps]) =>
      steps === undefined ? [scenario] : steps.split(', ').map((step) => `${scenario} ${step}`),
    );
  });
  t.same(new Set(named), new Set(inFile));
  t.equal(named.length, inFile.length, 'each once');
});

await test('each rule of the differential run is a row, with a reason', async (t) => {
  const rows = ['steps', 'beyond'].flatMap((table) => readTable('reference/differences.md', table));
  t.equal(
    rows.every((row) => (row['why'] ?? '') !== ''),
    true,
  );
  for (const { row } of rules)
    t.ok(
      rows.some(({ what }) => what === row),
      row,
    );
});
