// What generated requests can be about: the names, ids and tokens of a seed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transcriptsFolder } from '../support/service.ts';
import { listTokens, type Tokens } from '../transcripts/engine/placeholders.ts';

/** The parts of a seed file that a world is made from. The file leaves nothing to defaults. */
interface SeedFile {
  readonly users: readonly {
    readonly id: number;
    readonly username: string;
    readonly email: string | null;
    readonly is_superuser: boolean;
    readonly is_active: boolean;
    readonly token: string | null;
    readonly groups: readonly number[];
  }[];
  readonly groups: readonly { readonly id: number; readonly roles: readonly number[] }[];
  readonly projects: readonly { readonly id: number; readonly slug: string; readonly private: boolean }[];
  readonly components: readonly { readonly id: number; readonly project: string; readonly slug: string }[];
  readonly subscriptions: readonly { readonly id: number; readonly user: string }[];
  readonly next_id: { readonly users: number; readonly subscriptions: number };
}

export interface World {
  readonly seed: SeedFile;
  /** Whether this is the world of the recorded exchanges. */
  readonly isRecorded: boolean;
  readonly tokens: Tokens;
  /** The names of users with a token, which steps name as their callers. */
  readonly callers: readonly string[];
  readonly superuser: string;
  /** Callers who, in the real system, see the shared group and can't write what is read-only here. */
  readonly ordinary: readonly string[];
  readonly usernames: readonly string[];
  readonly userIds: readonly number[];
  readonly emails: readonly string[];
  readonly entries: ReadonlyMap<string, readonly number[]>;
  readonly groups: readonly number[];
  readonly projects: readonly string[];
  readonly components: readonly { readonly project: string; readonly slug: string }[];
  /** The group that most users are in, a public project and one of its components. */
  readonly shared: {
    readonly group: number;
    readonly project: string;
    readonly component: { readonly project: string; readonly slug: string };
  };
  /** The ids that the first new rows get. */
  readonly nextIds: { readonly users: number; readonly subscriptions: number };
}

export const seedPath = join(transcriptsFolder, 'seed.json');

/** The world of the recorded exchanges. */
export const readWorld = async (): Promise<World> => ({
  ...makeWorld(JSON.parse(await readFile(seedPath, 'utf8')) as SeedFile),
  isRecorded: true,
});

/** Roles that may write projects, components or groups: Administration and Add new projects. */
const writing = [1, 18];

/** The seed must have an active superuser with a token. If it has no groups, requests name a missing one. */
export function makeWorld(seed: SeedFile): World {
  const { users, subscriptions, next_id: nextIds } = seed;
  const entries = Map.groupBy(subscriptions, ({ user }) => user);
  const groups = orElse(seed.groups, { id: 2, roles: [] });
  const projects = orElse(seed.projects, { slug: 'demo', private: false });
  const components = orElse(seed.components, { project: 'demo', slug: 'app' });
  const callers = users.filter(({ token }) => token !== null);
  const superuser = callers.find(({ is_superuser, is_active }) => is_superuser && is_active);
  if (superuser === undefined) throw new Error('a world needs an active superuser with a token');
  const writers = new Set(seed.groups.filter(({ roles }) => roles.some((role) => writing.includes(role))).map(idOf));
  const sizes = Map.groupBy(
    users.flatMap((user) => user.groups),
    (id) => id,
  );
  const [group = 0] = groups.map(idOf).toSorted((a, b) => (sizes.get(b)?.length ?? 0) - (sizes.get(a)?.length ?? 0));
  const open = projects.find((project) => !project.private) ?? projects[0]!;
  return {
    seed,
    isRecorded: false,
    tokens: listTokens(users),
    callers: callers.map(({ username }) => username),
    superuser: superuser.username,
    ordinary: callers
      .filter((user) => !user.is_superuser && user.groups.includes(group) && !user.groups.some((id) => writers.has(id)))
      .map(({ username }) => username),
    usernames: users.map(({ username }) => username),
    userIds: users.map(idOf),
    emails: users.flatMap(({ email }) => email ?? []),
    entries: new Map(users.map(({ username }) => [username, (entries.get(username) ?? []).map(idOf)])),
    groups: groups.map(idOf),
    projects: projects.map(({ slug }) => slug),
    components,
    shared: {
      group,
      project: open.slug,
      component: components.find(({ project }) => project === open.slug) ?? components[0]!,
    },
    nextIds,
  };
}

const idOf = ({ id }: { readonly id: number }): number => id;
const orElse = <T>(list: readonly T[], one: NoInfer<T extends object ? Partial<T> : T>): readonly T[] =>
  list.length > 0 ? list : [one as T];
