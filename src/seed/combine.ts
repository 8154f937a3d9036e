// Several seeds as one, in order: what a later one says of the same thing goes before what an earlier one said.
import {
  componentPath,
  faultAt,
  foldCase,
  type Place,
  type Seed,
  type SeedFault,
  type SeedGroup,
  subscriptionKey,
} from './seed-types.ts';
import { kinds } from './seed-schema.ts';

interface Item {
  readonly place: Place;
  readonly id: number | undefined;
}

const fields = (a: { fields: object }, b: { fields: object }) => ({ fields: { ...a.fields, ...b.fields } });

/** Things keep the place in the order, and so the id, that they had in the first seed that names them. */
export function combineSeeds(seeds: readonly Seed[]): { seed: Seed; faults: SeedFault[] } {
  const [only] = seeds;
  if (only !== undefined && seeds.length === 1) return { seed: only, faults: [] };
  const faults: SeedFault[] = [];
  function combine<T extends Item>(
    list: (seed: Seed) => readonly T[],
    key: (item: T) => string,
    blend: (a: T, b: T) => T,
  ): T[] {
    const all = new Map<string, T>();
    for (const item of seeds.flatMap(list)) {
      const earlier = all.get(key(item));
      if (earlier?.id !== undefined && item.id !== undefined && earlier.id !== item.id)
        faults.push(faultAt(item.place, `must be ${earlier.id} as in ${earlier.place.source.file}`, 'id'));
      all.set(key(item), earlier === undefined ? item : { ...blend(earlier, item), id: item.id ?? earlier.id });
    }
    return [...all.values()];
  }
  const groups = combine(
    (seed) => seed.groups ?? [],
    groupKey(seeds),
    (a, b) => ({
      ...b,
      ...fields(a, b),
      definingProject: b.definingProject === undefined ? a.definingProject : b.definingProject,
      projects: b.projects ?? a.projects,
    }),
  );
  const seed: Seed = {
    users: combine(
      (one) => one.users,
      (user) => foldCase(user.username),
      (a, b) => ({ ...b, ...fields(a, b), groups: b.groups ?? a.groups, tokens: bothTokens(a, b) }),
    ),
    groups: seeds.every((one) => one.groups === undefined) ? undefined : groups,
    projects: combine(
      (one) => one.projects,
      (project) => project.slug,
      (a, b) => ({ ...b, ...fields(a, b) }),
    ),
    components: combine(
      (one) => one.components,
      (component) => componentPath(component),
      (a, b) => ({ ...b, ...fields(a, b) }),
    ),
    subscriptions: combine(
      (one) => one.subscriptions,
      (subscription) => subscriptionKey(subscription),
      (_, b) => b,
    ),
    next_id: Object.fromEntries(
      kinds.flatMap((kind) => {
        const next = Math.max(...seeds.map((one) => one.next_id[kind] ?? 0));
        return next > 0 ? [[kind, next]] : [];
      }),
    ),
  };
  return { seed, faults };
}

const named = (group: SeedGroup): string => JSON.stringify([group.name, group.definingProject ?? null]);

// By id where there is one; a group without an id means the one of its name and project, which may have an id in another seed.
function groupKey(seeds: readonly Seed[]): (group: SeedGroup) => string {
  const ids = new Map<string, number>();
  for (const group of seeds.flatMap((seed) => seed.groups ?? []))
    if (group.id !== undefined && !ids.has(named(group))) ids.set(named(group), group.id);
  return (group) => String(group.id ?? ids.get(named(group)) ?? named(group));
}

function bothTokens(a: Seed['users'][number], b: Seed['users'][number]): Seed['users'][number]['tokens'] {
  const known = new Set(a.tokens.map((token) => token.text));
  return [...a.tokens, ...b.tokens.filter((token) => !known.has(token.text))];
}
