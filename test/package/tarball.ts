// The tarball of dist/, as npm would publish it. `npm run test:package` builds dist/ before the tests.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Owner } from '../support/database.ts';

export const root = join(import.meta.dirname, '../..');
export const dist = join(root, 'dist');

export interface Tarball {
  readonly path: string;
  /** The paths inside. */
  readonly files: readonly string[];
}

/** An empty folder, removed with the test. */
export function makeFolder(t: Owner, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `understudy-${name}-`));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function pack(t: Owner): Tarball {
  const folder = makeFolder(t, 'tarball');
  const args = ['pack', '--json', '--pack-destination', folder];
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: dist, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack failed:\n${stderr}`);
  const answer = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  // npm 12 prints an object by package name, older versions an array.
  const packed = Object.values(answer)[0];
  if (packed === undefined) throw new Error(`npm pack named no tarball:\n${stdout}`);
  return { path: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}
