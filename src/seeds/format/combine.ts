// Combines seeds in order; in a merge the first is the sandbox's content. Only this code decides which row an
// entry means (docs/decisions/0010). Finds contradictions too: things with the same id, e-mail address or
// token, and references to things that don't exist.
import { type Path, pathText } from '../../base/check-value.ts';
import { didYouMean } from '../../base/nearest.ts';
import { factsOf, type Kind, kindNames, singularOf } from '../../model/kinds.ts';
import { errorAt, type Place, type PlacedError } from './seed-errors.ts';
import {
  foldName,
  foldValue,
  groupsOf,
  isOfSandbox,
  itemsOf,
  keyOf,
  nameOf,
  ownKeyOf,
  referencesOf,
  type Seed,
  type SeedItem,
  type SeedToken,
} from './seed-types.ts';

/** Later seeds override earlier ones. Things keep the order of their first entries, in which they get ids. */
export function combineSeeds(seeds: readonly Seed[]): { seed: Seed; errors: PlacedError[] } {
  const errors: PlacedError[] = [];
  const lists = kindNames.map((kind) => {
    const all = seeds.reduce<Items>((earlier, seed) => addItems(kind, earlier, itemsOf(seed, kind), errors), []);
    return [kind, all] as const;
  });
  const { groups, ...others } = Object.fromEntries(lists) as Omit<Seed, 'next_id' | 'now'>;
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
  for (const error of findRepeatedKeys(kind, items)) errors.push(error);
  const isGroup = kind === 'groups';
  const blended = new Map<SeedItem, SeedItem>();
  let added = items;
  for (const nameOne of isGroup ? groupNamings : [(one: SeedItem) => keyOf(kind, one)]) {
    const index = Map.groupBy(earlier, (one) => nameOne(one, false));
    added = added.filter((item) => {
      const key = nameOne(item, true);
      const named = key === undefined ? [] : (index.get(key) ?? []);
      const matching = named.filter((one) => !blended.has(one) && (!isGroup || canBe(one, item)));
      const [match] = matching;
      if (match === undefined) return true;
      blended.set(match, blend(match, item, errors));
      const several = () => `is the name of several groups: ${matching.map(({ id }) => id).join(', ')}; give the id`;
      if (matching.length > 1) errors.push(errorAt(item.place, several, ['name']));
      return false;
    });
  }
  return [...earlier.map((item) => blended.get(item) ?? item), ...added];
}

/** The name to index an earlier item by, or to look up a later item by; undefined if it has none. */
type Naming = (item: SeedItem, isLater: boolean) => string | undefined;

// A group is found by id (a new name renames it), else by name and defining project, or by name alone if its
// entry has neither id nor project. So a second load finds the groups that the first made.
const groupNamings: readonly Naming[] = [
  ({ id }) => id?.toString(),
  (group) => keyOf('groups', group),
  (group, isLater) =>
    isLater && (group.id ?? group['defining_project']) !== undefined ? undefined : nameOf('groups', group),
];

const canBe = (one: SeedItem, item: SeedItem) => item.id === undefined || one.id === undefined || one.id === item.id;

/** Later values replace earlier ones, whole lists too. Only tokens are added. */
function blend(earlier: SeedItem, item: SeedItem, errors: PlacedError[]): SeedItem {
  const isKnown = isOfSandbox(earlier);
  const where = isKnown ? "in the sandbox, and ids don't change" : `as in ${earlier.place.source.file}`;
  if (!canBe(earlier, item))
    errors.push(errorAt(item.place, `${isKnown ? 'is' : 'must be'} ${earlier.id} ${where}`, ['id']));
  const stated = Object.entries(item).filter(([, value]) => value !== undefined);
  return {
    ...earlier,
    ...Object.fromEntries(stated),
    ...(isKnown && { known: earlier }),
    id: earlier.id ?? item.id,
    ...('tokens' in item && { tokens: bothTokens(earlier['tokens'] as SeedToken[], item['tokens'] as SeedToken[]) }),
  };
}

function bothTokens(earlier: readonly SeedToken[], later: readonly SeedToken[]) {
  const known = new Set(earlier.map(({ hash }) => hash));
  return [...earlier, ...later.filter(({ hash }) => !known.has(hash))];
}

