// Python for a test: a virtual environment with pinned packages, which are downloaded once.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// .ci/run sets the variable if it finds a suitable Python.
const interpreter = process.env['PYTHON_PATH'] || 'python3';
const isSuitable = 'import ensurepip, sys; sys.exit(sys.version_info < (3, 10))';

/** Why this machine has no Python for tests; false if it has one. */
export const missingPython =
  spawnSync(interpreter, ['-c', isSuitable]).status !== 0 &&
  'this machine has no Python 3.10 or newer that can make environments';

/** Runs a program, and throws with its output if it fails. */
export function runPython(program: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

/**
 * Installs the packages that a file lists with their hashes, and returns the folder of their programs.
 */
export function preparePython(requirements: string): string {
  const key = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(import.meta.dirname, '../../node_modules/.cache/understudy-python', key);
  const programs = join(folder, 'bin');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return programs;
  mkdirSync(dirname(folder), { recursive: true });
  // Other test files may need the same packages. The system frees this lock however its holder ends.
  const lock = new DatabaseSync(`${folder}.lock`);
  lock.exec('pragma busy_timeout = 600000; begin exclusive');
  if (!existsSync(complete)) {
    runPython(interpreter, '-m', 'venv', '--clear', folder);
    const pinned = ['--no-deps', '--require-hashes', '--only-binary=:all:', '-r', requirements];
    runPython(join(programs, 'python'), '-m', 'pip', 'install', '--quiet', ...pinned);
    writeFileSync(complete, '');
  }
  lock.close();
  return programs;
}
