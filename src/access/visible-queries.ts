// The projects, components and subscriptions that a caller may see: private ones only if open to the caller.
import { type Expression, expressionBuilder, sql } from 'kysely';
import { ofAccess, type WithAccess } from './caller-queries.ts';

/** Whether the caller sees all: a superuser, or anybody without a token if UNDERSTUDY_ANONYMOUS=write. */
export const seesAll = sql<boolean>`(select coalesce(access.principal_superuser, access.may_view_users) from access)`;

/** The user whose groups decide what the caller sees: the caller, or, without a token, `anonymous`. */
export const viewer = sql<number | null>`coalesce(access.principal_id, (
  select u.id
  from understudy.users u
  where u.sandbox_id = access.sandbox_id and u.username_key = 'anonymous' and u.is_internal
  offset 0))`;

/**
 * Whether the caller may see a row. Rows don't hold who may see them: the caller's groups are read for each
 * row of a private project.
 * @param project the id of the row's project if this is private, else null
 */
export const isVisible = (
  project: Expression<number | null>,
  to: Expression<number | null> = sql.ref('access.principal_id'),
) => sql<boolean>`(
  ${project} is null
  or access.principal_superuser
  or understudy.is_open_to(access.sandbox_id, ${to}, ${project}))`;

// All reads of what may be private start from these queries. test/house rejects other reads.

/** The subscriptions that the caller may see, of the user in the path. For a lateral join with `access`. */
export const visibleSubscriptions = expressionBuilder<WithAccess, 'access'>()
  .selectFrom('understudy.subscriptions as x')
  .where('access.may_manage', '=', sql.lit(true))
  .whereRef('x.sandbox_id', '=', 'access.sandbox_id')
  .whereRef('x.user_id', '=', 'access.target_id')
  .where(isVisible(sql.ref('x.private_project_id')));

const fromAccess = expressionBuilder<WithAccess>().selectFrom('access');

/** All projects. Whoever sees a group sees links to all its projects (transcript groups__kept). */
export const anyProjects = fromAccess.innerJoin('understudy.projects as p', (join) =>
  join.on('p.sandbox_id', '=', ofAccess('sandbox_id')),
);
export const visibleProjects = anyProjects.where(isVisible(sql`case when p.private then p.id end`, viewer));

const byId = (projects: typeof anyProjects) => (id: string) =>
  projects.where('p.id', '=', sql.ref<number>(id)).offset(sql.lit(0));
/** The project whose id is in the named column. */
export const anyProject = byId(anyProjects);

const componentsIn = (project: typeof anyProject) =>
  expressionBuilder<WithAccess>()
    .selectFrom('understudy.components as c')
    .where('c.sandbox_id', '=', ofAccess('sandbox_id'))
    .crossJoinLateral(project('c.project_id').select(['p.id', 'p.name', 'p.slug', 'p.web', 'p.private']).as('p'));
/** The sandbox's components, with their projects. */
export const anyComponents = componentsIn(anyProject);
export const visibleComponents = componentsIn(byId(visibleProjects));
