// A list of the API, page after page.
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { type ApiClient, ImportError } from './weblate-client.ts';
import { expect } from './wire.ts';

// Large enough for few requests, small enough for a server that is slow with each entry.
const pageSize = 200;

/** The token may not see it. */
export const refused = new Set([401, 403, 404]);

/** All entries of a list; undefined where the token may not see it. */
export async function listAll<T extends TSchema>(client: ApiClient, path: string, entry: T) {
  const page = Type.Object({ next: Type.Union([Type.String(), Type.Null()]), results: Type.Array(entry) });
  const entries: Static<T>[] = [];
  const seen = new Set<string>();
  for (let url: string | null = `${path}?page_size=${pageSize}`; url !== null;) {
    if (seen.has(url)) throw new ImportError(`${path} leads from page to page in a circle`);
    seen.add(url);
    const { status, body } = await client.get(url);
    if (refused.has(status) && seen.size === 1) return undefined;
    if (status !== 200) throw new ImportError(`${url} answered ${status}`);
    const { next, results } = expect(page, body, path);
    for (const one of results) entries.push(one);
    url = next;
  }
  return entries;
}
