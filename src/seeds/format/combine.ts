// Combines seeds in order. The first may be what a sandbox holds, which makes this a merge: nothing else decides
// which entry of a seed means which row of the sandbox (docs/decisions/0010).
import { type Kind, kindNames } from '../../model/kinds.ts';
import { findRepeatedKeys } from './contradictions.ts';
import { errorAt, type PlacedError } from './seed-errors.ts';
import { isOfSandbox, itemsOf, keyOf, nameOf, type Seed, type SeedItem, type SeedToken } from './seed-types.ts';

/** A later seed overrides what an earlier one says of a thing, which keeps its place in the order and so its id. */
export function combineSeeds(seeds: readonly Seed[]): { seed: Seed; errors: PlacedError[] } {
  const errors: PlacedError[] = [];
  const lists = kindNames.map((kind) => {
    const all = seeds.reduce<Items>((earlier, seed) => addItems(kind, earlier, itemsOf(seed, kind), errors), []);
    return [kind, all] as const;
  });
  const { groups, ...others } = Object.fromEntries(lists) as unknown as Omit<Seed, 'next_id' | 'now'>;
  const next = kindNames.map((kind) => [kind, Math.max(...seeds.map((one) => one.next_id[kind] ?? 0))] as const);
  const seed = {
    ...others,
    groups: seeds.every((one) => one.groups === undefined) ? undefined : groups,
    next_id: Object.fromEntries(next.filter(([, id]) => id > 0)),
    now: seeds.findLast(({ now }) => now !== undefined)?.now,
  };
  return { seed, errors };
}

type Items = readonly SeedItem[];

function addItems(kind: Kind, earlier: Items, items: Items, errors: PlacedError[]): Items {
  const matches = findEarlier(kind, earlier, items, errors);
  const blended = new Map<SeedItem, SeedItem>();
  const added: SeedItem[] = [];
  for (const error of findRepeatedKeys(kind, items)) errors.push(error);
  for (const item of items) {
    const old = matches.get(item);
    if (old === undefined) added.push(item);
    else blended.set(old, blend(old, item, errors));
  }
  return [...earlier.map((item) => blended.get(item) ?? item), ...added];
}

/** The earlier item that each item means. */
function findEarlier(kind: Kind, earlier: Items, items: Items, errors: PlacedError[]): ReadonlyMap<SeedItem, SeedItem> {
  const matches = new Map<SeedItem, SeedItem>();
  const matched = new Set<SeedItem>();
  const namings: readonly Naming[] = kind === 'groups' ? groupNamings : [(one) => keyOf(kind, one)];
  for (const nameOne of namings) {
    const index = Map.groupBy(earlier, (one) => nameOne(one, false));
    for (const item of items) {
      const key = matches.has(item) ? undefined : nameOne(item, true);
      const candidates = key === undefined ? [] : (index.get(key) ?? []).filter((one) => !matched.has(one));
      const matching = kind === 'groups' ? candidates.filter((one) => canBe(one, item)) : candidates;
      const [match] = matching;
      if (match === undefined) continue;
      matches.set(item, match);
      matched.add(match);
      if (matching.length > 1) {
        const ids = matching.map(({ id }) => id).join(', ');
        errors.push(errorAt(item.place, `is the name of several groups: ${ids}; give the id`, ['name']));
      }
    }
  }
  return matches;
}

/** The name by which an item is found; undefined: by none of this form. Earlier items and later ones may differ. */
type Naming = (item: SeedItem, isLater: boolean) => string | undefined;

// A group is found by its id, which may rename it; or by name and defining project; or, where the seed gives neither
// id nor project, by its name alone. A second load finds what the first one made.
const groupNamings: readonly Naming[] = [
  ({ id }) => id?.toString(),
  (group) => keyOf('groups', group),
  (group, isLater) =>
    isLater && (group.id ?? group['defining_project']) !== undefined ? undefined : nameOf('groups', group),
];

const canBe = (one: SeedItem, item: SeedItem) => item.id === undefined || one.id === undefined || one.id === item.id;

/** Later values override earlier ones; lists are taken as a whole, but tokens are added. */
function blend(earlier: SeedItem, item: SeedItem, errors: PlacedError[]): SeedItem {
  const rule = isOfSandbox(earlier) ? "in the sandbox, and ids don't change" : `as in ${earlier.place.source.file}`;
  if (!canBe(earlier, item))
    errors.push(errorAt(item.place, `${isOfSandbox(earlier) ? 'is' : 'must be'} ${earlier.id} ${rule}`, ['id']));
  const stated = Object.entries(item).filter(([, value]) => value !== undefined);
  return {
    ...earlier,
    ...Object.fromEntries(stated),
    ...(isOfSandbox(earlier) && { known: earlier }),
    id: earlier.id ?? item.id,
    ...('tokens' in item && { tokens: bothTokens(earlier['tokens'] as SeedToken[], item['tokens'] as SeedToken[]) }),
  };
}

function bothTokens(earlier: readonly SeedToken[], later: readonly SeedToken[]): readonly SeedToken[] {
  const known = new Set(earlier.map(({ hash }) => hash));
  return [...earlier, ...later.filter(({ hash }) => !known.has(hash))];
}
