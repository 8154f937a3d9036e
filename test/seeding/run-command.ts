// Runs a command in this process, and gives what it wrote and how it ended.
import type { Command } from '../../src/cli/command.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** Told all that was written on stderr so far. */
  readonly onStderr?: (text: string) => void;
}

export async function runCommandHere(command: Command, args: string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, signal = new AbortController().signal, onStderr } = options;
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    write(text: string) {
      written[name] += text;
      if (name === 'stderr') onStderr?.(written.stderr);
    },
  });
  const code = await command.run(args, { stdout: output('stdout'), stderr: output('stderr'), env, signal });
  return { code, ...written };
}
