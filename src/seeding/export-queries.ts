// Everything that a sandbox holds, as a seed says it. Dates are texts with microseconds, which JavaScript's would lose.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './queries.ts';

const date = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${sql.ref(column)}`;

async function all<T>(db: Db, query: RawBuilder<T>): Promise<T[]> {
  return (await query.execute(db)).rows;
}

export interface ExportedUser {
  readonly id: number;
  readonly username: string;
  readonly full_name: string;
  readonly email: string | null;
  readonly is_superuser: boolean;
  readonly is_active: boolean;
  readonly is_bot: boolean;
  readonly is_internal: boolean;
  readonly date_joined: string;
  readonly date_expires: string | null;
  readonly last_login: string | null;
  readonly profile: Record<string, unknown>;
  readonly group_ids: number[];
  /** How many tokens the user has. */
  readonly tokens: number;
}

/** At most `atMost` users from this id on. */
export const listUsersFrom = (db: Db, sandboxId: number, fromId: number, atMost: number): Promise<ExportedUser[]> =>
  all(
    db,
    sql<ExportedUser>`select id, username, full_name, email, is_superuser, is_active, is_bot, is_internal,
      ${date('date_joined')}, ${date('date_expires')}, ${date('last_login')}, profile,
      array(select m.group_id from understudy.user_groups m
        where m.sandbox_id = u.sandbox_id and m.user_id = u.id order by m.group_id) as group_ids,
      (select count(*)::int4 from understudy.tokens t where t.sandbox_id = u.sandbox_id and t.user_id = u.id
        and not exists (select from understudy.sandbox_tokens o where o.sandbox_id = t.sandbox_id and o.hash = t.hash)) as tokens
      from understudy.users u where sandbox_id = ${sandboxId} and id >= ${fromId} order by id limit ${atMost}`,
  );

export interface ExportedSubscription {
  readonly user_id: number;
  readonly id: number;
  readonly notification: string;
  readonly scope: number;
  readonly frequency: number;
  /** `project` or `project/component`, null where there is none. */
  readonly target_path: string | null;
}
export const listSubscriptionsOf = (
  db: Db,
  sandboxId: number,
  users: readonly number[],
): Promise<ExportedSubscription[]> =>
  all(
    db,
    sql<ExportedSubscription>`select user_id, id, notification, scope, frequency, target_path from understudy.subscriptions
      where sandbox_id = ${sandboxId} and user_id = any(${users}::int4[]) order by user_id, id`,
  );

export interface ExportedGroup {
  readonly id: number;
  readonly name: string;
  readonly automatic: boolean;
  readonly project_selection: number;
  readonly language_selection: number;
  readonly roles: number[];
  readonly permissions: ('user.view' | 'user.edit')[];
  readonly defining_project: string | null;
  readonly projects: string[];
}
export const listGroups = (db: Db, sandboxId: number): Promise<ExportedGroup[]> =>
  all(
    db,
    sql<ExportedGroup>`select g.id, g.name, g.automatic, g.project_selection, g.language_selection, g.roles, g.permissions,
      (select p.slug from understudy.projects p where p.sandbox_id = g.sandbox_id and p.id = g.defining_project_id)
        as defining_project,
      array(select p.slug from understudy.group_projects o
        join understudy.projects p on p.sandbox_id = o.sandbox_id and p.id = o.project_id
        where o.sandbox_id = g.sandbox_id and o.group_id = g.id order by p.id) as projects
      from understudy.groups g where g.sandbox_id = ${sandboxId} order by g.id`,
  );

export interface ExportedProject {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly web: string;
  readonly private: boolean;
}
export const listProjects = (db: Db, sandboxId: number): Promise<ExportedProject[]> =>
  all(
    db,
    sql<ExportedProject>`select id, slug, name, web, private from understudy.projects
      where sandbox_id = ${sandboxId} order by id`,
  );

export interface ExportedComponent {
  readonly id: number;
  readonly project: string;
  readonly slug: string;
  readonly name: string;
}
export const listComponents = (db: Db, sandboxId: number): Promise<ExportedComponent[]> =>
  all(
    db,
    sql<ExportedComponent>`select c.id, p.slug as project, c.slug, c.name from understudy.components c
      join understudy.projects p on p.sandbox_id = c.sandbox_id and p.id = c.project_id
      where c.sandbox_id = ${sandboxId} order by c.id`,
  );

export interface NextIds {
  readonly users: number;
  readonly groups: number;
  readonly projects: number;
  readonly components: number;
  readonly subscriptions: number;
}
export const getNextIds = async (db: Db, sandboxId: number): Promise<NextIds> => {
  const [next] = await all(
    db,
    sql<NextIds>`select next_user_id as users, next_group_id as groups, next_project_id as projects,
      next_component_id as components, next_subscription_id as subscriptions
      from understudy.counters where sandbox_id = ${sandboxId}`,
  );
  if (next === undefined) throw new Error(`sandbox ${sandboxId} has no counters`);
  return next;
};
