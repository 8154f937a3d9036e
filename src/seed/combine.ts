// Combines seeds in order. The first may be what a sandbox holds, which makes this a merge: nothing else decides which entry of a seed
// means which row of the sandbox.
import { type Kind, kindNames } from './kinds.ts';
import { repeatsKey } from './contradictions.ts';
import { faultAt, type SeedFault } from './seed-faults.ts';
import {
  hashOf,
  isOfSandbox,
  itemsOf,
  keyOf,
  type Seed,
  type SeedGroup,
  type SeedItem,
  type SeedToken,
  type SeedUser,
} from './seed-types.ts';

/** A later seed overrides what an earlier one says of the same thing, which keeps its place in the order, and so its id. */
export function combineSeeds(seeds: readonly Seed[]): { seed: Seed; faults: SeedFault[] } {
  const faults: SeedFault[] = [];
  const lists = kindNames.map((kind) => {
    let all: readonly SeedItem[] = [];
    for (const seed of seeds) all = addItems(kind, all, itemsOf(seed, kind), faults);
    return [kind, all] as const;
  });
  const { groups, ...others } = Object.fromEntries(lists) as unknown as Omit<Seed, 'next_id'>;
  const next = kindNames.map((kind) => [kind, Math.max(...seeds.map((one) => one.next_id[kind] ?? 0))] as const);
  const seed = {
    ...others,
    groups: seeds.every((one) => one.groups === undefined) ? undefined : groups,
    next_id: Object.fromEntries(next.filter(([, id]) => id > 0)),
  };
  return { seed, faults };
}

function addItems(
  kind: Kind,
  earlier: readonly SeedItem[],
  items: readonly SeedItem[],
  faults: SeedFault[],
): readonly SeedItem[] {
  const found = findEarlier(kind, earlier, items, faults);
  const blended = new Map<SeedItem, SeedItem>();
  const added: SeedItem[] = [];
  const first = new Map<string, SeedItem>();
  for (const item of items) {
    const key = keyOf(kind, item);
    const same = first.get(key);
    // Groups may share a name where ids tell them apart.
    const isKeyUnique = kind !== 'groups' || item.id === undefined;
    if (isKeyUnique && same === undefined) first.set(key, item);
    else if (isKeyUnique && same !== undefined) faults.push(repeatsKey(kind, same, item));
    const old = found.get(item);
    if (old === undefined) added.push(item);
    else blended.set(old, blend(old, item, faults));
  }
  return [...earlier.map((item) => blended.get(item) ?? item), ...added];
}

/** The earlier item that each item means, at most one item for each. */
function findEarlier(
  kind: Kind,
  earlier: readonly SeedItem[],
  items: readonly SeedItem[],
  faults: SeedFault[],
): ReadonlyMap<SeedItem, SeedItem> {
  const found = new Map<SeedItem, SeedItem>();
  const taken = new Set<SeedItem>();
  const ways = kind === 'groups' ? waysOfGroups : [{ earlier: (one: SeedItem) => keyOf(kind, one) }];
  for (const way of ways) {
    const index = Map.groupBy(earlier, way.earlier);
    for (const item of items) {
      const key = found.has(item) ? undefined : (way.later ?? way.earlier)(item);
      const candidates = key === undefined ? [] : (index.get(key) ?? []).filter((one) => !taken.has(one));
      const matching = kind === 'groups' ? candidates.filter((one) => canBe(one, item)) : candidates;
      const [match] = matching;
      if (match === undefined) continue;
      found.set(item, match);
      taken.add(match);
      if (matching.length > 1) {
        const ids = matching.map(({ id }) => id).join(', ');
        faults.push(faultAt(item.place, `is the name of several groups: ${ids}; give the id`, ['name']));
      }
    }
  }
  return found;
}

interface Way {
  readonly earlier: (item: SeedItem) => string | undefined;
  /** Left out: the same as `earlier`. */
  readonly later?: (item: SeedItem) => string | undefined;
}

// A group is found by its id, which may rename it; or by name and defining project; or, where the seed gives neither id nor project, by
// its name alone. One group stands for one entry of a seed, so a second load finds what the first one made.
const waysOfGroups: readonly Way[] = [
  { earlier: ({ id }) => id?.toString() },
  { earlier: (group) => keyOf('groups', group) },
  {
    earlier: (group) => (group as SeedGroup).name,
    later: (group) =>
      group.id === undefined && (group as SeedGroup).defining_project === undefined
        ? (group as SeedGroup).name
        : undefined,
  },
];

const canBe = (one: SeedItem, item: SeedItem): boolean =>
  item.id === undefined || one.id === undefined || one.id === item.id;

/** Later values override earlier ones; lists are taken as a whole, but tokens are added. */
function blend(earlier: SeedItem, item: SeedItem, faults: SeedFault[]): SeedItem {
  if (earlier.id !== undefined && item.id !== undefined && earlier.id !== item.id)
    faults.push(
      faultAt(
        item.place,
        isOfSandbox(earlier)
          ? `is ${earlier.id} in the sandbox, and ids don't change`
          : `must be ${earlier.id} as in ${earlier.place.source.file}`,
        ['id'],
      ),
    );
  const given = Object.entries(item).filter(([, value]) => value !== undefined);
  return {
    ...earlier,
    ...Object.fromEntries(given),
    ...(isOfSandbox(earlier) && { known: earlier.place }),
    id: earlier.id ?? item.id,
    ...(item.fields && { fields: { ...earlier.fields, ...item.fields } }),
    ...('tokens' in item && { tokens: bothTokens((earlier as SeedUser).tokens, (item as SeedUser).tokens) }),
  };
}

function bothTokens(earlier: readonly SeedToken[], later: readonly SeedToken[]): SeedToken[] {
  const known = new Set(earlier.map(hashOf));
  return [...earlier, ...later.filter((token) => !known.has(hashOf(token)))];
}
