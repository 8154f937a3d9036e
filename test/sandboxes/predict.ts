// The model's prediction for each operation: the right answer, and the state that it leaves.
import type { Json } from '../transcripts/engine/raw-json.ts';
import type { TranscriptRequest } from '../transcripts/engine/transcript.ts';
import {
  addSubscription,
  addUser,
  type Content,
  emailOf,
  findUser,
  listSubscriptions,
  type Model,
  newSubscriptions,
  notifications,
  type Op,
  restoreTokens,
  scopeNames,
  sortedUsers,
  type Subscription,
  type User,
} from './model.ts';

/** A request and the right answer to it. */
export interface Predicted {
  /** Of the control API, where the path begins so; its sandbox is left out. */
  readonly request: TranscriptRequest;
  readonly status: number;
  /** What the answer must hold, see `project`. */
  readonly body?: Json;
}

const page = (all: readonly Json[], number: number, size: number): Json | undefined =>
  number > 1 && (number - 1) * size >= all.length
    ? undefined
    : {
        count: all.length,
        next: number * size < all.length,
        previous: number > 1,
        results: all.slice((number - 1) * size, number * size),
      };

const asJson = (user: User): { [name: string]: Json } => ({ ...user, groups: [...user.groups] });
const basic = ({ id, username, full_name }: User): { [name: string]: Json } => ({ id, username, full_name });

/** An operation's request and right answer; the model then has the state that it leaves. */
export function predict(model: Model, op: Op): Predicted {
  const own = predictOwn(model, op);
  if (own !== undefined) return own;
  const { now, name } = model;
  const callerId = (op.way === 'token' ? model.ownTokens : now.seedTokens).get(op.as);
  const caller = callerId === undefined ? undefined : now.users.get(callerId);
  const all = sortedUsers(model).map((user) => user.username);
  const mostly = caller === undefined || caller.is_superuser ? all : all.map(() => caller.username);
  const names = [...all, 'unknown', ...mostly];
  const username = names[op.user % names.length] ?? '';
  const target = findUser(now, username);
  const entries = listSubscriptions(now, target?.id ?? 0);
  // One id beyond the sandbox's own: another sandbox may have it.
  const entryId = [...entries.map(({ id }) => id), now.nextSubscription][op.entry % (entries.length + 1)] ?? 0;
  const isAdmin = caller?.is_superuser === true;
  const shown = (user: User) => (isAdmin ? asJson(user) : basic(user));
  const path = `/api/users/${encodeURIComponent(username)}/`;
  const list = `${path}notifications/`;
  const values = { notification: notifications[op.notification] ?? '', scope: op.scope, frequency: op.frequency };

  /** `may` tells which rights of the caller allow it. */
  const answer = (
    method: string,
    to: string,
    may: 'any' | 'self' | 'admin',
    json: Json | undefined,
    act: () => readonly [status: number, body?: Json],
  ): Predicted => {
    const request = { method, path: to, ...(op.as !== 'nobody' && { as: op.as }), ...(json !== undefined && { json }) };
    const isKnown = to === '/api/users/' || to.startsWith('/api/users/?') || target !== undefined;
    const isAllowed = may === 'any' || isAdmin || (may === 'self' && caller?.id === target?.id);
    const [status, body] = caller?.is_active !== true ? [401] : !isKnown ? [404] : !isAllowed ? [403] : act();
    model.journal.push(`${method} ${to} ${status}`);
    return { request, status, ...(body !== undefined && { body }) };
  };
  const user = target as User;
  const change = (changes: Partial<User>) => {
    const changed = { ...user, ...changes };
    now.users.set(user.id, changed);
    const {
      groups: _groups,
      is_active: _active,
      is_superuser: _superuser,
      date_joined: _joined,
      ...self
    } = asJson(changed);
    return [200, isAdmin ? asJson(changed) : self] as const;
  };
  const isDuplicate = (wanted: Subscription, except?: number) =>
    entries.some(
      ({ id, notification, scope }) => id !== except && notification === wanted.notification && scope === wanted.scope,
    );
  const isSafe = ['list users', 'read user', 'list', 'read'].includes(op.kind);
  // The service's configuration decides what a client without a token may read.
  if (isSafe && op.as === 'nobody') return predict(model, { ...op, as: 'bob' });
  // The administrator stays, to read what the others do, and no user becomes inactive.
  const isKept = ['change user', 'rename user', 'delete user'].includes(op.kind) && username === 'admin';
  const isAside = ['join', 'leave', 'delete user'].includes(op.kind) && target?.is_active === false;
  const isOwnName = op.kind === 'rename user' && !isAdmin && caller?.id === target?.id;
  if (isKept || isAside || isOwnName) return predict(model, { ...op, kind: 'list' });

  switch (op.kind) {
    case 'list users':
      return answer('GET', `/api/users/?page=${op.page}&page_size=2`, 'any', undefined, () => {
        const found = page((isAdmin ? sortedUsers(model) : [caller as User]).map(shown), op.page, 2);
        return found === undefined ? [404] : [200, found];
      });
    case 'read user':
      return answer('GET', path, 'any', undefined, () => [200, shown(user)]);
    case 'create user':
      return answer(
        'POST',
        '/api/users/',
        'admin',
        { username: op.name, full_name: `${op.name} of ${name}`, email: emailOf(op.name, name) },
        () => {
          if (findUser(now, op.name) !== undefined) return [400];
          if (sortedUsers(model).some(({ email }) => email === emailOf(op.name, name))) return [400];
          const id = addUser(now, op.name, name, false, newSubscriptions, model.clock);
          return [201, asJson(now.users.get(id) as User)];
        },
      );
    case 'change user':
      return op.page === 1
        ? answer('PATCH', path, 'self', { is_active: op.frequency > 0 }, () =>
            change(isAdmin ? { is_active: op.frequency > 0 } : {}),
          )
        : answer('PATCH', path, 'self', { full_name: `${op.name} of ${name}` }, () =>
            change({ full_name: `${op.name} of ${name}` }),
          );
    case 'rename user':
      return answer('PATCH', path, 'self', { username: op.name }, () => {
        const other = findUser(now, op.name);
        return other !== undefined && other.id !== user.id ? [400] : change({ username: op.name });
      });
    case 'delete user':
      return answer('DELETE', path, 'admin', undefined, () => {
        change({
          username: `deleted-${user.id}`,
          full_name: 'Deleted User',
          email: `noreply+${user.id}@weblate.org`,
          is_active: false,
          groups: [],
        });
        now.subscriptions.get(user.id)?.clear();
        for (const tokens of [now.seedTokens, model.ownTokens])
          for (const [actor, id] of tokens) if (id === user.id) tokens.delete(actor);
        return [204];
      });
    case 'join':
    case 'leave': {
      const group = [2, 3, 4, 99][op.frequency % 4] ?? 0;
      return answer(op.kind === 'join' ? 'POST' : 'DELETE', `${path}groups/`, 'admin', { group_id: group }, () => {
        if (group === 99) return [400];
        const others = user.groups.filter((id) => id !== group);
        return change({ groups: op.kind === 'join' ? [...others, group].toSorted((a, b) => a - b) : others });
      });
    }
    case 'list':
      return answer('GET', `${list}?page=${op.page}&page_size=4`, 'self', undefined, () => {
        const found = page(entries, op.page, 4);
        return found === undefined ? [404] : [200, found];
      });
    case 'create':
      return answer('POST', list, 'self', values, () =>
        isDuplicate(values) ? [400] : [201, { id: addSubscription(now, user.id, values), ...values }],
      );
    default:
      return predictEntry();
  }

  function predictEntry(): Predicted {
    const method = op.kind === 'read' ? 'GET' : op.kind === 'delete' ? 'DELETE' : op.page === 1 ? 'PUT' : 'PATCH';
    const before = now.subscriptions.get(target?.id ?? 0)?.get(entryId);
    // The scope stays: another one is rejected.
    const wanted = { ...values, scope: before?.scope ?? 0 };
    const json = op.kind === 'change' ? wanted : undefined;
    return answer(method, `${list}${entryId}/`, 'self', json, () => {
      if (before === undefined) return [404];
      if (op.kind === 'read') return [200, { id: entryId, ...before }];
      if (op.kind === 'change' && isDuplicate(wanted, entryId)) return [400];
      const ofUser = now.subscriptions.get(user.id);
      if (op.kind === 'delete') return ofUser?.delete(entryId) ? [204] : [404];
      ofUser?.set(entryId, wanted);
      return [200, { id: entryId, ...wanted }];
    });
  }
}

