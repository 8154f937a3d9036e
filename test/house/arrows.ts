// The import arrows of the design ("The house"), and where SQL may stand, read from the files' own lines.
import { dirname, join, normalize } from 'node:path';

/** Which folders and files of src/ a folder may use, beside itself and the leaves. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  database: [],
  'embedded-postgres': [],
  pages: [],
  transcripts: [],
  yaml: [],
  access: ['database'],
  api: ['access', 'database', 'pages', 'yaml'],
  edge: ['access', 'api'],
  monitoring: ['database'],
  resources: ['access', 'api', 'database', 'pages'],
  seed: ['resources', 'yaml'],
  load: ['database', 'seed'],
  export: ['resources', 'seed'],
  generate: ['database', 'load', 'resources', 'seed'],
  import: ['generate', 'resources', 'seed'],
  sandboxes: ['access', 'api', 'database', 'export', 'load', 'seed', 'traffic'],
  traffic: ['access', 'api', 'database', 'load', 'sandboxes'],
  openapi: ['access', 'api', 'pages', 'seed', 'traffic'],
  'own-api.ts': ['access', 'api', 'database', 'export', 'sandboxes', 'traffic'],
  'app.ts': ['access', 'api', 'database', 'edge', 'monitoring', 'openapi', 'own-api.ts', 'pages', 'resources'],
  process: [
    'app.ts',
    'api',
    'database',
    'edge',
    'embedded-postgres',
    'load',
    'monitoring',
    'own-api.ts',
    'pages',
    'sandboxes',
    'seed',
  ],
  cli: [
    'api',
    'database',
    'embedded-postgres',
    'export',
    'generate',
    'import',
    'load',
    'process',
    'sandboxes',
    'seed',
    'transcripts',
  ],
};

/** Used by everybody, using nobody. */
const leaves = ['errors.ts', 'nearest.ts', 'utc.ts', 'version.ts'];

const holdsQueries = (file: string) => /(?:^|[/-])queries\.ts$/.test(file);

/**
 * What the files break, a line each.
 * @param files texts by their paths under src/
 */
export function findBroken(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, text]) => [
    ...importsOf(text).flatMap((specifier) => {
      const target = normalize(join(dirname(file), specifier));
      const why = whyNot(file, target);
      return why === undefined ? [] : [`${file} uses ${target}: ${why}`];
    }),
    ...(hasSql(text) && !mayHoldSql(file) ? [`${file} holds SQL`] : []),
  ]);
}

function importsOf(text: string): string[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  return [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '');
}

function whyNot(file: string, target: string): string | undefined {
  const [from, to] = [partOf(file), partOf(target)];
  if (target.startsWith('..')) return '../migrations' === dirname(target) ? undefined : 'it lies outside of src/';
  if (from === 'resources' && to === 'resources') {
    const isOther = file.split('/')[1] !== target.split('/')[1];
    return isOther && holdsQueries(target) ? "it is another resource's queries" : undefined;
  }
  if (from === to || leaves.includes(to)) return undefined;
  if (leaves.includes(from)) return leaves.includes(to) ? undefined : 'a leaf uses nobody';
  const allowed = mayUse[from];
  if (allowed === undefined) return `nothing is said of ${from}`;
  return allowed.includes(to) ? undefined : `${from} doesn't use ${to}`;
}

const partOf = (file: string) => file.split('/', 1)[0] ?? '';

const hasSql = (text: string): boolean =>
  /\bsql(?:<[^`]*>)?`|\bsql\.(?:raw|lit|ref)\(|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/.test(text);

const mayHoldSql = (file: string): boolean => partOf(file) === 'database' || holdsQueries(file);
