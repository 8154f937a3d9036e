// Pairs the ids of new rows, which differ: the real system loses an id when an insert fails.
import { isMembers, type Json } from '../transcripts/engine/raw-json.ts';
import type { World } from '../generator/world.ts';

export interface NewIds {
  /** Our answer, with the real system's id in place of ours where both can belong to the same row. */
  readonly alignJson: (theirs: Json, ours: Json) => Json;
  /** Replaces our ids by the real system's in the names of deleted users (`deleted-7`). */
  readonly align: (ours: string) => string;
  /** Turns a path for the real system into one for our server. */
  readonly translate: (path: string) => string;
}

// Added to an id that has no pair here, so that the request finds no row: no id is this high.
const beyond = 1_000_000;

export function createNewIds({ nextIds }: World): NewIds {
  const kinds = {
    subscriptions: { first: nextIds.subscriptions, ours: new Map<number, number>(), theirs: new Map<number, number>() },
    users: { first: nextIds.users, ours: new Map<number, number>(), theirs: new Map<number, number>() },
  };
  type Kind = (typeof kinds)['users'];

  function pair({ first, ours, theirs }: Kind, their: number, our: number): number {
    if (their < first || our < first) return our;
    if (!ours.has(their) && !theirs.has(our)) {
      ours.set(their, our);
      theirs.set(our, their);
    }
    return ours.get(their) === our ? their : our;
  }

  function alignJson(theirs: Json, ours: Json): Json {
    if (typeof ours === 'string') return align(ours);
    if (Array.isArray(theirs) && Array.isArray(ours)) return ours.map((item, i) => alignJson(theirs[i] ?? null, item));
    if (!isMembers(theirs) || !isMembers(ours)) return ours;
    return Object.fromEntries(
      Object.entries(ours).map(([name, value]) => {
        const their = theirs[name];
        if (name === 'id' && typeof value === 'number' && typeof their === 'number')
          return [name, pair('notification' in ours ? kinds.subscriptions : kinds.users, their, value)];
        return [name, alignJson(their ?? null, value)];
      }),
    );
  }

  const align = (text: string) =>
    text.replaceAll(/(?<=\bdeleted-)\d+/gu, (id) => String(kinds.users.theirs.get(Number(id)) ?? id));

  return {
    alignJson,
    align,
    translate: (path) =>
      path.replace(/(?<=\/notifications\/)\d+(?=\/)/u, (id) => {
        const { first, ours } = kinds.subscriptions;
        const number = Number(id);
        if (number < first || id !== String(number) || number >= beyond) return id;
        return String(ours.get(number) ?? number + beyond);
      }),
  };
}
