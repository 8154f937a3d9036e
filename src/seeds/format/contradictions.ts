// Contradictions: an id, an address or a token that two things have, and references to nothing.
import { didYouMean } from '../../base/nearest.ts';
import { factsOf, type Kind, kindNames, singularOf } from '../../model/kinds.ts';
import { type Path, pathText } from '../../base/check-value.ts';
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
} from './seed-types.ts';

/** Expects everything that the sandbox will hold, as far as the seeds name it. */
export const findContradictions = (seed: Seed): PlacedError[] => [...findDuplicates(seed), ...findDangling(seed)];

/** Of a seed by itself: items with the same key. Groups may share a name if ids distinguish them. */
export function findRepeatedKeys(kind: Kind, items: readonly SeedItem[]): PlacedError[] {
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
  /** From the place to the value. */
  readonly steps: Path;
  /** The thing by its name in the sandbox, where it has the value there. */
  readonly owner?: Place | undefined;
}

function findDuplicates(seed: Seed): PlacedError[] {
  const ofItems = kindNames.flatMap((kind) =>
    ['id', factsOf(kind).unique ?? []].flat().flatMap((what) => {
      const steps = [what];
      const claims = itemsOf(seed, kind).map((item) => {
        const { place, known = item } = item;
        const value = foldValue(kind, what, item[what]);
        const isOwner = isOfSandbox(known) && foldValue(kind, what, known[what]) === value;
        return { place, value, what, steps, owner: isOwner ? known.place : undefined };
      });
      return findRepeated(claims);
    }),
  );
  const tokens = seed.users.flatMap((user) =>
    user.tokens.map((token) => {
      const { place, hash } = token;
      return { place, value: hash, what: 'token', steps: [], owner: isOfSandbox(token) ? place : undefined };
    }),
  );
  return [...ofItems, ...findRepeated(tokens)];
}

function findRepeated(claims: readonly Claim[]): PlacedError[] {
  const first = new Map<unknown, Claim>();
  const errors: PlacedError[] = [];
  // The sandbox takes precedence over the seed, whatever the order of their items.
  const { owned = [], others = [] } = Object.groupBy(claims, ({ owner }) => (owner ? 'owned' : 'others'));
  for (const claim of [...owned, ...others]) {
    if (claim.value === undefined || claim.value === null) continue;
    const earlier = first.get(claim.value);
    if (earlier === undefined) first.set(claim.value, claim);
    else errors.push(duplicateError(earlier, claim));
  }
  return errors;
}

function duplicateError({ place: { source, path }, owner }: Claim, { place, what, steps }: Claim): PlacedError {
  const message = () => {
    if (owner !== undefined) return `belongs to ${pathText(owner.path)} in the sandbox`;
    const { line } = source.locate(path, 'value');
    const file = source === place.source ? '' : `${source.file}, `;
    return `repeats the ${what} of ${pathText(path)} (${file}line ${line})`;
  };
  return errorAt(place, message, steps);
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
