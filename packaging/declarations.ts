// Declarations of the public modules, by tsc: a tree of .d.ts for ESM, and the same as .d.cts for CommonJS. It has what the public
// modules reach, and nothing else of what tsc writes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const relativeModule = /(?<=\b(?:from|import)\s*\(?\s*['"]\.[^'"]*)\.ts(?=['"])/g;
const importedModule = /\b(?:from|import)\s*\(?\s*['"](?!node:)([^'"]+)['"]/g;

interface Declarations {
  /** The public modules. */
  readonly sources: readonly string[];
  /** Packages that the declarations may import. */
  readonly external: readonly string[];
  /** Declarations in place of those that tsc writes, by their sources. */
  readonly replaced: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** Throws where tsc reports an error, or a declaration needs a package that isn't installed with ours. */
export function writeDeclarations(root: string, { sources, external, replaced, folder }: Declarations): void {
  const files = sources.map((source) => join(root, source));
  const draft = `${folder}.draft`;
  const options = { noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true };
  const compilerOptions = { ...options, rootDir: root, outDir: draft };
  const project = `${folder}.tsconfig.json`;
  writeFileSync(
    project,
    JSON.stringify({ extends: join(root, 'tsconfig.src.json'), compilerOptions, files, include: [] }),
  );
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' });
  rmSync(project);
  if (status !== 0) throw new Error(`tsc failed:\n${stdout}`);
  const reached = new Set(sources);
  for (const source of reached) {
    const declaration = source.replace(/ts$/, 'd.ts');
    const text = replaced[source] ?? readFileSync(join(draft, declaration), 'utf8');
    for (const [, name = ''] of text.matchAll(importedModule))
      if (name.startsWith('.')) reached.add(join(dirname(source), name));
      else if (!external.includes(name)) throw new Error(`${declaration} needs ${name}`);
    const file = join(folder, declaration.replace('src/', ''));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll(relativeModule, '.js'));
    writeFileSync(file.replace(/ts$/, 'cts'), text.replaceAll(relativeModule, '.cjs'));
  }
  rmSync(draft, { recursive: true });
}
