// A sandbox as a seed that makes it again: same answers, ids and order included. What a seed leaves out anyway is left out here.
// Tokens are known by their hashes alone and can't be written.
import { frequencies, scopes } from '../resources/notifications/codes.ts';
import {
  type ExportedGroup,
  type ExportedSubscription,
  type ExportedUser,
  getNextIds,
  listComponents,
  listGroups,
  listProjects,
  listSubscriptionsOf,
  listUsersFrom,
} from './export-queries.ts';
import { writeJson, writeYaml } from './export-write.ts';
import { defaultsOf } from './plan-users.ts';
import { type Db, findSandboxId } from './queries.ts';
import type { Db as AnyDb } from './sandboxes-queries.ts';

export type ExportFormat = 'yaml' | 'json';

/** A list of the seed, some entries at a time; an entry's lists are written one entry a line. */
export type Part = readonly [key: string, entries: AsyncIterable<Entry> | Entry];
export type Entry = Readonly<Record<string, unknown>>;

export const tokensNote = 'Tokens are stored as hashes and can not be exported.';
const usersAtOnce = 1000;

/** Gives the text piece by piece to `write`. False where there is no such sandbox. */
export async function streamSeed(
  db: AnyDb,
  name: string,
  format: ExportFormat,
  write: (text: string) => unknown,
): Promise<boolean> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const id = await findSandboxId(transaction, name);
      if (id === undefined) return false;
      const pieces =
        format === 'yaml' ? writeYaml(partsOf(transaction, id), tokensNote) : writeJson(partsOf(transaction, id));
      for await (const piece of pieces) await write(piece);
      return true;
    });
}

/** The whole text, or undefined where there is no such sandbox. */
export async function exportSeed(db: AnyDb, name: string, format: ExportFormat): Promise<string | undefined> {
  const pieces: string[] = [];
  const isThere = await streamSeed(db, name, format, (piece) => pieces.push(piece));
  return isThere ? pieces.join('') : undefined;
}

async function* partsOf(db: Db, sandboxId: number): AsyncGenerator<Part> {
  const groups = await listGroups(db, sandboxId);
  yield ['users', usersOf(db, sandboxId, namesOf(groups))];
  yield [
    'groups',
    each(
      groups.map(({ defining_project, ...group }) => ({
        ...group,
        ...(defining_project === null ? {} : { defining_project }),
      })),
    ),
  ];
  yield ['projects', each(await listProjects(db, sandboxId))];
  yield ['components', each(await listComponents(db, sandboxId))];
  yield ['next_id', { ...(await getNextIds(db, sandboxId)) }];
}

async function* each(entries: readonly object[]): AsyncGenerator<Entry> {
  for (const entry of entries) yield { ...entry };
}

async function* usersOf(db: Db, sandboxId: number, groupNames: ReadonlyMap<number, string>): AsyncGenerator<Entry> {
  for (let from = 1; ;) {
    const users = await listUsersFrom(db, sandboxId, from, usersAtOnce);
    const subscriptions = Map.groupBy(
      await listSubscriptionsOf(
        db,
        sandboxId,
        users.map((user) => user.id),
      ),
      (subscription) => subscription.user_id,
    );
    for (const user of users) yield userEntry(user, subscriptions.get(user.id) ?? [], groupNames);
    const last = users.at(-1);
    if (last === undefined || users.length < usersAtOnce) return;
    from = last.id + 1;
  }
}

// A group is called by its name where no other has the same one.
function namesOf(groups: readonly ExportedGroup[]): ReadonlyMap<number, string> {
  const byName = Map.groupBy(groups, (group) => group.name);
  return new Map(groups.flatMap(({ id, name }) => (byName.get(name)?.length === 1 ? [[id, name] as const] : [])));
}

function userEntry(
  user: ExportedUser,
  subscriptions: readonly ExportedSubscription[],
  groupNames: ReadonlyMap<number, string>,
): Entry {
  const { id, username, group_ids, tokens: _tokens, ...fields } = user;
  const defaults: Entry = defaultsOf(username);
  const said = Object.entries(fields).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key]));
  return {
    id,
    username,
    ...Object.fromEntries(said),
    groups: group_ids.map((group) => groupNames.get(group) ?? group),
    ...(subscriptions.length === 0 ? {} : { subscriptions: subscriptions.map(subscriptionEntry) }),
  };
}

function subscriptionEntry({ id, notification, scope, frequency, target_path }: ExportedSubscription): Entry {
  const target = target_path === null ? {} : { [target_path.includes('/') ? 'component' : 'project']: target_path };
  return { id, notification, scope: nameOf(scopes, scope), ...target, frequency: nameOf(frequencies, frequency) };
}

const nameOf = (codes: Readonly<Record<string, number>>, code: number): string | number =>
  Object.keys(codes).find((name) => codes[name] === code) ?? code;
