// Runs bin/weblate-understudy in a process of its own, as users start it; the process ends with the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Owner } from './database.ts';

const command = join(import.meta.dirname, '../../bin/weblate-understudy');

export interface Started {
  readonly child: ChildProcess;
  /** The process's output so far. */
  readonly said: { stdout: string; stderr: string };
  /** Resolves with the exit code, or the signal that ended the process. */
  readonly ended: Promise<number | string>;
  /** Sends SIGTERM; resolves as `ended` does. */
  end(): Promise<number | string>;
}

/** Runs `bin/weblate-understudy ARGUMENTS` with `env` and, of our own environment, PATH and HOME alone. */
export function startCommand(
  t: Owner,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin: 'ignore' | 'pipe' = 'ignore',
): Started {
  const { PATH = '', HOME = '/' } = process.env;
  const child = spawn(command, args, { env: { PATH, HOME, ...env }, stdio: [stdin, 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (chunk: Buffer) => {
      said[name] += chunk.toString('utf8');
    });
  const ended = once(child, 'close').then(([code, signal]): number | string => code ?? signal);
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const end = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { child, said, ended, end };
}

export interface Serving extends Started {
  /** The URL that the service printed. */
  readonly url: string;
}

/**
 * Starts the service on a free port; resolves when it listens. If the service ends first, throws its output.
 * @param onStderr called with all of standard error so far whenever more arrives
 */
export async function startServing(
  t: Owner,
  env: Readonly<Record<string, string>>,
  onStderr?: (said: string) => void,
): Promise<Serving> {
  if (env['DATABASE_URL'] === undefined) {
    const { providePackedCluster } = await import('./packed-cluster.ts');
    await providePackedCluster();
  }
  const started = startCommand(t, ['serve'], { PORT: '0', LOG_LEVEL: 'warn', ...env });
  const { child, said, ended } = started;
  for (;;) {
    const url = /^Understudy \S+ on (\S+),/m.exec(said.stderr)?.[1];
    if (url !== undefined) return { ...started, url };
    const code = await Promise.race([
      ended,
      once(child.stderr as NonNullable<typeof child.stderr>, 'data').then(() => undefined),
    ]);
    if (code !== undefined) throw new Error(`the service ended with ${code}: ${said.stderr}`);
    onStderr?.(said.stderr);
  }
}