/** Operations of the control API. */
function predictOwn(model: Model, op: Op): Predicted | undefined {
  const snapshot = `s${op.entry % 2}`;
  const ask = (method: string, path: string, status: number, body?: Json): Predicted => ({
    request: { method, path: `/_understudy${path}` },
    status,
    ...(body !== undefined && { body }),
  });
  const bringBack = (content: Content) => {
    model.now = structuredClone(content);
    model.journal = [];
    restoreTokens(model);
  };
  switch (op.kind) {
    case 'reset':
      bringBack(model.baseline);
      return ask('POST', '/reset', 204);
    case 'snapshot':
      model.snapshots.set(snapshot, structuredClone(model.now));
      return ask('PUT', `/snapshots/${snapshot}`, 204);
    case 'restore': {
      const saved = model.snapshots.get(snapshot);
      if (saved !== undefined) bringBack(saved);
      return ask('POST', `/snapshots/${snapshot}/restore`, saved === undefined ? 404 : 204);
    }
    case 'journal':
      return ask('GET', '/requests', 200, model.journal.slice(-5000));
    case 'export':
      return ask('GET', '/seed?format=json', 200, exported(model));
    case 'sandbox':
      return ask('GET', '', 200, {
        name: model.name,
        snapshots: [...model.snapshots.keys()].toSorted(),
        users: sortedUsers(model).flatMap(({ username, is_active }) => (is_active ? [username] : [])),
      });
    default:
      return undefined;
  }
}

const exported = (model: Model): Json =>
  sortedUsers(model).map(({ id, username, full_name, email }) => ({
    id,
    username,
    full_name,
    email,
    subscriptions: listSubscriptions(model.now, id).map(
      (each) => `${each.id} ${each.notification} ${scopeNames[each.scope / 10]}`,
    ),
  }));
