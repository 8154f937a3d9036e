// The users of a seed with their tokens and memberships.
import { createHash } from 'node:crypto';
import type { PlannedGroup } from './plan-groups.ts';
import { planLinks, type Planning, planRows } from './planning.ts';
import { listMemberships, listTokens, type UserRow } from './queries.ts';
import { faultAt, foldCase } from '../seed/seed-types.ts';

// The same seed gives the same answers, so a date that it leaves out is not the day of the load.
const dateJoined = '2026-01-01T00:00:00.000000Z';

/** What a new user is, as far as the seed is silent. */
export const defaultsOf = (username: string) => ({
  full_name: '',
  email: null,
  is_superuser: false,
  is_active: true,
  is_bot: false,
  is_internal: foldCase(username) === 'anonymous',
  date_joined: dateJoined,
  date_expires: null,
  last_login: null,
  profile: {},
});

/** Notes the users' rows, tokens and groups. Gives their ids by case-folded name. */
export async function planUsers(
  planning: Planning,
  there: readonly UserRow[],
  groups: readonly PlannedGroup[],
): Promise<Map<string, number>> {
  const { users } = planning.seed;
  const byName = new Map(there.map((row) => [row.username_key, row.id]));
  const found = users.map((user) => byName.get(foldCase(user.username)));
  const owners = new Map(there.map((row) => [row.id, row.username]));
  const ids = planRows(planning, 'users', users, found, owners, ({ username, fields }, isNew) =>
    isNew ? { ...defaultsOf(username), ...fields } : fields,
  );
  refuseForeignEmails(planning, there);
  await planTokens(planning, ids);
  const groupIds = groups.map((group): [string | number, number] => [group.name, group.id]);
  const groupOf = new Map([...groupIds, ...groups.map((group): [string | number, number] => [group.id, group.id])]);
  const automatic = groups.filter((group) => group.automatic).map((group) => group.id);
  const saying = users.flatMap((user, i) => {
    const wanted =
      user.groups?.map((group) => groupOf.get(group) ?? 0) ?? (found[i] === undefined ? automatic : undefined);
    return wanted === undefined ? [] : [{ id: ids[i] ?? 0, wanted }];
  });
  const members = await listMemberships(
    planning.db,
    planning.sandboxId,
    saying.map(({ id }) => id),
  );
  planLinks(
    planning,
    'user_groups',
    members,
    saying.flatMap(({ id, wanted }) => wanted.map((group) => ({ owner: id, other: group }))),
  );
  for (const [i, user] of users.entries()) byName.set(foldCase(user.username), ids[i] ?? 0);
  return byName;
}

// An address is free where its owner gets another by the same seed.
function refuseForeignEmails({ seed, plan }: Planning, there: readonly UserRow[]): void {
  const owners = new Map(there.flatMap((row) => (row.email_key === null ? [] : [[row.email_key, row]])));
  const changing = new Set(seed.users.filter((user) => 'email' in user.fields).map((user) => foldCase(user.username)));
  for (const { place, fields, username } of seed.users) {
    const owner = typeof fields['email'] === 'string' ? owners.get(foldCase(fields['email'])) : undefined;
    if (owner === undefined || owner.username_key === foldCase(username) || changing.has(owner.username_key)) continue;
    plan.faults.push(faultAt(place, `belongs to ${owner.username} in the sandbox`, 'email'));
  }
}

async function planTokens({ db, sandboxId, seed, plan }: Planning, ids: readonly number[]): Promise<void> {
  const tokens = seed.users.flatMap((user, i) =>
    user.tokens.map(({ text, place }) => ({
      hash: createHash('sha256').update(text).digest('hex'),
      place,
      user: ids[i] ?? 0,
    })),
  );
  const there = await listTokens(
    db,
    sandboxId,
    tokens.map((token) => token.hash),
  );
  const owners = new Map(there.map((row) => [row.hash, row.user_id]));
  for (const { hash, place, user } of tokens) {
    const owner = owners.get(hash);
    if (owner === user) plan.tokensKept++;
    else if (owner !== undefined) plan.faults.push(faultAt(place, `belongs to user ${owner} in the sandbox`));
    else plan.tokens.push({ hash, user });
  }
}