/** @param seed all that the sandbox will hold, as far as the seeds name it */
export const findContradictions = (seed: Seed) => [...findDuplicates(seed), ...findDangling(seed)];

/** Finds items with the same key. Groups with ids may share a name. */
function findRepeatedKeys(kind: Kind, items: readonly SeedItem[]) {
  const property = ownKeyOf(kind);
  const steps = kind === 'subscriptions' ? [] : [property];
  const claims = items.map((item) => {
    const value = kind === 'groups' && item.id !== undefined ? undefined : keyOf(kind, item);
    const what = kind === 'subscriptions' ? `subscription to ${String(item['notification'])}` : property;
    return { place: item.place, value, what, steps };
  });
  return findRepeated(claims);
}

/** A value that only one thing may have. */
interface Claim {
  readonly place: Place;
  readonly value: unknown;
  readonly what: string;
  /** The path from the place to the value. */
  readonly steps: Path;
  /** The thing's place in the sandbox, if the thing has the value there already. */
  readonly owner?: Place | undefined;
}

function findDuplicates(seed: Seed) {
  const ofItems = kindNames.flatMap((kind) =>
    ['id', factsOf(kind).unique ?? []].flat().flatMap((what) => {
      const claims = itemsOf(seed, kind).map((item) => {
        const { place, known = item } = item;
        const value = foldValue(kind, what, item[what]);
        const isOwner = isOfSandbox(known) && foldValue(kind, what, known[what]) === value;
        return { place, value, what, steps: [what], owner: isOwner ? known.place : undefined };
      });
      return findRepeated(claims);
    }),
  );
  const tokens = seed.users.flatMap((user) => user.tokens);
  const ofTokens = tokens.map(({ place, hash: value }) => {
    const owner = isOfSandbox({ place }) ? place : undefined;
    return { place, value, what: 'token', steps: [], owner };
  });
  return [...ofItems, ...findRepeated(ofTokens)];
}

function findRepeated(claims: readonly Claim[]) {
  const first = new Map<unknown, Claim>();
  const errors: PlacedError[] = [];
  // The sandbox's claims come first.
  const { owned = [], others = [] } = Object.groupBy(claims, ({ owner }) => (owner ? 'owned' : 'others'));
  for (const claim of [...owned, ...others]) {
    if (claim.value === undefined || claim.value === null) continue;
    const earlier = first.get(claim.value);
    if (earlier === undefined) first.set(claim.value, claim);
    else errors.push(duplicateError(earlier, claim));
  }
  return errors;
}

function duplicateError({ place: { source, path }, owner }: Claim, { place, what, steps }: Claim) {
  const message = () => {
    if (owner !== undefined) return `belongs to ${pathText(owner.path)} in the sandbox`;
    const { line } = source.locate(path, 'value');
    const file = source === place.source ? '' : `${source.file}, `;
    return `repeats the ${what} of ${pathText(path)} (${file}line ${line})`;
  };
  return errorAt(place, message, steps);
}

function findDangling(seed: Seed) {
  const groups = groupsOf(seed);
  const whole = { ...seed, groups };
  const known = new Map(
    kindNames.map((kind) => [kind, Map.groupBy(itemsOf(whole, kind), (item): unknown => nameOf(kind, item))]),
  );
  const groupIds = new Set(groups.map(({ id }) => id));
  const errors: PlacedError[] = [];
  for (const { to, value, place, steps } of referencesOf(whole)) {
    if (isOfSandbox({ place }) || (typeof value === 'number' && groupIds.has(value))) continue;
    const names = known.get(to);
    const count = names?.get(foldName(to, value))?.length ?? 0;
    const advice = () => (typeof value === 'string' ? didYouMean(value, [...(names?.keys() ?? [])] as string[]) : '');
    const missing = () => `names a ${singularOf(to)} that is not there: ${value}${advice()}`;
    if (count === 0) errors.push(errorAt(place, missing, steps));
    else if (to === 'groups' && count > 1)
      errors.push(errorAt(place, `names several groups: ${value}; use the id`, steps));
  }
  return errors;
}
