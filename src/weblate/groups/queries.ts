// The SQL of groups. Users see their own groups and those of projects that they administer. Anonymous
// requests see what the user `anonymous` sees; superusers see all (transcript groups__administered).
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { AccessResult, Intent } from '../../access/permissions.ts';
import { type CallerParams, ofAccess, ofResult } from '../../access/caller-queries.ts';
import { withLock } from '../../access/lock-queries.ts';
import { anyComponents, anyProject, anyProjects, seesAll, viewer } from '../../access/visible-queries.ts';
import { prepare, type Slots } from '../../database/prepare.ts';
import { entryForCaller, ofPage, pageForCaller } from '../page-queries.ts';
import type { GroupRow } from './serialize.ts';

// A group shows all that it holds, hidden or not. The `+ 0` keeps PostgreSQL from reading all projects by
// their index.
const listed = (table: string, link: string, thing: Expression<unknown>) => sql`array(
  select s.name
  from ${sql.table(`understudy.${table}`)} l
  join lateral ${thing} s(name) on true
  where l.sandbox_id = g.sandbox_id and l.group_id = g.id
  order by ${sql.ref(`l.${link}`)} + 0)`;
const component = anyComponents
  .where('c.id', '=', sql.ref<number>('l.component_id'))
  .select(sql`p.slug || '/' || c.slug`.as('path'))
  .offset(sql.lit(0));
const admin = sql`(
  select u.username
  from understudy.users u
  where u.sandbox_id = l.sandbox_id and u.id = l.user_id
  offset 0)`;
const groupJson = sql<GroupRow>`json_build_object(
  'id', g.id, 'name', g.name,
  'project_selection', g.project_selection, 'language_selection', g.language_selection,
  'enforced_2fa', g.enforced_2fa,
  'roles', g.roles,
  'languages', g.languages,
  'defining_project', ${anyProject('g.defining_project_id').select('p.slug')},
  'projects', ${listed('group_projects', 'project_id', anyProject('l.project_id').select('p.slug'))},
  'components', ${listed('group_components', 'component_id', component)},
  'admins', ${listed('group_admins', 'user_id', admin)})`;

/**
 * `member` is the user whose groups decide what the caller sees. `joined` has these groups, and
 * `administering` has those of them that administer projects. Role 1 is Administration.
 */
const administering = sql`
  member as (select ${viewer} as id from access),
  joined as (
    select m.group_id as id
    from understudy.user_groups m
    where m.sandbox_id = ${ofAccess('sandbox_id')} and m.user_id = (select member.id from member)
  ),
  administering as (
    select
      r.id, r.project_selection,
      exists (
        select from understudy.group_components n
        where n.sandbox_id = r.sandbox_id and n.group_id = r.id
        offset 0) as has_components
    from understudy.groups r
    where r.sandbox_id = ${ofAccess('sandbox_id')}
      and r.id = any(array(select joined.id from joined))
      and 1 = any(r.roles)
      and not r.enforced_2fa
  )`;

/**
 * Whether the caller administers the project, and so sees its groups. Cheap for callers who
 * administer nothing.
 * @param project the column with the project's id
 * @param toChange applies Weblate's other rule: who may change these groups (transcript groups__opens)
 */
const administers = (project: string, toChange = false) => {
  const isListed = sql`exists (
    select from understudy.group_projects o
    where o.sandbox_id = ${ofAccess('sandbox_id')}
      and o.group_id = r.id
      and o.project_id = ${sql.ref(project)}
    offset 0)`;
  return sql<boolean>`(${sql.ref(project)} is not null and exists (
    select from administering r
    where ${toChange ? sql`r.project_selection in (0, 2) and not r.has_components and ${isListed}` : isListed}
      or not r.has_components and (
        r.project_selection = 1
        or r.project_selection = 3
          and exists ${anyProject(project).where('p.private', 'is', sql.lit(false)).select('p.id')})))`;
};

