// Packages that npm installs into a temporary folder: programs to measure, no dependencies of ours.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const timeoutMs = 300_000;
/** npm's stack trace follows. */
const shownLines = 4;

/** @param packages such as `json-server@0.17.4` */
export async function fetchPackages(folder: string, packages: readonly string[], signal: AbortSignal): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const quiet = '--prefer-offline --no-audit --no-fund --no-package-lock --ignore-scripts --loglevel=error';
  try {
    const args = ['install', '--prefix', folder, ...quiet.split(' '), ...packages];
    await promisify(execFile)('npm', args, { cwd: folder, signal, timeout: timeoutMs });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(
      `npm could not fetch ${packages.join(', ')}, which the bench measures and this package doesn't contain. ` +
        `It needs npm and its registry:\n${(stderr || message).trim().split('\n', shownLines).join('\n')}`,
      { cause: error },
    );
  }
}
