// What a sandbox holds, read page by page from one snapshot. Columns have the names and the order of a seed's keys. Dates are texts
// with microseconds, which JavaScript's would lose.
import type { Client } from 'pg';

export type Row = Readonly<Record<string, unknown>>;

export interface UserRow extends Row {
  readonly id: number;
  readonly username: string;
  /** Their ids. */
  readonly groups: readonly number[];
}

export interface SubscriptionRow {
  readonly user_id: number;
  readonly id: number;
  readonly notification: string;
  readonly scope: number;
  readonly frequency: number;
  /** `project` or `project/component`, null where there is none. */
  readonly target_path: string | null;
}

interface Lists {
  readonly users: UserRow;
  readonly subscriptions: SubscriptionRow;
  readonly groups: Row;
  readonly projects: Row;
  readonly components: Row;
}

// Without sorts the cursors follow the indexes: a sort would read everything before it gives the first row.
const begin = `begin isolation level repeatable read read only;
  set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off; set local jit = off`;

/** Begins the one transaction that all pages are read in. Gives the sandbox's id, undefined where there is none of this name. */
export async function beginSnapshot(client: Client, name: string): Promise<number | undefined> {
  await client.query(begin);
  const query = 'select id from understudy.sandboxes where name = $1';
  return (await client.query<{ id: number }>(query, [name])).rows[0]?.id;
}

const date = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${column}`;

const queries: Readonly<Record<keyof Lists, string>> = {
  users: `select id, username, full_name, email, is_superuser, is_active, is_bot, is_internal,
      ${date('date_joined')}, ${date('date_expires')}, ${date('last_login')}, profile,
      array(select m.group_id from understudy.user_groups m
        where m.sandbox_id = u.sandbox_id and m.user_id = u.id order by m.group_id) as groups
    from understudy.users u where sandbox_id = $1 order by id`,
  subscriptions: `select user_id, id, notification, scope, frequency, target_path from understudy.subscriptions
    where sandbox_id = $1 order by user_id, id`,
  groups: `select g.id, g.name, g.automatic, g.project_selection, g.language_selection, g.roles, g.permissions,
      array(select p.slug from understudy.group_projects o
        join understudy.projects p on p.sandbox_id = o.sandbox_id and p.id = o.project_id
        where o.sandbox_id = g.sandbox_id and o.group_id = g.id order by p.id) as projects,
      (select p.slug from understudy.projects p where p.sandbox_id = g.sandbox_id and p.id = g.defining_project_id)
        as defining_project
    from understudy.groups g where g.sandbox_id = $1 order by g.id`,
  projects: `select id, slug, name, web, private from understudy.projects where sandbox_id = $1 order by id`,
  components: `select c.id, p.slug as project, c.slug, c.name from understudy.components c
    join understudy.projects p on p.sandbox_id = c.sandbox_id and p.id = c.project_id
    where c.sandbox_id = $1 order by c.id`,
};

/** Rows in the order of their ids; subscriptions in that of their users. */
export async function* readPages<T extends keyof Lists>(
  client: Client,
  list: T,
  sandboxId: number,
): AsyncGenerator<Lists[T][]> {
  await client.query(`declare ${list} no scroll cursor for ${queries[list]}`, [sandboxId]);
  for (;;) {
    const { rows } = await client.query<Lists[T]>(`fetch 500 from ${list}`);
    if (rows.length === 0) return;
    yield rows;
  }
}

/** Groups that no other shares its name with: users name these, and give the ids of others. */
export async function listNamedGroups(client: Client, sandboxId: number): Promise<{ id: number; name: string }[]> {
  const query = `select min(id) as id, name from understudy.groups where sandbox_id = $1 group by name having count(*) = 1`;
  return (await client.query<{ id: number; name: string }>(query, [sandboxId])).rows;
}

export async function getNextIds(client: Client, sandboxId: number): Promise<Row> {
  const query = `select next_user_id as users, next_group_id as groups, next_project_id as projects,
      next_component_id as components, next_subscription_id as subscriptions
    from understudy.counters where sandbox_id = $1`;
  const [next] = (await client.query<Row>(query, [sandboxId])).rows;
  if (next === undefined) throw new Error(`sandbox ${sandboxId} has no counters`);
  return next;
}
