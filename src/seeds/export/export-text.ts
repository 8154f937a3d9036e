// Writes a sandbox as a seed that recreates it with its ids and order. Columns of users that hold their first value are
// left out, and so are tokens, of which only hashes are stored. Memory holds a page of rows at a time.
import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'pg';
import { initialValues, type Kind, propertiesOf } from '../../model/kinds.ts';
import { getNextIds, listNamedGroups, readPages, type Snapshot } from './queries.ts';
import { type Layout, listText } from './export-write.ts';

type Entry = Readonly<Record<string, unknown>>;

/** In the order of the text. A user's subscriptions are written with the user. */
export const lists = ['users', 'groups', 'projects', 'components'] as const;

export async function* textOf(client: Client, snapshot: Snapshot, layout: Layout): AsyncGenerator<string> {
  const { id: sandboxId, now } = snapshot;
  const { first, next, close, empty } = layout.list;
  const groupNames = new Map((await listNamedGroups(client, sandboxId)).map(({ id, name }) => [id, name]));
  // Yielded only with the first rows: until then a failure can still become an error response.
  let text = layout.begin + (now === null ? '' : layout.key('now') + layout.text(now));
  for (const list of lists) {
    text += layout.key(list);
    let isEmpty = true;
    for await (const rows of readPages(client, list, sandboxId)) {
      const entries = rows.map((row) => entryText(list, row, groupNames, layout));
      yield text + (isEmpty ? first : next) + entries.join(next);
      text = '';
      isEmpty = false;
    }
    text += isEmpty ? empty : close;
  }
  yield text + layout.key('next_id') + layout.last(await getNextIds(client, sandboxId));
}

/**
 * What a seed says of a row, as text. A user's row has its subscriptions.
 * @param groupNames by id, of the groups that users name so; they name others by id
 */
export function entryText(kind: Kind, row: Entry, groupNames: ReadonlyMap<number, string>, layout: Layout): string {
  if (kind !== 'users') return layout.entry(entryOf(kind, row));
  const defaults = initialValues('users', String(row['username']));
  const groups = (row['groups'] as number[]).map((group) => groupNames.get(group) ?? group);
  const all = Object.entries(entryOf('users', { ...row, groups }));
  const changed = all.filter(([key, value]) => !isDeepStrictEqual(value, defaults[key]));
  const subscriptions = (row['subscriptions'] as Entry[]).map((one) => layout.entry(entryOf('subscriptions', one)));
  return layout.user(Object.fromEntries(changed)) + listText(layout.subscriptions, subscriptions);
}

/** By the properties of `kinds`, and `id`. Nulls are left out. */
function entryOf(kind: Kind, row: Entry): object {
  const entry: Record<string, unknown> = {};
  for (const [name, { codes = {} }] of [['id', {}] as const, ...propertiesOf(kind)]) {
    const value = row[name] ?? undefined;
    if (value !== undefined) entry[name] = Object.keys(codes).find((word) => codes[word] === value) ?? value;
  }
  return entry;
}
