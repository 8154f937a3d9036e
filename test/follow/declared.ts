// Which declared operation a request belongs to, and where the sources declare it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../src/weblate/resources.ts';
import { toPattern } from '../transcripts/engine/classes.ts';
import type { TranscriptRequest } from '../transcripts/engine/transcript.ts';

const root = join(import.meta.dirname, '../..');
const declared = resources.flatMap(({ operations }) => operations);

/** `GET /api/users/{username}/` of `GET /api/users/:username/`. */
export const toName = (url: string): string => url.replaceAll(/:(\w+)/gu, '{$1}');
const paths = [...new Set(declared.map(({ url }) => url))].map((url) => ({
  name: toName(url),
  form: new RegExp(`^${url.replaceAll(/:\w+/gu, '[^/]+')}$`, 'u'),
}));

/** Such as `GET /api/users/{username}/`, in the order of the documents. */
export const operations: readonly string[] = declared.map(({ method, url }) => `${method} ${toName(url)}`);

/** Also for a method that isn't declared, or a path that isn't served. */
export function operationOf({ method, path }: Pick<TranscriptRequest, 'method' | 'path'>): string {
  const bare = path.replace(/\?.*$/su, '');
  return `${method} ${paths.find(({ form }) => form.test(bare))?.name ?? toPattern(bare)}`;
}

/** `src/weblate/users/operations.ts:58`; for a method that isn't declared, the place of its path. */
export function lineOf(operation: string): string | undefined {
  const path = operation.slice(operation.indexOf(' ') + 1);
  const index = operations.indexOf(operation);
  const { id } = declared[index === -1 ? operations.findIndex((one) => one.endsWith(` ${path}`)) : index] ?? {};
  if (id === undefined) return undefined;
  // Those of a read-only resource are declared together, by its name.
  const [resource] = id.split('_');
  return (
    findLine(new RegExp(`(?<=on\\(\\s*'[A-Z]+',\\s*)'${id}'`, 'u')) ??
    findLine(new RegExp(`(?<=Operations\\(\\{\\s+)name: '${resource}'`, 'u'))
  );
}

const files = globSync('src/weblate/**/*.ts', { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));

function findLine(wanted: RegExp): string | undefined {
  const found = files.find(({ text }) => wanted.test(text));
  return found && `${found.file}:${countLines(found.text, found.text.search(wanted))}`;
}

const countLines = (text: string, end: number): number => text.slice(0, end).split('\n').length;

const differencesFile = 'test/transcripts/data/differences.json';
const listed = readFileSync(join(root, differencesFile), 'utf8');

/** Where differences.json has the step. */
export function lineOfListed(scenario: string, step: string): string | undefined {
  const from = listed.indexOf(`${JSON.stringify(scenario)}: {`);
  const at = from === -1 ? -1 : listed.indexOf(`${JSON.stringify(step)}: `, from);
  return at === -1 ? undefined : `${differencesFile}:${countLines(listed, at)}`;
}
