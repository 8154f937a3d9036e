// A list of the API, page after page.
import type { Static, TSchema } from '@sinclair/typebox';
import { type ApiClient, ImportError } from './weblate-client.ts';
import { expect, wire } from './wire.ts';

// Large enough for few requests, small enough for a server that is slow with each entry.
const pageSize = 200;

/** The token may not see the list. */
export const refused = new Set([401, 403, 404]);

/** All entries of a list; undefined where this token may not see it. */
export async function listAll<T extends TSchema>(
  client: ApiClient,
  path: string,
  entry: T,
): Promise<Static<T>[] | undefined> {
  const entries: Static<T>[] = [];
  const seen = new Set<string>();
  let next: string | null = client.resolve(`${path}?page_size=${pageSize}`);
  while (next !== null) {
    // A list that leads back to itself has no end.
    if (seen.has(next)) throw new ImportError(`${path} leads from page to page in a circle`);
    seen.add(next);
    const { status, body } = await client.get(next);
    if (refused.has(status) && seen.size === 1) return undefined;
    if (status !== 200) throw new ImportError(`${next} answered ${status}`);
    const page: Static<typeof wire.page> = expect(wire.page, body, path);
    for (const one of page.results) entries.push(expect(entry, one, path));
    next = page.next === null ? null : client.resolve(page.next);
  }
  return entries;
}
