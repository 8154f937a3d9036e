// Measures the time from a start to the first answer: at the first start on a machine, and at the next start.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchServer } from './databases.ts';
import { makeFolder } from './folder.ts';
import { builtService, launch } from './launch.ts';
import type { Options } from './options.ts';
import { addFigure, printRows, say } from './report.ts';
import { median } from './rounds.ts';

const root = join(import.meta.dirname, '..');

/** Folders that stand for a machine: a start finds them empty, or as the start before left them. */
interface Machine {
  readonly env: Readonly<Record<string, string>>;
  readonly data: { readonly UNDERSTUDY_DATA_DIR: string };
  wipe(): void;
}

/** Each returns the milliseconds to the first answer, from the call of start() or from the beginning of the process. */
const ways: Readonly<Record<string, (machine: Machine) => Promise<number>>> = {
  'start()': timeLibrary,
  'weblate-understudy serve --temporary': ({ env }) =>
    timeService(env, process.execPath, [builtService, 'serve', '--temporary']),
  'weblate-understudy serve': ({ env, data }) =>
    timeService({ ...env, ...data }, process.execPath, [builtService, 'serve']),
  'npm start': ({ env, data }) => timeService({ ...env, ...data }, join(root, 'bin/weblate-understudy'), ['serve']),
};

/** Needs `dist/`: npm run build. */
export async function benchStart(_server: BenchServer, { rounds }: Options): Promise<void> {
  const machine = makeMachine();
  const rows = new Map(Object.keys(ways).map((name) => [name, { first: [] as number[], next: [] as number[] }]));
  // The first start of each way isn't counted: Node compiles the program, and the system reads all files for the first time.
  for (const start of Object.values(ways)) await start(machine);
  for (let round = 1; round <= rounds; round++) {
    say(`start: round ${round}`);
    for (const [name, start] of Object.entries(ways)) {
      machine.wipe();
      rows.get(name)?.first.push(await start(machine));
      rows.get(name)?.next.push(await start(machine));
    }
  }
  for (const [name, { first, next }] of rows)
    addFigure(
      `Time to the first answer of \`${name}\` at its second start on a machine, median of ${rounds}`,
      `${median(next).toFixed(0)} ms`,
      `${median(first).toFixed(0)} ms at its first start`,
    );
  printRows(
    `From the call, or from the start of the process, to the first answer, ms; medians and ranges of ${rounds} starts`,
    ['', 'first on the machine', 'after that', 'ratio'],
    [...rows].map(([name, { first, next }]) => {
      return [name, describe(first), describe(next), (median(next) / median(first)).toFixed(2)];
    }),
  );
}

function makeMachine(): Machine {
  const folder = makeFolder();
  const [cache, data] = [join(folder, 'cache'), join(folder, 'data')];
  const { PATH = '', HOME = '/' } = process.env;
  return {
    // Compiled code stays: the time to compile isn't measured.
    env: { PATH, HOME, XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    data: { UNDERSTUDY_DATA_DIR: data },
    wipe() {
      for (const path of [cache, data]) rmSync(path, { recursive: true, force: true });
      mkdirSync(cache, { mode: 0o755 });
    },
  };
}

async function timeLibrary({ env, data }: Machine): Promise<number> {
  const library = pathToFileURL(join(root, 'dist/index.js')).href;
  const program = join(import.meta.dirname, 'programs/start-library.ts');
  const child = spawn(process.execPath, [program, library], {
    env: { ...env, ...data },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [tookMs] = (await once(child.stdout, 'data')) as [Buffer];
  child.stdin.end();
  await once(child, 'exit');
  return Number(tookMs);
}

async function timeService(env: Machine['env'], file: string, args: string[]): Promise<number> {
  const beganMs = performance.now();
  const settings = { ...env, DATABASE_URL: '', PORT: '0', LOG_LEVEL: 'silent' };
  await using service = await launch(file, args, settings);
  await (await fetch(`${service.url}/api/users/alice/notifications/`)).text();
  return performance.now() - beganMs;
}

const describe = (values: readonly number[]): string =>
  `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`;
