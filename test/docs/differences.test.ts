// docs/reference/differences.md names each scenario of differences.json, and counts its steps.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { transcriptsFolder } from '../support/service.ts';
import { rules } from '../differential/rules.ts';
import { readTable } from './tables.ts';

await test('the page counts the steps that the file names', async (t) => {
  const file: Record<string, object> = JSON.parse(readFileSync(join(transcriptsFolder, 'differences.json'), 'utf8'));
  const counted: Record<string, number> = {};
  for (const row of readTable('reference/differences.md', 'steps'))
    for (const [, scenario = '', count] of (row['steps'] ?? '').matchAll(/`([^`]+)`(?: (\d+))?/g))
      counted[scenario] = (counted[scenario] ?? 0) + Number(count ?? 1);
  const inFile = Object.entries(file).map(([scenario, steps]) => [
    scenario,
    scenario === '*' ? 1 : Object.keys(steps).length,
  ]);
  t.same(counted, Object.fromEntries(inFile), 'docs/reference/differences.md counts the steps of differences.json');
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
