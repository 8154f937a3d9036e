// Packages that npm installs into a temporary folder: programs to measure, no dependencies of ours.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtService } from '../launch.ts';
import { say } from '../report.ts';

const timeoutMs = 300_000;
/** npm's stack trace follows. */
const shownLines = 4;

/**
 * Does the work in a folder that has the packages, and removes it. Our own package must be built.
 * @param part of the bench
 * @param packages such as `json-server@0.17.4`
 * @param work gets a signal that Ctrl-C aborts
 */
export async function withPackages(
  part: string,
  packages: readonly string[],
  work: (folder: string, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (!existsSync(builtService)) throw new Error(`${part} measures the service as installed: npm run build makes it`);
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const folder = await mkdtemp(join(tmpdir(), `understudy-${part}-`));
  try {
    // If root starts our PostgreSQL, it runs as another user, who needs access.
    await chmod(folder, 0o711);
    say(`${part}: fetching ${packages.join(', ')}`);
    await fetchPackages(folder, packages, interrupt.signal);
    await work(folder, interrupt.signal);
  } catch (error) {
    // Ctrl-C ends the programs too, so that the error may be about one of them.
    throw interrupt.signal.aborted ? new Error('interrupted', { cause: error }) : error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await rm(folder, { recursive: true, force: true });
  }
}

async function fetchPackages(folder: string, packages: readonly string[], signal: AbortSignal): Promise<void> {
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
