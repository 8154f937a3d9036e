// Starts the programs under load, each as a process of its own. They end with the run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface Running extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

export interface LaunchOptions {
  readonly cwd?: string;
  /** Resolves with the program's URL once the program answers. Without this function, the program has to print its URL. */
  readonly awaitUrl?: (signal: AbortSignal) => Promise<string>;
}

const root = join(import.meta.dirname, '..');
/** The command as an installation has it: `npm run build` makes the file. */
export const builtService = join(root, 'dist/understudy.js');
const startMs = 30_000;
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill()));
// With this option, a killed bench ends the service too, because the service's standard input closes.
const serve = ['serve', '--exit-on-stdin-close'];

/** This repository's service on a database. */
export const launchService = (databaseUrl: string, settings = {}): Promise<Running> =>
  launch(join(root, 'bin/weblate-understudy'), serve, {
    ...settings,
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'warn',
  });

/** The built service, or the sources if nothing is built, with an embedded PostgreSQL that ends with the service. */
export function launchTemporary(settings = {}): Promise<Running> {
  const [file, ...args] = existsSync(builtService)
    ? [process.execPath, builtService]
    : [join(root, 'bin/weblate-understudy')];
  const env = { DATABASE_URL: '', PORT: '0', LOG_LEVEL: 'warn', ...settings };
  return launch(file, [...args, ...serve, '--temporary'], env);
}

/** The program that a benchmark compares with the service: it lists and writes subscriptions in plain SQL. */
export const launchPlain = (connections: 'pool' | 'pipelined', databaseUrl: string): Promise<Running> =>
  launch(process.execPath, [join(import.meta.dirname, 'programs/plain.ts'), connections], {
    DATABASE_URL: databaseUrl,
  });

/** Resolves when the program listens. */
export async function launch(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { cwd, awaitUrl }: LaunchOptions = {},
): Promise<Running> {
  // Variables that the user set for another service must not reach this one.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERSTUDY_'));
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...Object.fromEntries(inherited), ...env },
    // With `awaitUrl`, standard output is only a log, which the bench ignores.
    stdio: ['pipe', awaitUrl === undefined ? 'pipe' : 'ignore', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  try {
    const url = await readyAt(child, awaitUrl);
    return { url, pid: child.pid as number, [Symbol.asyncDispose]: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

function readyAt(child: ChildProcess, awaitUrl: LaunchOptions['awaitUrl']): Promise<string> {
  let said = '';
  const over = new AbortController();
  return new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${child.spawnargs.join(' ')} ${why}:\n${said}`));
    const timer = setTimeout(() => fail('did not start'), startMs);
    over.signal.addEventListener('abort', () => clearTimeout(timer));
    const listen = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
      const url = /http:\/\/[\w.]+:\d+/.exec(said)?.[0];
      if (awaitUrl === undefined && url !== undefined) resolve(url);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('error', reject);
    child.once('exit', () => fail('ended'));
    awaitUrl?.(over.signal).then(resolve, reject);
  }).finally(() => over.abort());
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(hard);
}
