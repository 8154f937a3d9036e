// Packages that npm installs into a temporary folder: programs to measure, no dependencies of ours.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../folder.ts';
import { builtService } from '../launch.ts';
import { say } from '../report.ts';

const timeoutMs = 300_000;

/**
 * Returns a folder that has the packages. Our own package must be built.
 * @param part the part of the bench that needs the packages
 * @param packages such as `json-server@0.17.4`
 */
export async function fetchPackages(part: string, packages: readonly string[]): Promise<string> {
  if (!existsSync(builtService)) throw new Error(`${part} needs the built package: run npm run build first`);
  const folder = makeFolder();
  say(`${part}: fetching ${packages.join(', ')}`);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const quiet = '--prefer-offline --no-audit --no-fund --no-package-lock --ignore-scripts --loglevel=error';
  const args = ['install', '--prefix', folder, ...quiet.split(' '), ...packages];
  await promisify(execFile)('npm', args, { cwd: folder, timeout: timeoutMs });
  return folder;
}