const visibleGroups = sql<{ id: number }>`
  (with ${administering}
  select g.*, ${seesAll} or ${administers('g.defining_project_id', true)} as is_managed
  from understudy.groups g
  where g.sandbox_id = ${ofAccess('sandbox_id')} and (
    ${seesAll}
    or g.id = any(array(select joined.id from joined))
    or ${administers('g.defining_project_id')}
  ))`;

export const listGroups = pageForCaller(
  () => sql`(select g.id from ${visibleGroups} g)`,
  sql<{ item: GroupRow }>`(
    select ${groupJson}
    from understudy.groups g
    where g.sandbox_id = access.sandbox_id and g.id = ${ofPage})`,
);

export interface FoundGroup extends GroupRow {
  readonly internal: boolean;
  readonly is_managed: boolean;
  readonly sees_all: boolean;
  /** Whether the caller is one of the group's admins. */
  readonly is_administered: boolean;
}

const findGroupFor = (intent: Intent) =>
  entryForCaller<{ group_id: number }, FoundGroup>(
    (slot) => sql`(
      select ${groupJson}::jsonb || jsonb_build_object(
        'internal', g.internal, 'is_managed', g.is_managed, 'sees_all', ${seesAll},
        'is_administered', exists (
          select from understudy.group_admins a
          where a.sandbox_id = g.sandbox_id and a.group_id = g.id and a.user_id = ${ofAccess('principal_id')}))
      from ${visibleGroups} g
      where g.id = ${slot('group_id', 'int4')})`,
    intent,
  );

export const findGroup = findGroupFor('any');
export const findGroupToChange = findGroupFor('sign in');

/** Rights to a project's groups. `is_there`: the project exists, and the caller sees its groups. */
export const findDefiningProject = entryForCaller<{ slug: string }, { is_there: boolean; is_managed: boolean }>(
  (slot) => sql`(
    with ${administering}
    select json_build_object(
      'is_there', d.id is not null and (${seesAll} or ${administers('d.id')}),
      'is_managed', ${seesAll} or ${administers('d.id', true)})
    from (select) one
    left join lateral ${anyProjects.where('p.slug', '=', slot('slug', 'text')).select('p.id')} d on true)`,
  'sign in',
);

/** `done`, or why nothing was changed. */
export type Outcome = 'done' | 'gone' | 'taken' | 'scoped' | 'unknown' | 'anonymous' | 'inactive';

/** The outcome is null if the sandbox is gone. @param call calls a migration's function, as `f` */
const writeGroup = <P extends object>(call: (slot: Slots<P>) => RawBuilder<unknown>) =>
  prepare<CallerParams & P, AccessResult & { readonly outcome: Outcome | null; readonly group_id: number | null }>(
    (db, slot) =>
      withLock(db, slot, 'sign in', 'update')
        .with('done', () => sql<{ outcome: Outcome; group_id: number }>`(select f.* from locked l, ${call(slot)})`)
        .selectFrom('access')
        .leftJoin('done', (join) => join.onTrue())
        .select([...ofResult, 'done.outcome', 'done.group_id']),
  );

/** Without an id, makes a group. `values` is JSON: columns to set, and `defining_project`, a slug. */
export const putGroup = writeGroup<{ group_id: number | null; values: string }>(
  (slot) => sql`understudy.put_group(l.sandbox_id, ${slot('group_id', 'int4')}, ${slot('values', 'jsonb')}) f`,
);

export const dropGroup = writeGroup<{ group_id: number }>(
  (slot) => sql`understudy.drop_group(l.sandbox_id, ${slot('group_id', 'int4')}) f`,
);

/** The value is an id or a language's code. */
export const changePart = writeGroup<{ group_id: number; part: string; adds: boolean; value: string }>(
  (slot) => sql`understudy.change_part(l.sandbox_id, ${slot('group_id', 'int4')}, ${slot('part', 'text')},
    ${slot('adds', 'boolean')}, ${slot('value', 'text')}) f`,
);
