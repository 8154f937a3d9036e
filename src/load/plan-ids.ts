// Which id each thing of a seed has or gets.
import { faultAt, type Place, type SeedFault } from '../seed/seed-types.ts';

interface Item {
  readonly place: Place;
  readonly id: number | undefined;
}

export interface Ids {
  /** In the order of the items. */
  readonly ids: readonly number[];
  /** The counter's next value. */
  readonly next: number;
  readonly faults: readonly SeedFault[];
}

/**
 * Things that are there keep their id, fixed ids are taken as given, and the rest count up from the sandbox's counter in the order
 * of the seed, around the fixed ones.
 *
 * @param found the id of each item that is in the sandbox already
 * @param owners what the sandbox calls the owners of ids that the seed fixes
 */
export function planIds(
  items: readonly Item[],
  found: readonly (number | undefined)[],
  owners: ReadonlyMap<number, string>,
  counter: number,
): Ids {
  const fixed = new Set(items.flatMap(({ id }) => id ?? []));
  const faults: SeedFault[] = [];
  let next = counter;
  const ids = items.map(({ id, place }, i) => {
    const known = found[i];
    if (known !== undefined) {
      if (id !== undefined && id !== known)
        faults.push(faultAt(place, `is ${known} in the sandbox, and ids don't change`, 'id'));
      return known;
    }
    if (id !== undefined) {
      const owner = owners.get(id);
      if (owner !== undefined) faults.push(faultAt(place, `belongs to ${owner} in the sandbox`, 'id'));
      return id;
    }
    while (fixed.has(next)) next++;
    return next++;
  });
  const highest = [...fixed].reduce((a, b) => Math.max(a, b), 0);
  return { ids, next: Math.max(next, highest + 1), faults };
}
