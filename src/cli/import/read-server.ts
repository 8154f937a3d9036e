// Reads users, their subscriptions, and groups, with one request at a time. The first failure ends
// the import. No request goes to a URL that the server sent: the URL could lead the token elsewhere.
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { id } from '../../model/kinds.ts';
import { attempt, reasonOf, UserError } from '../../base/failure.ts';
import { mirrors } from '../../base/version.ts';
import type { CommandContext } from '../command.ts';

const urlOrNull = Type.Union([Type.String(), Type.Null()]);
const urls = Type.Array(Type.String());

// These schemas check only values that a seed writes in another form. The check of the seed
// covers all other values.
const userSchema = Type.Object({
  id,
  username: Type.String({ minLength: 1 }),
  // The basic form of a user lacks groups and profile, and older releases of Weblate show no profile.
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
  // Older releases show no admins.
  admins: Type.Optional(urls),
});

export type ReadSubscription = Static<typeof subscriptionSchema>;
export type ReadGroup = Static<typeof groupSchema>;

/** @param usernames undefined for all users that the list shows */
export async function readServer(
  client: ApiClient,
  usernames: readonly string[] | undefined,
  progress: CommandContext['progress'],
) {
  // This request fails for a wrong URL. Later ones may fail because the token lacks a right.
  await client.get('', Type.Object({ users: Type.String() }));
  const listed = await readUsers(client, usernames);
  const users = [];
  for (const user of listed) {
    progress.show('reading notifications', `${users.length}/${listed.length}`);
    const { id: userId, username, groups, profile, ...others } = user;
    if (groups === undefined)
      throw new UserError(`user ${username} is shown in basic form only; the token needs user.view`);
    if (profile === undefined)
      throw new UserError(`user ${username} is shown without a profile; the server must be ${mirrors} or newer`);
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

const pathOf = (username: string) => `users/${encodeURIComponent(username)}/`;

async function readUsers(client: ApiClient, usernames: readonly string[] | undefined) {
  const users = usernames === undefined ? await client.list('users/', userSchema) : [];
  for (const username of usernames ?? []) users.push(await client.get(pathOf(username), userSchema));
  if (users.length === 0) throw new UserError('the list of users is empty for this token; name users with --users');
  // If a user joins between two requests, another user moves to the next page, and is read twice.
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

/** Whether new users join the group. The API doesn't say, so the real system's defaults count. */
export const isAutomatic = ({ name, defining_project }: ReadGroup) =>
  (name === 'Users' || name === 'Viewers') && !defining_project;

/** The id 3 in …/api/groups/3/ or …/api/roles/3/. */
export const idOf = (url: string) => Number(/\/api\/(?:groups|roles)\/(\d{1,10})\/?$/u.exec(url)?.[1]);

type ApiClient = ReturnType<typeof makeClient>;

const responseMs = 60_000;
// The limit of a decompressed response. A page of 200 users has some 500 KB.
const maxBytes = 32 * 1024 * 1024;
const pageSize = 200;
const maxPages = 2000;

export function makeClient(baseUrl: string, token: string | undefined, signal: AbortSignal) {
  const headers = { accept: 'application/json', ...(token && { authorization: `Token ${token}` }) };

  async function get<T extends TSchema>(path: string, schema: T): Promise<Static<T>> {
    const url = `${baseUrl}/api/${path}`;
    const { response, text } = await send(url);
    if (response.status !== 200)
      throw new UserError(`${url} answered ${response.status}: ${explain(response, path === '')}`);
    const body = attempt((): unknown => JSON.parse(text));
    const fault = Value.Errors(schema, body).First();
    if (fault === undefined) return body;
    const { path: where, message } = fault;
    throw new UserError(`${url} doesn't answer as Weblate does: ${where || 'the body'}: ${message.toLowerCase()}`);
  }

  async function send(url: string) {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(responseMs)]);
      const response = await fetch(url, { headers, redirect: 'manual', signal: limit });
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw new UserError(`${url} answered more than ${maxBytes} bytes`);
        chunks.push(chunk);
      }
      return { response, text: Buffer.concat(chunks).toString() };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UserError) throw error;
      // The message of fetch is "fetch failed"; the cause says why.
      const { cause = error } = error as Error;
      throw new UserError(`no answer from ${url}: ${reasonOf(cause)}`);
    }
  }

  function explain({ status, headers: fields }: Response, isRoot: boolean) {
    if (status >= 300 && status < 400) return `it leads on to ${fields.get('location')}; use that URL`;
    if ((status === 401 || status === 403) && token === undefined) return 'it wants a token: --token-env';
    if (status === 401) return 'the token is not valid there';
    if (status === 403) return 'this token may not read it';
    if (status === 404 && isRoot) return 'no API is there; --from is the URL of the server, without /api/';
    if (status === 404) return 'it does not exist, or is not visible with this token';
    if (status === 429) return `the rate limit is used up, for ${fields.get('retry-after') ?? 'some'} seconds`;
    return 'expected 200';
  }

  async function list<T extends TSchema>(path: string, entry: T) {
    const schema = Type.Object({ next: Type.Union([Type.String(), Type.Null()]), results: Type.Array(entry) });
    const pages: Static<T>[][] = [];
    while (pages.length < maxPages) {
      const { next, results } = await get(`${path}?page_size=${pageSize}&page=${pages.length + 1}`, schema);
      pages.push(results);
      if (next === null) return pages.flat();
    }
    throw new UserError(`${baseUrl}/api/${path} has more than ${maxPages} pages`);
  }

  return { get, list };
}
