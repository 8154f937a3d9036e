// Writes a sandbox as a seed that recreates it with its ids and order. Columns of users that hold their first value are
// left out, and so are tokens. Memory holds a page of rows at a time.
import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'pg';
import { initialValues, type Kind, propertiesOf } from '../../model/kinds.ts';
import { getNextIds, listNamedGroups, readPages, type Row, type Snapshot } from './queries.ts';
import type { Layout } from './export-write.ts';

export async function* textOf(client: Client, snapshot: Snapshot, layout: Layout): AsyncGenerator<string> {
  const { id: sandboxId, now } = snapshot;
  const begin = layout.begin + (now === null ? '' : layout.key('now') + layout.text(now));
  yield* usersText(client, sandboxId, layout, begin);
  const { first, next, close, empty } = layout.list;
  for (const list of ['groups', 'projects', 'components'] as const) {
    yield layout.key(list);
    let isEmpty = true;
    for await (const rows of readPages(client, list, sandboxId)) {
      yield (isEmpty ? first : next) + rows.map((row) => layout.entry(entryOf(list, row))).join(next);
      isEmpty = false;
    }
    yield isEmpty ? empty : close;
  }
  yield layout.key('next_id') + layout.last(await getNextIds(client, sandboxId));
}

// Users and subscriptions are read side by side, in the same order: a user may have any number of subscriptions.
async function* usersText(client: Client, sandboxId: number, layout: Layout, begin: string): AsyncGenerator<string> {
  const { list, subscriptions: inner } = layout;
  const groupNames = new Map((await listNamedGroups(client, sandboxId)).map(({ id, name }) => [id, name]));
  const pages = readPages(client, 'subscriptions', sandboxId);
  const readPage = async () => ((await pages.next()).value ?? []) as Row[];
  let page = await readPage();
  let at = 0;
  let isEmpty = true;
  // Yielded only with the first rows: until then a failure can still become an error response.
  let text = begin + layout.key('users');
  for await (const users of readPages(client, 'users', sandboxId)) {
    for (const user of users) {
      text += (isEmpty ? list.first : list.next) + layout.user(userEntry(user, groupNames));
      isEmpty = false;
      let hasNone = true;
      for (let row = page[at]; row?.['user_id'] === user.id; row = page[at]) {
        text += (hasNone ? inner.first : inner.next) + layout.entry(entryOf('subscriptions', row));
        hasNone = false;
        at++;
        if (at < page.length) continue;
        yield text;
        text = '';
        page = await readPage();
        at = 0;
      }
      text += hasNone ? inner.empty : inner.close;
    }
    yield text;
    text = '';
  }
  yield text + (isEmpty ? list.empty : list.close);
}

/** What a seed says of a row; nulls are left out. */
export function entryOf(kind: Kind, row: Readonly<Record<string, unknown>>): object {
  const entry: Record<string, unknown> = { id: row['id'] };
  for (const [name, { codes = {} }] of propertiesOf(kind)) {
    const value = row[name] ?? undefined;
    if (value !== undefined) entry[name] = Object.keys(codes).find((word) => codes[word] === value) ?? value;
  }
  return entry;
}

export function userEntry(row: Row, groupNames: ReadonlyMap<number, string>): object {
  const defaults = initialValues('users', String(row['username']));
  const groups = (row['groups'] as number[]).map((group) => groupNames.get(group) ?? group);
  const changed = Object.entries(entryOf('users', { ...row, groups })).filter(
    ([key, value]) => !isDeepStrictEqual(value, defaults[key]),
  );
  return Object.fromEntries(changed);
}
