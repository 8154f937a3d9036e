// Turns a seed into rows with ids, as texts, which a thread can send and the database reads.
import { createHash } from 'node:crypto';
import {
  columnOf,
  initialValues,
  type Kind,
  kindNames,
  type LinkTable,
  linkTables,
  propertiesOf,
  type TableName,
} from '../../model/kinds.ts';
import {
  foldName,
  groupsOf,
  isOfSandbox,
  itemsOf,
  nameOf,
  ownNameOf,
  type Seed,
  type SeedItem,
} from '../format/seed-types.ts';
import { checkAlone, parseSeed } from '../format/read-seeds.ts';
import { firstErrors, SeedError } from '../format/seed-errors.ts';
import { callInThread, isSmall, type Reader, type Unread } from '../yaml/thread.ts';
import type { NamedText } from '../yaml/yaml-text.ts';
import { firstIds, type NextIds } from './queries.ts';
import type { Links } from './write-queries.ts';

export type SeedRows = ReturnType<typeof toSeedRows>;

// More rows are faster; with fewer rows, a load ends sooner after its client left.
export const rowsAStatement = 5000;

// A short seed may stand for many subscriptions and memberships. Above maxAtOnce, a thread reads the seed.
// Above both maxImplied and one per 20 characters, it is refused.
const maxAtOnce = 500;
const maxImplied = 50_000;

/** Reads a text from HTTP, in a thread if large. Throws SeedError, or the reason of `reader.left`. */
export async function readSeedText(text: NamedText, reader: Reader) {
  const rows =
    (isSmall(text) ? prepareSeed(text, maxAtOnce) : undefined) ??
    (await callInThread<SeedRows | Unread>({ name: 'prepareSeed', text }, reader));
  if ('errors' in rows) throw new SeedError(rows.errors, rows.more, !/^\s*\{.*\}\s*$/.test(text.text));
  return rows;
}

/** Undefined if the seed stands for over `atOnce` subscriptions and memberships. */
export function prepareSeed(text: NamedText, atOnce = Infinity): SeedRows | Unread | undefined {
  const max = Math.max(maxImplied, Math.floor(text.text.length / 20));
  const read = parseSeed(text, Math.min(max, atOnce));
  if (read.isTooMuch && atOnce < max) return undefined;
  const { seed, errors } = checkAlone(read);
  return errors.length > 0 ? firstErrors(errors) : toSeedRows(seed);
}

/**
 * A new thing's row is whole. The row of a thing that the sandbox has holds its id and what the seeds give.
 * @param seed in a merge, the sandbox's content combined with the seeds
 */
export function toSeedRows(seed: Seed, counters = firstIds) {
  const whole = { ...seed, groups: groupsOf(seed) };
  const { ids, idOf, next } = giveIds(whole, counters);
  const automatic = whole.groups.flatMap((group) => (group['automatic'] === true ? (ids.get(group) ?? []) : []));
  const links = Object.fromEntries(linkTables.map((table) => [table, []])) as unknown as Record<LinkTable, Links[]>;

  function rowOf(kind: Kind, item: SeedItem) {
    const owner = ids.get(item) as number;
    const isNew = item.known === undefined;
    const row: Record<string, unknown> = isNew ? initialValues(kind, ownNameOf(kind, item)) : {};
    for (const [name, property] of propertiesOf(kind)) {
      const value = item[name];
      const column = columnOf(name, property);
      if (column !== undefined && value !== undefined) row[column] = idOf(property.refersTo, value);
      if (property.links === undefined) continue;
      const named = (value as string[] | undefined)?.map((one) => idOf(property.refersTo, one) as number);
      const others = named ?? (isNew && kind === 'users' ? automatic : undefined);
      if (others !== undefined) links[property.links].push({ owner, others, isNew });
    }
    return { ...row, id: owner };
  }

  const kinds = kindNames.map((kind) => {
    const items = itemsOf(whole, kind).filter((item) => !isOfSandbox(item));
    const created = items.filter(({ known }) => known === undefined).length;
    const rows = items.map((item) => rowOf(kind, item));
    return tableOf(kind, rows, { created });
  });
  const tokens = whole.users.flatMap((user) =>
    user.tokens.filter((token) => !isOfSandbox(token)).map(({ hash }) => ({ hash, user: ids.get(user) as number })),
  );
  const ofLinks = linkTables.map((table) =>
    tableOf(table, links[table], { links: links[table].reduce((sum, { others }) => sum + others.length, 0) }),
  );
  const tables = [...kinds, ...ofLinks, tableOf('tokens', tokens)];
  // The digest covers all content, with ids, but not the text's form.
  const digest = createHash('sha256').update(JSON.stringify([seed.now, next]));
  for (const { table, chunks } of tables) for (const text of [table, ...chunks]) digest.update(text);
  const file = kindNames.flatMap((kind) => itemsOf(seed, kind)).find((one) => !isOfSandbox(one))?.place.source.file;
  return { tables, next, now: seed.now, digest: digest.digest('hex'), file: file ?? 'seed' };
}

/** @param figures `links`: how many links the rows hold; `created`: if undefined, all written rows are new */
const tableOf = (table: TableName, rows: readonly object[], figures: { links?: number; created?: number } = {}) => ({
  table,
  // JSON lists, one for each statement.
  chunks: Array.from({ length: Math.ceil(rows.length / rowsAStatement) }, (_, i) =>
    JSON.stringify(rows.slice(i * rowsAStatement, (i + 1) * rowsAStatement)),
  ),
  count: rows.length,
  links: figures.links ?? rows.length,
  created: figures.created,
});

// Things that have ids keep them. Others get the next free ids, in the seed's order.
function giveIds(seed: Seed, counters: NextIds) {
  const ids = new Map<SeedItem, number>();
  const byName = new Map<string, number>();
  const next = { ...counters };
  for (const kind of kindNames) {
    const items = itemsOf(seed, kind);
    const fixed = new Set(items.flatMap(({ id }) => id ?? []));
    for (const item of items) {
      while (item.id === undefined && fixed.has(next[kind])) next[kind]++;
      const id = item.id ?? next[kind]++;
      ids.set(item, id);
      byName.set(`${kind} ${nameOf(kind, item)}`, id);
    }
    const highest = [...fixed].reduce((a, b) => Math.max(a, b), 0);
    next[kind] = Math.max(next[kind], highest + 1, seed.next_id[kind] ?? 1);
  }
  // Users may name groups by id too.
  const idOf = (kind: Kind | undefined, name: unknown) =>
    kind !== undefined && typeof name === 'string' ? (byName.get(`${kind} ${foldName(kind, name)}`) ?? null) : name;
  return { ids, idOf, next };
}
