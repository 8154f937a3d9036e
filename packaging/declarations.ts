// Makes the declarations of the public modules with tsc: .d.ts for ESM, and the same as .d.cts for CommonJS.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const relativeModule = /(?<=\b(?:from|import)\s*\(?\s*['"]\.[^'"]*)\.ts(?=['"])/g;
const otherModule = /\b(?:from|import)\s*\(?\s*['"](?!\.|node:)([^'"]+)['"]/g;

// The only rooms that the public modules import, once `replaced` has replaced package/client/wire-types.ts.
const rooms = ['package', 'base'];

interface Declarations {
  /** The public modules, as paths relative to src/. */
  readonly sources: readonly string[];
  /** Packages that the declarations may import. */
  readonly external: readonly string[];
  /** Texts that replace files of the checkout, under the paths of these files relative to src/. */
  readonly replaced: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** Throws if tsc reports an error, or if a declaration imports a package that isn't in `external`. */
export function writeDeclarations(root: string, { sources, external, replaced, folder }: Declarations): void {
  const draft = `${folder}.draft`;
  for (const room of rooms) cpSync(join(root, 'src', room), join(draft, room), { recursive: true });
  for (const [source, text] of Object.entries(replaced)) writeFileSync(join(draft, source), text);
  const options = { noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true };
  const compilerOptions = { ...options, rootDir: draft, outDir: folder };
  const project = join(draft, 'tsconfig.json');
  writeFileSync(
    project,
    JSON.stringify({ extends: join(root, 'tsconfig.src.json'), compilerOptions, files: sources, include: [] }),
  );
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' });
  rmSync(draft, { recursive: true });
  if (status !== 0) throw new Error(`tsc failed:\n${stdout}`);
  for (const file of globSync(join(folder, '**/*.d.ts'))) {
    const text = readFileSync(file, 'utf8');
    const foreign = [...text.matchAll(otherModule)].flatMap(([, name = '']) => (external.includes(name) ? [] : [name]));
    if (foreign.length > 0) throw new Error(`${file} needs ${foreign.join(', ')}`);
    writeFileSync(file, text.replaceAll(relativeModule, '.js'));
    writeFileSync(file.replace(/\.d\.ts$/, '.d.cts'), text.replaceAll(relativeModule, '.cjs'));
  }
}
