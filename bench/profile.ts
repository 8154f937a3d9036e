// Where the service spends its time serving lists on 32 connections: a CPU profile by module.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchServer } from './databases.ts';
import { fillDatabase } from './fill.ts';
import { launchService } from './launch.ts';
import { readOf } from './list.ts';
import { load } from './load.ts';
import type { Options } from './options.ts';
import { print, say, whole } from './report.ts';

const users = 10_000;
const root = join(import.meta.dirname, '..');

/** The slice of V8's format that we use. */
interface CpuProfile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string; url: string } }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
  /** Microseconds on the machine's clock, the same in all processes. */
  readonly startTime: number;
}

export async function benchProfile(server: BenchServer, options: Options): Promise<void> {
  say(`profile: filling a database with ${whole(users)} users`);
  const url = await server.createDatabase('profile');
  await fillDatabase(url, users);
  const folder = await mkdtemp(join(tmpdir(), 'understudy-profile-'));
  try {
    const { perSecond, used, ...span } = await loadProfiled(url, folder, options);
    const profiles = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
    const profile = JSON.parse(await readFile(join(folder, profiles[0] ?? ''), 'utf8')) as CpuProfile;
    print(`\n**Where the time goes, ${whole(perSecond)} lists a second under the profiler**\n`);
    printShares(profile, span, used);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function loadProfiled(url: string, folder: string, { connections, seconds, rounds }: Options) {
  // Ended before the profile is read: Node writes it when the process ends.
  await using service = await launchService(url, `--cpu-prof --cpu-prof-dir=${folder}`);
  say('profile: load');
  const requests = Array.from({ length: 20_000 }, () => readOf(users));
  const asked = { url: service.url, requests, once: false, connections: connections?.[0] ?? 32 };
  const startMicros = clockMicros();
  const measured = await load({ ...asked, seconds: seconds * rounds });
  return { ...measured, startMicros, endMicros: clockMicros() };
}

const clockMicros = () => Number(process.hrtime.bigint() / 1000n);

// Samples outside the span belong to the program's start and end.
function printShares(profile: CpuProfile, span: { startMicros: number; endMicros: number }, requests: number): void {
  const { nodes, samples, timeDeltas } = profile;
  const moduleOf = new Map(nodes.map(({ id, callFrame }) => [id, nameModule(callFrame.functionName, callFrame.url)]));
  const micros = new Map<string, number>();
  let now = profile.startTime;
  for (const [i, id] of samples.entries()) {
    now += timeDeltas[i] as number;
    if (now < span.startMicros || now > span.endMicros) continue;
    const name = moduleOf.get(id) as string;
    micros.set(name, (micros.get(name) ?? 0) + (timeDeltas[i] as number));
  }
  const idle = micros.get('(idle)') ?? 0;
  micros.delete('(idle)');
  const busy = [...micros.values()].reduce((sum, value) => sum + value, 0);
  print('| module | share of busy time | µs a request |\n| --- | ---: | ---: |');
  for (const [name, value] of [...micros].toSorted(([, a], [, b]) => b - a)) {
    const share = (100 * value) / busy;
    if (share >= 0.5) print(`| ${name} | ${share.toFixed(1)} % | ${(value / requests).toFixed(2)} |`);
  }
  print(`\nIdle: ${((100 * idle) / (busy + idle)).toFixed(0)} %.`);
}

// Our files one by one, packages and Node's own modules as a whole.
function nameModule(functionName: string, url: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : `(native) ${functionName || 'anonymous'}`;
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  const path = relative(root, url.startsWith('file:') ? fileURLToPath(url) : url);
  return /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path;
}
