// The rows that make a sandbox hold a seed, with the ids that they have or get: as texts, which a thread can make and
// the database takes.
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
import { foldCase } from '../../model/usernames.ts';
import {
  emptySeed,
  foldName,
  groupsOf,
  hashOf,
  isOfSandbox,
  itemsOf,
  nameOf,
  ownNameOf,
  type Seed,
  seedDigest,
  type SeedItem,
} from '../format/seed-types.ts';
import { checkAlone, parseSeed, type ReadSeeds } from '../format/read-seeds.ts';
import { firstErrors, SeedError } from '../format/seed-errors.ts';
import { callInThread, isSmall, type Reader, type Unread } from '../yaml/thread.ts';
import type { NamedText } from '../yaml/yaml-text.ts';
import type { NextIds } from './queries.ts';
import type { Links, Row } from './write-queries.ts';

/** The rows of a table. */
interface TableRows {
  readonly table: TableName;
  /** JSON lists, each of a size for one statement. */
  readonly chunks: readonly string[];
  /** Of them all. Links are several in one. */
  readonly count: number;
  readonly links: number;
  /** Undefined: as many as the database writes. */
  readonly created?: number;
}

/** What seeds load into a sandbox. */
export interface SeedRows {
  readonly tables: readonly TableRows[];
  readonly next: NextIds;
  readonly now: string | undefined;
  readonly digest: string;
  /** Of the first seed. */
  readonly file: string;
  /** The ids of users without a token, by their folded names. */
  readonly tokenless: ReadonlyMap<string, number>;
}

// Large enough to cost little, small enough to stop between two statements when the client leaves.
export const rowsAStatement = 5000;

// A seed that stands for more is large, whatever its length; and what one may stand for that came over HTTP.
const maxAtOnce = 500;
const maxImplied = 50_000;

const firstIds = Object.fromEntries(kindNames.map((kind) => [kind, 1])) as NextIds;

/** Of what a sandbox holds that is made from these seeds. Throws SeedError with every error, in the order of the text. */
export function rowsOf(read: ReadSeeds): SeedRows {
  const { seed, errors } = checkAlone(read);
  if (errors.length > 0) throw new SeedError(errors);
  return toSeedRows(seed, emptySeed, firstIds);
}

/** From a text that came over HTTP; a thread reads it if it is large. Throws SeedError, and the reason of `left`. */
export async function readSeedText(text: NamedText, reader: Reader): Promise<SeedRows> {
  const rows =
    (isSmall(text) ? prepareSeed(text, maxAtOnce) : undefined) ??
    (await callInThread<SeedRows | Unread>({ name: 'prepareSeed', text }, reader));
  if ('errors' in rows) throw new SeedError(rows.errors, rows.more, [], !/^\s*\{.*\}\s*$/.test(text.text));
  return rows;
}

/** @param atOnce returns undefined for a seed that stands for more */
export function prepareSeed(text: NamedText, atOnce = Infinity): SeedRows | Unread | undefined {
  const max = Math.max(maxImplied, Math.floor(text.text.length / 20));
  const read = parseSeed(text, Math.min(max, atOnce));
  if (read.isTooMuch && atOnce < max) return undefined;
  const { seed, errors } = checkAlone(read);
  return errors.length > 0 ? firstErrors(errors) : toSeedRows(seed, emptySeed, firstIds);
}

/** @param seed what the sandbox will hold: what exists, combined with the seeds */
export function toSeedRows(seed: Seed, existing: Seed, counters: NextIds): SeedRows {
  const { kinds, links, tokens, next, ids } = makeRows(seed, existing, counters);
  const chunksOf = (rows: readonly object[]) =>
    Array.from({ length: Math.ceil(rows.length / rowsAStatement) }, (_, i) =>
      JSON.stringify(rows.slice(i * rowsAStatement, (i + 1) * rowsAStatement)),
    );
  const tableOf = (table: TableName, rows: readonly object[], total = rows.length) => ({
    table,
    chunks: chunksOf(rows),
    count: rows.length,
    links: total,
  });
  const tables = [
    ...kinds.map(({ kind, rows, created }) => ({ ...tableOf(kind, rows), created })),
    ...linkTables.map((table) =>
      tableOf(
        table,
        links[table],
        links[table].reduce((sum, { others }) => sum + others.length, 0),
      ),
    ),
    tableOf('tokens', tokens),
  ];
  const tokenless = seed.users.flatMap((user) =>
    user.tokens.length > 0 ? [] : [[foldCase(user.username), ids.get(user) as number] as const],
  );
  const file = kindNames.flatMap((kind) => itemsOf(seed, kind)).find((one) => !isOfSandbox(one))?.place.source.file;
  const digest = existing === emptySeed ? seedDigest(seed) : '';
  return { tables, next, now: seed.now, digest, file: file ?? 'seed', tokenless: new Map(tokenless) };
}

/**
 * Of new things the whole rows and their number, of others the ids and the columns that the seed gives.
 * @param seed what the sandbox will hold: what exists, combined with the seeds
 */
function makeRows(seed: Seed, existing: Seed, counters: NextIds) {
  const whole = { ...seed, groups: groupsOf(seed) };
  const { ids, idOf, next } = giveIds(whole, counters);
  const automatic = whole.groups.filter((group) => group['automatic'] === true).map((group) => ids.get(group));
  const links: Record<LinkTable, Links[]> = { user_groups: [], group_projects: [] };
  const kinds = kindNames.map((kind) => {
    const known = new Set(itemsOf(existing, kind).map((item) => item.id));
    const properties = propertiesOf(kind);
    const rows: Row[] = [];
    let created = 0;
    for (const item of itemsOf(whole, kind)) {
      if (isOfSandbox(item)) continue;
      const id = ids.get(item) as number;
      const isNew = !known.has(id);
      if (isNew) created++;
      const row: Record<string, unknown> = isNew ? initialValues(kind, ownNameOf(kind, item)) : {};
      for (const [name, property] of properties) {
        const value = item[name];
        const column = columnOf(name, property);
        if (property.links !== undefined) {
          const others = (value as string[] | undefined)?.map((one) => idOf(property.refersTo, one));
          const linked = others ?? (isNew && kind === 'users' ? automatic : undefined);
          if (linked !== undefined && !(isNew && linked.length === 0))
            links[property.links].push({ owner: id, others: linked as number[], isNew });
        } else if (column !== undefined && value !== undefined) row[column] = idOf(property.refersTo, value);
      }
      rows.push({ ...row, id });
    }
    return { kind, rows, created };
  });
  const tokens = whole.users.flatMap((user) =>
    user.tokens
      .filter((token) => !isOfSandbox(token))
      .map((token) => ({ hash: hashOf(token), user: ids.get(user) as number })),
  );
  return { kinds, links, tokens, next, ids };
}

// Existing things keep their ids; new ones count up from the counters in the order of the seed, around fixed ids.
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
  // Users name their groups by id as well.
  const idOf = (kind: Kind | undefined, name: unknown) =>
    kind !== undefined && typeof name === 'string' ? (byName.get(`${kind} ${foldName(kind, name)}`) ?? null) : name;
  return { ids, idOf, next };
}
