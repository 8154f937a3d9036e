// The import arrows of the design ("The house"), and where SQL may stand, read from the files' own lines.
import { dirname, join, normalize } from 'node:path';

/** Which folders and files of src/ a folder may use, beside itself and the leaves. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  browsable: [],
  database: [],
  transcripts: [],
  auth: ['database', 'http'],
  http: ['auth', 'browsable', 'database'],
  resources: ['auth', 'database', 'http'],
  openapi: ['auth', 'browsable', 'http', 'resources'],
  seeding: ['auth', 'database', 'http', 'resources'],
  admin: ['auth', 'browsable', 'database', 'http', 'openapi', 'resources', 'seeding'],
  'config.ts': [],
  'app.ts': ['admin', 'auth', 'browsable', 'config.ts', 'database', 'http', 'openapi', 'resources', 'seeding'],
  'settings.ts': ['admin', 'app.ts', 'config.ts', 'database'],
  'serving.ts': ['app.ts', 'config.ts', 'database', 'http', 'settings.ts'],
  'workers-messages.ts': ['admin', 'browsable', 'config.ts'],
  'workers.ts': ['admin', 'workers-messages.ts'],
  'workers-child.ts': ['admin', 'database', 'serving.ts', 'settings.ts', 'workers-messages.ts'],
  'server.ts': ['config.ts', 'database', 'seeding', 'serving.ts', 'settings.ts', 'workers-messages.ts', 'workers.ts'],
  cli: [
    'admin',
    'app.ts',
    'config.ts',
    'database',
    'http',
    'openapi',
    'resources',
    'seeding',
    'server.ts',
    'settings.ts',
    'transcripts',
  ],
};

/** Used by everybody, using nobody. */
const leaves = ['log.ts', 'nearest.ts', 'readable-log.ts', 'version.ts'];

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
