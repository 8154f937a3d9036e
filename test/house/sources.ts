// The source files, and which file imports which, read from the files' lines. Type imports count too.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Texts by their paths under src/. */
export type Sources = ReadonlyMap<string, string>;

export function readSources(folder: string): Sources {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

export interface Import {
  readonly from: string;
  /** The path under src/; begins with `..` if the file lies outside of src/. */
  readonly to: string;
}

/** The text of a program without its comments. */
const codeOf = (path: string, text: string): string =>
  /\.[cm]?[jt]s$/.test(path) ? text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '') : '';

export function listImports(sources: Sources): Import[] {
  return [...sources].flatMap(([from, text]) => {
    const code = codeOf(from, text);
    const specifiers = [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '');
    return specifiers.map((specifier) => ({ from, to: normalize(join(dirname(from), specifier)) }));
  });
}

const packageName = String.raw`((?:@[\w-]+/)?[\w.-]+)(?=['/])`;
const statement = String.raw`^(?:import|export|\})(?:[^'\n]*\bfrom)?\s'|\bimport\('|'node_modules/`;
const anyPackage = new RegExp(`(?:${statement})(?!\\.)${packageName}`, 'gm');

/** The packages that the files import at run time, or whose files they read; sorted. */
export function listPackages(sources: Sources): string[] {
  const names = [...sources].flatMap(([path, text]) => {
    const code = codeOf(path, text).replaceAll(/^import type [^;]+;/gm, '');
    return [...code.matchAll(anyPackage)].map(([, name]) => name ?? '');
  });
  return [...new Set(names)].toSorted();
}

/**
 * The import as an arrow between two entries of the same folder: `api/body/decode.ts -> api/wire/ids.ts` is
 * `api/body -> api/wire`, and `app.ts -> api/call.ts` is `app.ts -> api`.
 */
export function toArrow({ from, to }: Import): Import {
  const [a, b] = [from.split('/'), to.split('/')];
  const shared = a.findIndex((part, i) => part !== b[i]) + 1;
  return { from: a.slice(0, shared).join('/'), to: b.slice(0, shared).join('/') };
}
