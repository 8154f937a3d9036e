// Contradictions: an id, an address or a token that two things have, and references to nothing.
import { didYouMean } from '../../base/nearest.ts';
import { factsOf, type Kind, kindNames, singularOf } from '../../model/kinds.ts';
import { type Path, pathText } from '../../base/check-value.ts';
import { errorAt, type Place, type PlacedError } from './seed-errors.ts';
import {
  foldName,
  foldValue,
  groupsOf,
  hashOf,
  isOfSandbox,
  itemsOf,
  nameOf,
  referencesOf,
  type Seed,
  type SeedItem,
} from './seed-types.ts';

/** Expects everything that the sandbox will hold, as far as the seeds name it. */
export const findContradictions = (seed: Seed): PlacedError[] => [...findDuplicates(seed), ...findDangling(seed)];

/** The item has the same key as an earlier one of its seed. */
export const repeatsKey = (kind: Kind, { place }: SeedItem, item: SeedItem): PlacedError =>
  kind === 'subscriptions'
    ? duplicateError({ place }, item.place, `subscription to ${String(item['notification'])}`, [])
    : duplicateError({ place }, item.place, kind === 'components' ? 'slug' : (factsOf(kind).key[0] as string));

/** A value that only one thing may have. */
interface Claim {
  readonly place: Place;
  readonly value: unknown;
  /** The thing by its name in the sandbox, where it has the value there. */
  readonly owner?: Place | undefined;
}

function findDuplicates(seed: Seed): PlacedError[] {
  const ofItems = kindNames.flatMap((kind) =>
    ['id', factsOf(kind).unique ?? []].flat().flatMap((property) => {
      const claims = itemsOf(seed, kind).map((item) => {
        const { place, known = item } = item;
        const value = foldValue(kind, property, item[property]);
        const isOwner = isOfSandbox(known) && foldValue(kind, property, known[property]) === value;
        return { place, value, owner: isOwner ? known.place : undefined };
      });
      return findRepeated(claims, property);
    }),
  );
  const tokens = seed.users.flatMap((user) =>
    user.tokens.map((token) => {
      const { place } = token;
      return { place, value: hashOf(token), owner: isOfSandbox(token) ? place : undefined };
    }),
  );
  return [...ofItems, ...findRepeated(tokens, 'token', [])];
}

function findRepeated(claims: readonly Claim[], property: string, steps?: Path): PlacedError[] {
  const first = new Map<unknown, Claim>();
  const errors: PlacedError[] = [];
  // The sandbox takes precedence over the seed, whatever the order of their items.
  const { owned = [], others = [] } = Object.groupBy(claims, ({ owner }) => (owner ? 'owned' : 'others'));
  for (const claim of [...owned, ...others]) {
    if (claim.value === undefined || claim.value === null) continue;
    const earlier = first.get(claim.value);
    if (earlier === undefined) first.set(claim.value, claim);
    else errors.push(duplicateError(earlier, claim.place, property, steps));
  }
  return errors;
}

function duplicateError(
  { place: { source, path }, owner }: Omit<Claim, 'value'>,
  later: Place,
  what: string,
  steps: Path = [what],
): PlacedError {
  const message = () => {
    if (owner !== undefined) return `belongs to ${pathText(owner.path)} in the sandbox`;
    const { line } = source.locate(path, 'value');
    const file = source === later.source ? '' : `${source.file}, `;
    return `repeats the ${what} of ${pathText(path)} (${file}line ${line})`;
  };
  return errorAt(later, message, steps);
}

function findDangling(seed: Seed): PlacedError[] {
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
