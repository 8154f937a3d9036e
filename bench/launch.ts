// The programs under load, each a process of its own, ended with the run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Running extends AsyncDisposable {
  /** `http://127.0.0.1:40123` */
  readonly url: string;
  readonly pid: number | undefined;
  /** Memory that the process holds now, in megabytes; undefined on systems without /proc. */
  readonly restMegabytes: () => number | undefined;
  /** Most memory that it ever held. */
  readonly peakMegabytes: () => number | undefined;
}

const root = join(import.meta.dirname, '..');
const startMs = 30_000;
// Ends with the bench, even if that is killed: its input closes then.
const serve = ['serve', '--exit-on-stdin-close'];

/** This repository's service on a database. */
export const launchService = (databaseUrl: string, nodeOptions = '', settings = {}): Promise<Running> =>
  launch(join(root, 'bin/understudy'), serve, {
    ...settings,
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: nodeOptions,
  });

/** The service as it is installed, or from its sources if it isn't built, with a PostgreSQL of its own that ends with it. */
export function launchTemporary(): Promise<Running> {
  const built = join(root, 'dist/understudy.js');
  const [file, ...args] = existsSync(built) ? [process.execPath, built] : [join(root, 'bin/understudy')];
  const env = { DATABASE_URL: '', PORT: '0', LOG_LEVEL: 'warn' };
  return launch(file, [...args, ...serve, '--temporary'], env);
}

/** A program of `programs/` on a database. */
export const launchPlain = (name: string, args: string[], databaseUrl: string): Promise<Running> =>
  launch(process.execPath, [join(import.meta.dirname, 'programs', `${name}.ts`), ...args], {
    DATABASE_URL: databaseUrl,
  });

// Resolves when the program has printed where it listens.
async function launch(command: string, args: string[], env: Record<string, string>): Promise<Running> {
  // Variables that the user set for another service must not reach this one.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERSTUDY_'));
  const child = spawn(command, args, {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: 'pipe',
  });
  try {
    const url = await readUrl(child);
    return {
      url,
      pid: child.pid,
      restMegabytes: () => megabytes(child.pid, 'VmRSS'),
      peakMegabytes: () => megabytes(child.pid, 'VmHWM'),
      [Symbol.asyncDispose]: () => end(child),
    };
  } catch (error) {
    await end(child);
    throw error;
  }
}

function readUrl(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${child.spawnargs.join(' ')} ${why}:\n${said}`));
    const timer = setTimeout(() => fail('did not start'), startMs);
    const listen = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
      const url = /http:\/\/[\w.]+:\d+/.exec(said)?.[0];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('error', reject);
    child.once('exit', () => {
      clearTimeout(timer);
      fail('ended');
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  // The service reads its input, which would keep the process alive.
  child.stdin?.destroy();
  const hard = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(hard);
}

function megabytes(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number | undefined {
  try {
    const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}
