// What generated requests can be about: the names, ids and tokens of a seed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transcriptsFolder } from '../support/service.ts';
import { listTokens, type Tokens } from '../transcripts/engine/placeholders.ts';

interface SeedFile {
  readonly users: readonly { readonly id: number; readonly username: string; readonly token: string | null }[];
  readonly groups: readonly { readonly id: number }[];
  readonly projects: readonly { readonly slug: string }[];
  readonly components: readonly { readonly project: string; readonly slug: string }[];
  readonly subscriptions: readonly { readonly id: number; readonly user: string }[];
  readonly next_id: { readonly users: number; readonly subscriptions: number };
}

export interface World {
  readonly tokens: Tokens;
  /** Users with a token, by the name under which a step sends it. */
  readonly callers: readonly string[];
  readonly usernames: readonly string[];
  /** By username. */
  readonly entries: ReadonlyMap<string, readonly number[]>;
  readonly groups: readonly number[];
  readonly projects: readonly string[];
  readonly components: readonly { readonly project: string; readonly slug: string }[];
  /** The ids that the first new rows get. */
  readonly nextIds: { readonly users: number; readonly subscriptions: number };
}

/** The world of the recorded exchanges. */
export const seedPath = join(transcriptsFolder, 'seed.json');

export async function readWorld(path = seedPath): Promise<World> {
  const seed = JSON.parse(await readFile(path, 'utf8')) as SeedFile;
  const { users, groups, projects, components, subscriptions, next_id: nextIds } = seed;
  const entries = Map.groupBy(subscriptions, ({ user }) => user);
  return {
    tokens: listTokens(users),
    callers: users.filter(({ token }) => token !== null).map(({ username }) => username),
    usernames: users.map(({ username }) => username),
    entries: new Map(users.map(({ username }) => [username, (entries.get(username) ?? []).map(({ id }) => id)])),
    groups: groups.map(({ id }) => id),
    projects: projects.map(({ slug }) => slug),
    components,
    nextIds,
  };
}
