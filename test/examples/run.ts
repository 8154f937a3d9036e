// Runs an example as its reader would, and gives what it said.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const examples = join(import.meta.dirname, '../../examples');

export interface Ran {
  readonly code: number | null;
  /** Both streams. */
  readonly output: string;
}

export function run(
  command: readonly [string, ...string[]],
  { cwd = examples, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const [file, ...args] = command;
  // tap makes Node report in its own form to children that run tests, and hooks itself into each Node.
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, TAP: ___, ...inherited } = process.env;
  const child = spawn(file, args, { cwd, env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** The reason to skip where a command that the example needs isn't there, for `skip`; else false. */
export async function findMissing(what: string, command: readonly [string, ...string[]]): Promise<string | false> {
  const { code } = await run(command);
  return code === 0 ? false : `this machine has no ${what}`;
}
