// The Nodes that the package must run on, each as a folder to put on PATH. npm brings them at the first run.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './tarball.ts';

/** The oldest that package.json allows, the one in long-term support, and this one. */
export const versions = ['22.13.0', '24.21.0', process.versions.node] as const;

/** The folder of the program; throws if npm can't install it. */
export function folderOf(version: string): string {
  if (version === process.versions.node) return dirname(process.execPath);
  const { platform, arch } = process;
  const name = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`;
  const prefix = join(root, 'node_modules/.cache/understudy-nodes', version);
  const folder = join(prefix, 'node_modules', name, 'bin');
  if (!existsSync(join(folder, 'node'))) {
    const args = ['install', '--prefix', prefix, '--no-save', '--ignore-scripts', `${name}@${version}`];
    const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm could not install Node ${version}:\n${stderr}`);
  }
  return folder;
}
