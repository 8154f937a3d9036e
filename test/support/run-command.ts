// Runs a command of bin/weblate-understudy in this process.
import type { Command } from '../../src/cli/command.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Whether standard error is a terminal. */
  readonly isTTY?: boolean;
  /** Called with all of standard error so far whenever the command writes to it. */
  readonly onStderr?: (text: string) => void;
}

export async function runCommand(command: Command, args: string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, signal = new AbortController().signal, isTTY = false, onStderr } = options;
  const written = { stdout: '', stderr: '' };
  const stdout = { write: (text: string) => void (written.stdout += text) };
  const stderr = {
    isTTY,
    write(text: string) {
      written.stderr += text;
      onStderr?.(written.stderr);
    },
  };
  const code = await command.run(args, { stdout, stderr, env, signal });
  return { code, ...written };
}
