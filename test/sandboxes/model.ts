// A plain model of a sandbox: its users and subscriptions as maps. predict.ts has the rules by which they change.
import type { Json } from '../transcripts/engine/raw-json.ts';

export const actors = ['admin', 'ann', 'bob'] as const;
export const notifications = ['LockNotification', 'NewAlertNotificaton', 'ToDoStringsNotification'];
export const scopes = [0, 10, 20];
export const scopeNames = ['all', 'watched', 'administered'];
const frequencies = ['none', 'instant', 'daily', 'weekly', 'monthly'];

/** What a new user gets (transcript users__create). */
export const newSubscriptions =
  `MentionCommentNotificaton 0 1, LastAuthorCommentNotificaton 10 1, MentionCommentNotificaton 10 1,
  NewAnnouncementNotificaton 10 1, TranslationActivitySummaryNotification 10 3, MergeFailureNotification 20 1,
  ParseErrorNotification 20 1, NewTranslationNotificaton 20 1, NewAlertNotificaton 20 1, NewAnnouncementNotificaton 20 1`
    .split(/,\s*/)
    .map((line): Subscription => {
      const [notification = '', scope, frequency] = line.split(' ');
      return { notification, scope: Number(scope), frequency: Number(frequency) };
    });

export interface Subscription {
  readonly notification: string;
  readonly scope: number;
  readonly frequency: number;
}
export interface User {
  readonly id: number;
  readonly username: string;
  readonly full_name: string;
  readonly email: string;
  readonly is_superuser: boolean;
  readonly is_active: boolean;
  readonly date_joined: string;
  readonly groups: readonly number[];
}

/** What reset and restore bring back. */
export interface Content {
  readonly users: Map<number, User>;
  /** By the user's id and their own. */
  readonly subscriptions: Map<number, Map<number, Subscription>>;
  nextUser: number;
  nextSubscription: number;
  /** Whose the seed's tokens are. */
  readonly seedTokens: Map<string, number>;
}

export interface Model {
  readonly name: string;
  /** The seed's `now`, another one in each sandbox. */
  readonly clock: string;
  now: Content;
  readonly baseline: Content;
  readonly snapshots: Map<string, Content>;
  /** Whose the sandbox's own tokens are. */
  ownTokens: Map<string, number>;
  /** What the journal holds: method, path, query and status. */
  journal: string[];
}

const onUsers = [
  'list users',
  'read user',
  'create user',
  'change user',
  'rename user',
  'delete user',
  'join',
  'leave',
] as const;
const onEntries = ['list', 'read', 'create', 'change', 'delete'] as const;
const onSandbox = ['reset', 'snapshot', 'restore', 'journal', 'export', 'sandbox'] as const;
export const kinds = [...onUsers, ...onEntries, ...onEntries, ...onSandbox];

/** The next operation; its numbers choose from the model's content at that time. */
export interface Op {
  readonly kind: (typeof kinds)[number];
  readonly way: 'prefix' | 'header' | 'token';
  readonly as: (typeof actors)[number] | 'nobody';
  readonly user: number;
  readonly entry: number;
  readonly name: string;
  readonly notification: number;
  readonly scope: number;
  readonly frequency: number;
  readonly page: number;
}

export function createModel(name: string): Model {
  const now: Content = {
    users: new Map(),
    subscriptions: new Map(),
    nextUser: 1,
    nextSubscription: 1,
    seedTokens: new Map(actors.map((actor, index) => [actor, index + 1])),
  };
  for (const actor of actors) addUser(now, actor, name, actor === 'admin', [], '2026-01-01T00:00:00Z');
  for (const [index, [userId]] of [...now.subscriptions].entries())
    addSubscription(now, userId, { notification: 'LockNotification', scope: 10, frequency: index + 1 });
  const clock = `1${name.codePointAt(0)}-02-03T04:05:06Z`;
  const baseline = structuredClone(now);
  const model = { name, clock, now, baseline, snapshots: new Map(), ownTokens: new Map(), journal: [] };
  restoreTokens(model);
  return model;
}

export const tokenOf = (sandbox: string, actor: string): string => `wlu_${actor}_${sandbox}_`.padEnd(40, '0');

/** The model's first content. */
export const seedOf = ({ name, clock, baseline }: Model): Json => ({
  now: clock,
  groups: [
    { id: 2, name: 'Viewers', automatic: true },
    { id: 3, name: 'Users', automatic: true },
    { id: 4, name: `Friends of ${name}` },
  ],
  users: [...baseline.users.values()].map(({ groups: _groups, ...user }) => ({
    ...user,
    token: tokenOf(name, user.username),
    subscriptions: listSubscriptions(baseline, user.id).map(({ id, notification, scope, frequency }) => ({
      id,
      notification,
      scope: scopeNames[scope / 10] ?? '',
      frequency: frequencies[frequency] ?? '',
    })),
  })),
});

export const emailOf = (username: string, sandbox: string) => `${username.toLowerCase()}@${sandbox}.example`;

export function addUser(
  content: Content,
  username: string,
  sandbox: string,
  isSuperuser: boolean,
  given: readonly Subscription[],
  date_joined: string,
) {
  const id = content.nextUser++;
  const email = emailOf(username, sandbox);
  const user = {
    id,
    username,
    full_name: `${username} of ${sandbox}`,
    email,
    is_superuser: isSuperuser,
    is_active: true,
    date_joined,
  };
  content.users.set(id, { ...user, groups: [2, 3] });
  content.subscriptions.set(id, new Map());
  for (const subscription of given) addSubscription(content, id, subscription);
  return id;
}

export function addSubscription(content: Content, userId: number, subscription: Subscription): number {
  content.subscriptions.get(userId)?.set(content.nextSubscription, subscription);
  return content.nextSubscription++;
}

export const findUser = ({ users }: Content, name: string) =>
  [...users.values()].find(({ username }) => username.toLowerCase() === name.toLowerCase());

/** A sandbox's own tokens belong to names: to the user that has the name then. */
export function restoreTokens(model: Omit<Model, 'journal'>): void {
  const owned = actors.flatMap((actor) => {
    const user = findUser(model.now, actor);
    return user === undefined ? [] : [[actor, user.id] as const];
  });
  model.ownTokens = new Map(owned);
}

export const listSubscriptions = ({ subscriptions }: Content, userId: number) =>
  [...(subscriptions.get(userId) ?? [])].map(([id, subscription]) => ({ id, ...subscription }));

export const sortedUsers = ({ now }: Model): User[] => [...now.users.values()].toSorted((a, b) => a.id - b.id);
