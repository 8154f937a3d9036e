// bin/understudy in a process of its own, as its users start it, ended with the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Owner } from './database.ts';

const command = join(import.meta.dirname, '../../bin/understudy');

export interface Started {
  readonly child: ChildProcess;
  /** What it has written so far. */
  readonly said: { stdout: string; stderr: string };
  /** Resolves with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Sends SIGTERM; resolves as `ended` does. */
  end(): Promise<number | string>;
}

/** Runs `bin/understudy ARGUMENTS` with nothing of our environment but what it takes to run, and `env`. */
export function startCommand(t: Owner, args: readonly string[], env: Readonly<Record<string, string>>): Started {
  const { PATH = '', HOME = '/' } = process.env;
  const child = spawn(command, args, { env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
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
  /** As it said. */
  readonly url: string;
}

/**
 * Starts the service on a free port; resolves when it says where. Throws with what it said if it ends before.
 * @param onStderr gets all of standard error so far whenever more comes
 */
export async function startServing(
  t: Owner,
  env: Readonly<Record<string, string>>,
  onStderr?: (said: string) => void,
): Promise<Serving> {
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
