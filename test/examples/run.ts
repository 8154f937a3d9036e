// Runs an example as a reader would, and returns its output.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { missingPython, preparePython } from '../support/python.ts';

export const examples = join(import.meta.dirname, '../../examples');

export interface Ran {
  readonly code: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

export function run(
  command: readonly [string, ...string[]],
  { cwd = examples, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const [file, ...args] = command;
  // tap's variables would change how tests in the child report, and load tap's hooks into every Node process.
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, TAP: ___, ...inherited } = process.env;
  const child = spawn(file, args, { cwd, env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** For `skip`: the reason if a command that the example needs is missing, else false. */
export async function findMissing(what: string, command: readonly [string, ...string[]]): Promise<string | false> {
  const { code } = await run(command);
  return code === 0 ? false : `this machine has no ${what}`;
}

/** Installs Python's wlc and requests; returns their folder, or an error. With PYTHON_PATH, a failure throws. */
export function findPythonClients(): string | Error {
  if (missingPython !== false) return new Error(missingPython);
  try {
    return preparePython(join(import.meta.dirname, 'wlc-requirements.txt'));
  } catch (error) {
    if (process.env['PYTHON_PATH']) throw error;
    return error as Error;
  }
}
