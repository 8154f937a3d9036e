// Measures what one more test costs in vitest with one worker, with our fixtures, msw or json-server. The cost follows from the
// difference between the times of a run of many tests and a run of few tests; the rest of the time is the run's own.
import { execFile } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchServer } from './databases.ts';
import type { Options } from './options.ts';
import { fetchPackages } from './peers/fetch-packages.ts';
import { packageOf, peers } from './peers/fixed-answers.ts';
import { addFigure, printRows, say } from './report.ts';
import { median } from './rounds.ts';

const root = join(import.meta.dirname, '..');
const [few, many, moreLists] = [10, 110, 10];
const packages = ['msw@3.0.5', ...peers.filter(({ name }) => name === 'json-server').map(packageOf)];

const ours = { name: 'understudy', setup: `, globalSetup: 'weblate-understudy/setup'` };
const subjects = [ours, { name: 'msw', setup: '' }, { name: 'json-server', setup: '' }] as const;

/** Both in milliseconds: one more test, and the run without tests. */
interface Cost {
  readonly further: number;
  readonly fixed: number;
}

/** Needs `dist/`: npm run build. */
export async function benchTests(_server: BenchServer, { rounds }: Options): Promise<void> {
  const folder = await fetchPackages('tests', packages);
  cpSync(join(import.meta.dirname, 'tests'), folder, { recursive: true });
  symlinkSync(join(root, 'dist'), join(folder, 'node_modules/weblate-understudy'));
  symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');

  async function time({ name, setup }: (typeof subjects)[number], count: number, more = 0): Promise<number> {
    const config = join(folder, `${name}.config.js`);
    await writeFile(
      config,
      `export default { test: { include: ['${name}.test.js'], maxWorkers: 1, watch: false${setup} } };`,
    );
    const { PATH = '', HOME = '/' } = process.env;
    const env = { PATH, HOME, XDG_CACHE_HOME: folder, COUNT: String(count), MORE: String(more) };
    const beganMs = performance.now();
    await promisify(execFile)(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--config', config],
      { cwd: folder, env },
    );
    return performance.now() - beganMs;
  }

  const costs = new Map(subjects.map(({ name }) => [name, [] as Cost[]]));
  const lists: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    say(`tests: ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`);
    for (const subject of subjects) {
      const [short, long] = [await time(subject, few), await time(subject, many)];
      const further = (long - short) / (many - few);
      const listed = subject === ours ? await time(subject, many, moreLists) : long;
      if (round === 0) continue;
      costs.get(subject.name)?.push({ further, fixed: short - few * further });
      if (subject === ours) lists.push((listed - long) / many / moreLists);
    }
  }
  const of = (name: string, pick: (cost: Cost) => number) => median((costs.get(name) ?? []).map(pick));
  const listMs = median(lists);
  printRows(
    `Tests that list, create, delete and list, in vitest with one worker; one more list in a test of ours takes ${listMs.toFixed(2)} ms`,
    ['', 'one more test, ms', 'the same in lists', 'rest of the run, s'],
    subjects.map(({ name }) => {
      const further = of(name, (cost) => cost.further);
      return [
        name,
        further.toFixed(1),
        (further / listMs).toFixed(1),
        (of(name, (cost) => cost.fixed) / 1000).toFixed(2),
      ];
    }),
  );
  const describe = (name: string) =>
    `${of(name, (cost) => cost.further).toFixed(1)} ms, ${(of(name, (cost) => cost.fixed) / 1000).toFixed(2)} s`;
  addFigure(
    'One more vitest test with a sandbox of its own, and the rest of the run',
    describe('understudy'),
    packages.map((each) => `${each.replace('@', ' ')} ${describe(each.replace(/@.*/, ''))}`).join('; '),
  );
}
