// Package managers: how each installs a tarball into a project.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from './project.ts';
import { root } from './tarball.ts';

export type Install = (project: Project, tarball: string, options?: readonly string[]) => void;

/** The npm that runs this test. */
const npm: Install = (project, tarball, options = []) =>
  void project.run('npm', ['install', '--save-dev', '--no-audit', '--no-fund', ...options, tarball]);

/** Returns the path of a file in an npm package. The first call installs the package. */
export function fetchProgram(name: string, version: string, file: string, overrides = {}): string {
  const prefix = join(root, 'node_modules/.cache', `understudy-${name.replace(/\W+/g, '-')}`, version);
  const program = join(prefix, 'node_modules', name, file);
  if (!existsSync(program)) {
    mkdirSync(prefix, { recursive: true });
    writeFileSync(join(prefix, 'package.json'), JSON.stringify({ private: true, overrides }));
    const args = ['install', '--prefix', prefix, '--no-save', '--ignore-scripts', `${name}@${version}`];
    const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm could not install ${name}:\n${stderr}`);
  }
  return program;
}

const pnpm: Install = (project, tarball, options = []) => {
  const program = fetchProgram('pnpm', '12.21.0', 'bin/pnpm.mjs');
  project.run('node', [program, 'add', '--save-dev', ...options, tarball]);
};

/** Installs with Yarn's Plug'n'Play. Returns a function that runs Yarn's commands in the project. */
export function installByYarn(project: Project, tarball: string): (...args: string[]) => string {
  const program = fetchProgram('@yarnpkg/cli-dist', '4.18.1', 'bin/yarn.js');
  const yarn = (...args: string[]) => project.run('node', [program, ...args]);
  writeFileSync(join(project.folder, 'yarn.lock'), '');
  for (const [setting, value] of Object.entries({
    npmRegistryServer: process.env['npm_config_registry'],
    httpsCaFilePath: process.env['npm_config_cafile'] ?? process.env['NODE_EXTRA_CA_CERTS'],
    globalFolder: join(project.folder, '.yarn/global'),
    enableTelemetry: 'false',
  }))
    if (value !== undefined) yarn('config', 'set', setting, value);
  yarn('add', '--dev', `weblate-understudy@file:${tarball}`);
  return yarn;
}

export const managers = { npm, pnpm };
