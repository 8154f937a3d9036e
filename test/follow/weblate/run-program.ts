// Runs another program in a process group of its own, so that the processes that it starts end with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface ProgramOptions {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: number;
}

export interface Program {
  readonly ended: Promise<number | string>;
  readonly end: () => Promise<void>;
}

export function startProgram([file = '', ...args]: readonly string[], options: ProgramOptions): Program {
  const { output, ...others } = options;
  const child = spawn(file, args, { ...others, detached: true, stdio: ['ignore', output, output] });
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  // A failure is reported where `ended` is awaited.
  ended.catch(() => {});
  const end = async () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    } catch {}
    await ended.catch(() => {});
  };
  return { ended, end };
}

/** Resolves as `ended`. If `signal` aborts, ends the program, then rejects with the reason of the abort. */
export async function runProgram(
  command: readonly string[],
  { signal, ...options }: ProgramOptions & { readonly signal: AbortSignal },
): Promise<number | string> {
  signal.throwIfAborted();
  const { ended, end } = startProgram(command, options);
  const stop = () => void end();
  signal.addEventListener('abort', stop);
  try {
    const code = await ended;
    signal.throwIfAborted();
    return code;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
