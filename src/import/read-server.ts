// Reads what a server's users interface shows to this token: users, their subscriptions and groups, and the targets of
// both.
import { idOf, projectSlug, targetOf } from './import-targets.ts';
import { listAll, refused } from './read-pages.ts';
import { type ApiClient, ImportError } from './weblate-client.ts';
import { expect, wire, type WireGroup, type WireUser } from './wire.ts';

export interface ReadOptions {
  /** Only these; undefined for all that the list shows. */
  readonly usernames: readonly string[] | undefined;
  readonly onProgress: (what: string, done: number, total: number) => void;
}

export type ReadServer = Awaited<ReturnType<typeof readServer>>;
export type ReadUser = ReadServer['users'][number];

// The real system serves some sixty lists a second; more requests at once would only wait there.
const requestsAtOnce = 4;

export async function readServer(client: ApiClient, { usernames, onProgress }: ReadOptions) {
  /** Results are in the order of the items. */
  async function readAll<T, R>(what: string, items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
    const results: R[] = [];
    // The loops share one generator, and the first that fails closes it for all.
    const rest = (function* () {
      yield* items.entries();
    })();
    const loops = Array.from({ length: requestsAtOnce }, async () => {
      for (const [i, item] of rest) {
        onProgress(what, i, items.length);
        results[i] = await read(item);
      }
    });
    await Promise.all(loops);
    return results;
  }
  const get = (...steps: string[]) => client.get(`api/${steps.map(encodeURIComponent).join('/')}/`);

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
  const used = new Set(users.flatMap((user) => user.groups?.map(idOf)));
  const allGroups = await listAll(client, 'api/groups/', wire.group);
  const groups = (allGroups ?? []).filter(
    (group) => usernames === undefined || used.has(group.id) || isAutomatic(group),
  );

  const targets = users.flatMap((user) => user.subscriptions).map(targetOf);
  const paths = new Set(targets.flatMap((target) => target?.component ?? []));
  const components = await readAll('reading components', [...paths], async (path) => {
    const [project = '', slug = ''] = path.split('/');
    const { status, body } = await get('components', project, slug);
    const found = status === 200 ? expect(wire.component, body, `component ${path}`) : { name: slug };
    return { ...found, project, slug };
  });
  const slugs = new Set([
    ...targets.flatMap((target) => target?.project ?? []),
    ...groups.flatMap((group) => [...(group.projects ?? []), group.defining_project ?? '']).map(projectSlug),
    ...components.map(({ project }) => project),
  ]);
  slugs.delete(undefined);
  const projects = await readAll('reading projects', [...slugs] as string[], async (slug) => {
    const { status, body } = await get('projects', slug);
    const found = status === 200 ? expect(wire.project, body, `project ${slug}`) : { name: slug };
    return { ...found, slug, isHidden: status === 200 ? await isHidden(client, slug) : undefined };
  });

  /** What the token may not see, a phrase each. */
  const unseen: string[] = [];
  const basic = users.filter((user) => user.is_active === undefined).length;
  if (basic > 0) unseen.push(`e-mail address, flags, dates and groups of ${basic} of ${users.length} users`);
  const closed = users.filter((user) => user.isRefused).length;
  if (closed > 0) unseen.push(`notifications of ${closed} of ${users.length} users`);
  if (allGroups === undefined) unseen.push('groups');
  return { users, groups, projects, components, unseen };
}

async function listUsers(client: ApiClient): Promise<WireUser[]> {
  const users = await listAll(client, 'api/users/', wire.user);
  if (users === undefined) throw new ImportError('the list of users is refused to this token; name them with --users');
  if (users.length === 0) throw new ImportError('the list of users is empty for this token; name them with --users');
  // A user who joins while the pages are read moves others from one page to the next.
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

/** The groups that the real system is set up with; its API doesn't show which groups new users join. */
export const isAutomatic = ({ name, defining_project }: WireGroup): boolean =>
  (name === 'Users' || name === 'Viewers') && !defining_project;

// The API doesn't show which projects are private: those that exist, and are 404 for an anonymous request. Undefined:
// it can't be found out.
async function isHidden(client: ApiClient, slug: string): Promise<boolean | undefined> {
  try {
    const { status } = await client.get(`api/projects/${encodeURIComponent(slug)}/`, { anonymous: true });
    return status === 200 ? false : status === 404 ? true : undefined;
  } catch (error) {
    if (error instanceof ImportError) return undefined;
    throw error;
  }
}
