// What a seed points to: whether it stands in the seed itself or, where a sandbox is known, in that sandbox.
import { automaticGroups } from './automatic-groups.ts';
import { findNearest } from '../nearest.ts';
import { componentPath, faultAt, foldCase, type Seed, type SeedFault } from './seed-types.ts';

/** What is there besides the seed: usernames case-folded, groups by name and by id, components as `project/component`. */
export interface Known {
  readonly users: readonly string[];
  readonly groups: readonly (string | number)[];
  readonly projects: readonly string[];
  readonly components: readonly string[];
}

/** As for a new sandbox, where a seed has to stand by itself. */
export const nothingKnown: Known = { users: [], groups: [], projects: [], components: [] };

/** The names that a seed uses without defining them, which is what a sandbox may know. */
export function listReferences(seed: Seed): Known {
  const { users, groups = [], components, subscriptions } = seed;
  const defining = groups.map((group) => group.definingProject);
  const ofSubscriptions = (key: 'project' | 'component') => subscriptions.map((subscription) => subscription[key]);
  const listed = [...groups.flatMap((group) => group.projects ?? []), ...components.map(({ project }) => project)];
  return {
    users: unique(subscriptions.map((subscription) => subscription.user)),
    groups: unique(users.flatMap((user) => user.groups ?? [])),
    projects: unique([...defining, ...listed, ...ofSubscriptions('project')]),
    components: unique(ofSubscriptions('component')),
  };
}

export function findDangling(seed: Seed, known: Known): SeedFault[] {
  const faults: SeedFault[] = [];
  const groups = seed.groups ?? (known.groups.length === 0 ? automaticGroups : []);
  const names = groups.map((group) => group.name);
  const timesNamed = new Map<string, number>();
  for (const name of names) timesNamed.set(name, (timesNamed.get(name) ?? 0) + 1);
  const check = <T extends string | number>(
    kind: string,
    all: readonly T[],
    fold: (value: T) => T = (value) => value,
  ) => {
    const set = new Set(all);
    const words = all.filter((value) => typeof value === 'string');
    return (
      value: T | null | undefined,
      place: Seed['users'][number]['place'],
      ...steps: (string | number)[]
    ): void => {
      if (value === null || value === undefined || set.has(fold(value))) return;
      const at = { source: place.source, path: [...place.path, ...steps] };
      faults.push(
        faultAt(at, () => {
          const near = typeof value === 'string' ? findNearest(value, words) : undefined;
          return `names a ${kind} that is not there: ${value}${near === undefined ? '' : `; did you mean ${near}?`}`;
        }),
      );
    };
  };
  const user = check('user', [...seed.users.map(({ username }) => foldCase(username)), ...known.users], foldCase);
  const project = check('project', [...seed.projects.map(({ slug }) => slug), ...known.projects]);
  const component = check('component', [...seed.components.map(componentPath), ...known.components]);
  const ids = groups.flatMap(({ id }) => id ?? []);
  const group = check<string | number>('group', [...names, ...ids, ...known.groups]);

  for (const { place, groups: wanted = [] } of seed.users) {
    for (const [i, value] of wanted.entries()) {
      group(value, place, 'groups', i);
      if (typeof value === 'string' && (timesNamed.get(value) ?? 0) > 1)
        faults.push(
          faultAt(
            { source: place.source, path: [...place.path, 'groups', i] },
            `names several groups: ${value}; use the id`,
          ),
        );
    }
  }
  for (const { place, definingProject, projects = [] } of groups) {
    project(definingProject, place, 'defining_project');
    for (const [i, value] of projects.entries()) project(value, place, 'projects', i);
  }
  for (const { place, project: of } of seed.components) project(of, place, 'project');
  for (const subscription of seed.subscriptions) {
    user(subscription.user, subscription.place, ...(subscription.place.path[0] === 'users' ? [] : ['user']));
    project(subscription.project, subscription.place, 'project');
    component(subscription.component, subscription.place, 'component');
  }
  return faults;
}

const unique = <T>(values: readonly (T | null | undefined)[]): T[] => [
  ...new Set(values.filter((value) => value !== null && value !== undefined)),
];
