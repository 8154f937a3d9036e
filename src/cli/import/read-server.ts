// Reads what a server's users interface shows to this token: users, their subscriptions and groups.
import { type Static, Type } from '@sinclair/typebox';
import { id } from '../../model/kinds.ts';
import { UserError } from '../../base/errors.ts';
import type { CommandContext } from '../command.ts';
import type { ApiClient } from './weblate-client.ts';

const urlOrNull = Type.Union([Type.String(), Type.Null()]);
const urls = Type.Array(Type.String());

// This checks what a seed has in another form. The seed's own check covers what is copied.
const userSchema = Type.Object({
  id,
  username: Type.String({ minLength: 1 }),
  // Left out of the basic form.
  groups: Type.Optional(urls),
  profile: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const subscriptionSchema = Type.Object({
  id,
  notification: Type.String(),
  scope: Type.Integer(),
  project: urlOrNull,
  component: urlOrNull,
});
const groupSchema = Type.Object({
  id,
  name: Type.String({ minLength: 1 }),
  defining_project: urlOrNull,
  project_selection: Type.Integer(),
  language_selection: Type.Integer(),
  roles: urls,
  projects: urls,
  languages: Type.Optional(urls),
  components: Type.Optional(urls),
  // Older releases show none.
  admins: Type.Optional(urls),
});

export type ReadSubscription = Static<typeof subscriptionSchema>;
export type ReadGroup = Static<typeof groupSchema>;

/** @param usernames only these; undefined for all that the list shows */
export async function readServer(
  client: ApiClient,
  usernames: readonly string[] | undefined,
  progress: CommandContext['progress'],
) {
  // Tells a wrong URL from what this token may not see.
  await client.get('', Type.Object({ users: Type.String() }));
  const listed = await readUsers(client, usernames);
  const users = [];
  for (const user of listed) {
    progress.show('reading notifications', `${users.length}/${listed.length}`);
    const { id: userId, username, groups, profile, ...others } = user;
    if (groups === undefined || profile === undefined)
      throw new UserError(
        `user ${username} is shown in basic form only; import needs a token of a superuser, or with user.view`,
      );
    const fields: Readonly<Record<string, unknown>> = others;
    const subscriptions = await client.list(`${pathOf(username)}notifications/`, subscriptionSchema);
    users.push({ id: userId, username, fields, profile, groups, subscriptions });
  }
  progress.show('reading groups');
  const groupIds = new Set(users.flatMap((user) => user.groups.map(idOf)));
  const groups = (await client.list('groups/', groupSchema)).filter(
    (group) => usernames === undefined || groupIds.has(group.id) || isAutomatic(group),
  );
  return { users, groups };
}

const pathOf = (username: string): string => `users/${encodeURIComponent(username)}/`;

async function readUsers(client: ApiClient, usernames: readonly string[] | undefined) {
  const users = usernames === undefined ? await client.list('users/', userSchema) : [];
  for (const username of usernames ?? []) users.push(await client.get(pathOf(username), userSchema));
  if (users.length === 0) throw new UserError('the list of users is empty for this token; name them with --users');
  // A user who joins while the pages are read moves others from one page to the next.
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

/** The groups that the real system is set up with; its API doesn't show which groups new users join. */
export const isAutomatic = ({ name, defining_project }: ReadGroup): boolean =>
  (name === 'Users' || name === 'Viewers') && !defining_project;

/** 3 of …/api/groups/3/ or …/api/roles/3/ */
export const idOf = (url: string): number => Number(/\/api\/(?:groups|roles)\/(\d{1,10})\/?$/u.exec(url)?.[1]);
