// Where the sources declare an operation.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '../../src/weblate/resources.ts';
import { toName } from '../transcripts/engine/classes.ts';

const root = join(import.meta.dirname, '../..');
const declared = resources.flatMap(({ operations }) => operations);

/** Such as `GET /api/users/{username}/`, in the order of the documents. */
export const operations: readonly string[] = declared.map(({ method, url }) => `${method} ${toName(url)}`);

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
  return found && `${found.file}:${found.text.slice(0, found.text.search(wanted)).split('\n').length}`;
}
