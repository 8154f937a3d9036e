// The rows that make a sandbox hold a seed, with the ids that they have or get.
import { columnOf, initialValues, type Kind, kindNames, type LinkTable, propertiesOf } from '../../model/kinds.ts';
import {
  foldName,
  groupsOf,
  hashOf,
  isOfSandbox,
  itemsOf,
  nameOf,
  type Seed,
  type SeedItem,
  ownNameOf,
} from '../format/seed-types.ts';
import type { NextIds } from './queries.ts';
import type { Links, Row } from './write-queries.ts';

/**
 * Of new things the whole rows and their number, of others the ids and the columns that the seed gives.
 * @param seed what the sandbox will hold: what exists, combined with the seeds
 */
export function makeRows(seed: Seed, existing: Seed, counters: NextIds) {
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
  return { kinds, links, tokens, next };
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
