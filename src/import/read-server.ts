// Reads what a server's users interface shows to this token: users, their subscriptions and groups, and the targets of both.
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
  /** Whether an anonymous request can't see it; undefined where that couldn't be found out. */
  readonly isHidden: boolean | undefined;
}

export interface ReadServer {
  readonly users: readonly ReadUser[];
  readonly groups: readonly WireGroup[];
  readonly projects: readonly ReadProject[];
  /** By `project/component`. */
  readonly components: ReadonlyMap<string, WireComponent>;
  /** What the token may not see, a phrase each. */
  readonly unseen: readonly string[];
}

export async function readServer(client: ApiClient, { usernames, onProgress }: ReadOptions): Promise<ReadServer> {
  const readAll = <T, R>(what: string, items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> =>
    inParallel(items, (item, done) => {
      onProgress(what, done, items.length);
      return read(item);
    });
  const get = (...steps: string[]) => client.get(client.resolve(`api/${steps.map(encodeURIComponent).join('/')}/`));

  async function getUser(username: string): Promise<WireUser> {
    const { status, body } = await get('users', username);
    if (status !== 200)
      throw new ImportError(`user ${username}: ${refused.has(status) ? 'not there for this token' : status}`);
    return expect(wire.user, body, `user ${username}`);
  }
  const listed = usernames === undefined ? await listUsers(client) : await readAll('reading users', usernames, getUser);
  const users = await readAll('reading notifications', listed, async (user) => {
    const path = `api/users/${encodeURIComponent(user.username)}/notifications/`;
    const subscriptions = await listAll(client, path, wire.subscription);
    return { ...user, isRefused: subscriptions === undefined, subscriptions: subscriptions ?? [] };
  });
  const groups = await readGroups(client, users, usernames === undefined);

  const subscriptions = users.flatMap((user) => user.subscriptions);
  const paths = unique(subscriptions.map(({ component }) => (component ? componentPath(component) : null)));
  const components = await readAll('reading components', paths, async (path): Promise<[string, WireComponent]> => {
    const [project = '', slug = ''] = path.split('/');
    const { status, body } = await get('components', project, slug);
    return [path, status === 200 ? expect(wire.component, body, `component ${path}`) : { slug, name: slug }];
  });
  const slugs = unique([
    ...[
      ...subscriptions.map(({ project }) => project),
      ...(groups ?? []).flatMap((group) => [...(group.projects ?? []), group.defining_project]),
    ].map((url) => (url ? projectSlug(url) : null)),
    ...paths.map((path) => path.split('/')[0]),
  ]);
  const projects = await readAll('reading projects', slugs, async (slug) => {
    const { status, body } = await get('projects', slug);
    if (status !== 200) return { slug, name: slug, isHidden: undefined };
    return { ...expect(wire.project, body, `project ${slug}`), slug, isHidden: await isHidden(client, slug) };
  });
  const unseen = [...describeUnseen(users), ...(groups === undefined ? ['groups'] : [])];
  return { users, groups: groups ?? [], projects, components: new Map(components), unseen };
}

async function listUsers(client: ApiClient): Promise<WireUser[]> {
  const users = await listAll(client, 'api/users/', wire.user);
  if (users === undefined) throw new ImportError('the list of users is refused to this token; name them with --users');
  if (users.length === 0) throw new ImportError('the list of users is empty for this token; name them with --users');
  // A user who joins while the pages are read moves others from one page to the next.
  return [...new Map(users.map((user) => [user.id, user])).values()];
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

/** The groups that the real system is set up with; its API doesn't show which groups new users join. */
export const isAutomatic = ({ name, defining_project }: WireGroup): boolean =>
  (name === 'Users' || name === 'Viewers') && !defining_project;

// The API doesn't show which projects are private: those that exist, and are 404 for an anonymous request.
async function isHidden(client: ApiClient, slug: string): Promise<boolean | undefined> {
  try {
    const url = client.resolve(`api/projects/${encodeURIComponent(slug)}/`);
    const { status } = await client.get(url, { anonymous: true });
    return status === 200 ? false : status === 404 ? true : undefined;
  } catch (error) {
    if (error instanceof ImportError) return undefined;
    throw error;
  }
}

const unique = (values: readonly (string | null | undefined)[]): string[] => [
  ...new Set(values.filter((value) => value !== undefined && value !== null)),
];
