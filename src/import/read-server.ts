// Reads what a server's users interface tells this token: users, their subscriptions and groups, and the targets of both.
import { type ApiClient, ImportError } from './weblate-client.ts';
import { inParallel } from './in-parallel.ts';
import { listAll, refused } from './read-pages.ts';
import { componentPath, idOf, projectSlug } from './import-targets.ts';
import {
  expect,
  wire,
  type WireComponent,
  type WireGroup,
  type WireProject,
  type WireSubscription,
  type WireUser,
} from './wire.ts';

export interface ReadOptions {
  /** Only these; undefined for all that the list shows. */
  readonly usernames: readonly string[] | undefined;
  readonly onProgress: (what: string, done: number, total: number) => void;
}

export interface ReadUser extends WireUser {
  readonly subscriptions: readonly WireSubscription[];
}

export interface ReadProject extends WireProject {
  /** Whether it is hidden from who has no token; undefined where that couldn't be found out. */
  readonly isHidden: boolean | undefined;
}

export interface ReadServer {
  readonly users: readonly ReadUser[];
  readonly groups: readonly WireGroup[];
  readonly projects: readonly ReadProject[];
  /** By `project/component`. */
  readonly components: ReadonlyMap<string, WireComponent>;
  /** What the token may not see, a sentence each. */
  readonly unseen: readonly string[];
}

export async function readServer(client: ApiClient, { usernames, onProgress }: ReadOptions): Promise<ReadServer> {
  const unseen: string[] = [];
  const listed = usernames === undefined ? await listUsers(client) : await getUsers(client, usernames, onProgress);
  const users = await inParallel(listed, async (user, done) => {
    onProgress('reading notifications', done, listed.length);
    const subscriptions = await listAll(
      client,
      `api/users/${encodeURIComponent(user.username)}/notifications/`,
      wire.subscription,
    );
    return { ...user, isRefused: subscriptions === undefined, subscriptions: subscriptions ?? [] };
  });
  unseen.push(...describeUnseen(users));
  const groups = await readGroups(client, users, usernames === undefined);
  if (groups === undefined) unseen.push('groups');
  const kept = groups ?? [];
  const named = users.flatMap(({ subscriptions }) => subscriptions);
  const paths = unique(named.map(({ component }) => (component ? componentPath(component) : undefined)));
  const components = await readComponents(client, paths, onProgress);
  const slugs = unique([
    ...named.map(({ project }) => (project ? projectSlug(project) : undefined)),
    ...kept.flatMap((group) =>
      [...(group.projects ?? []), ...(group.defining_project ? [group.defining_project] : [])].map(projectSlug),
    ),
    ...paths.map((path) => path.split('/')[0]),
  ]);
  const projects = await readProjects(client, slugs, onProgress);
  return { users, groups: kept, projects, components, unseen };
}

async function listUsers(client: ApiClient): Promise<WireUser[]> {
  const users = await listAll(client, 'api/users/', wire.user);
  if (users === undefined) throw new ImportError('the list of users is refused to this token; name them with --users');
  if (users.length === 0) throw new ImportError('the list of users is empty for this token; name them with --users');
  // Who joins while the pages are read moves others from one page to the next.
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

async function getUsers(
  client: ApiClient,
  usernames: readonly string[],
  onProgress: ReadOptions['onProgress'],
): Promise<WireUser[]> {
  return await inParallel(usernames, async (username, done) => {
    onProgress('reading users', done, usernames.length);
    const { status, body } = await client.get(client.resolve(`api/users/${encodeURIComponent(username)}/`));
    if (status !== 200)
      throw new ImportError(`user ${username}: ${refused.has(status) ? 'not there for this token' : status}`);
    return expect(wire.user, body, `user ${username}`);
  });
}

function describeUnseen(users: readonly { is_active?: unknown; isRefused: boolean }[]): string[] {
  const basic = users.filter((user) => user.is_active === undefined).length;
  const closed = users.filter((user) => user.isRefused).length;
  return [
    ...(basic > 0 ? [`e-mail address, flags, dates and groups of ${basic} of ${users.length} users`] : []),
    ...(closed > 0 ? [`notifications of ${closed} of ${users.length} users`] : []),
  ];
}

/** All groups, or those of the users and those that new users join. */
async function readGroups(
  client: ApiClient,
  users: readonly WireUser[],
  all: boolean,
): Promise<WireGroup[] | undefined> {
  const groups = await listAll(client, 'api/groups/', wire.group);
  const used = new Set(users.flatMap((user) => (user.groups ?? []).map((url) => idOf(url, 'groups'))));
  return groups?.filter((group) => all || used.has(group.id) || isAutomatic(group));
}

/** Those that the real system is set up with; its API doesn't tell which groups are. */
export const isAutomatic = ({ name, defining_project }: WireGroup): boolean =>
  (name === 'Users' || name === 'Viewers') && !defining_project;

async function readComponents(
  client: ApiClient,
  paths: readonly string[],
  onProgress: ReadOptions['onProgress'],
): Promise<Map<string, WireComponent>> {
  const read = await inParallel(paths, async (path, done): Promise<[string, WireComponent]> => {
    onProgress('reading components', done, paths.length);
    const [project = '', slug = ''] = path.split('/');
    const { status, body } = await client.get(
      client.resolve(`api/components/${encodeURIComponent(project)}/${encodeURIComponent(slug)}/`),
    );
    return [path, status === 200 ? expect(wire.component, body, `component ${path}`) : { slug, name: slug }];
  });
  return new Map(read);
}

async function readProjects(
  client: ApiClient,
  slugs: readonly string[],
  onProgress: ReadOptions['onProgress'],
): Promise<ReadProject[]> {
  return await inParallel(slugs, async (slug, done) => {
    onProgress('reading projects', done, slugs.length);
    const url = client.resolve(`api/projects/${encodeURIComponent(slug)}/`);
    const { status, body } = await client.get(url);
    const project = status === 200 ? expect(wire.project, body, `project ${slug}`) : { slug, name: slug };
    return { ...project, slug, isHidden: status === 200 ? await isHidden(client, url) : undefined };
  });
}

// The API doesn't say which projects are private. Those that exist and are hidden from nobody in particular are.
async function isHidden(client: ApiClient, url: string): Promise<boolean | undefined> {
  try {
    const { status } = await client.get(url, { anonymous: true });
    return status === 200 ? false : status === 404 ? true : undefined;
  } catch (error) {
    if (error instanceof ImportError) return undefined;
    throw error;
  }
}

const unique = (values: readonly (string | undefined)[]): string[] => [
  ...new Set(values.filter((value) => value !== undefined)),
];
