// The SQL of groups. Users see the groups that they are in and those of the projects that they administer, and
// anonymous requests those of the internal user `anonymous` (transcript groups__administered); superusers see all.
import { sql } from 'kysely';
import { ofAccess, seesAll, viewer, visibleProject } from '../../access/queries.ts';
import { entryForCaller, ofPage, pageForCaller } from '../page-queries.ts';
import type { GroupRow } from './serialize.ts';

// A group shows only projects that the caller may see: other links would be dead. Sorted by a sum, or PostgreSQL
// would read the whole index of projects for its order.
const groupJson = sql<GroupRow>`json_build_object(
  'id', g.id, 'name', g.name,
  'project_selection', g.project_selection, 'language_selection', g.language_selection,
  'roles', g.roles,
  'defining_project', ${visibleProject('g.defining_project_id').select('p.slug')},
  'projects', array(
    select s.slug
    from understudy.group_projects l
    join lateral ${visibleProject('l.project_id').select('p.slug')} s on true
    where l.sandbox_id = g.sandbox_id and l.group_id = g.id
    order by l.project_id + 0))`;

/**
 * The groups g that the caller sees; member is the user whose groups count for it. The role 1 is Administration in a
 * new installation. Most members administer nothing, and then nothing is looked up for a group.
 */
const visibleGroups = sql<{ id: number }>`
  (with member as (select ${viewer} as id from access),
  joined as (
    select m.group_id as id
    from understudy.user_groups m
    where m.sandbox_id = ${ofAccess('sandbox_id')} and m.user_id = (select member.id from member)
  ),
  administering as (
    select r.id, r.project_selection
    from understudy.groups r
    where r.sandbox_id = ${ofAccess('sandbox_id')}
      and r.id = any(array(select joined.id from joined))
      and 1 = any(r.roles)
  )
  select g.*
  from understudy.groups g
  where g.sandbox_id = ${ofAccess('sandbox_id')} and (
    ${seesAll}
    or g.id = any(array(select joined.id from joined))
    or g.defining_project_id is not null and exists (
      select from administering r
      where r.project_selection = 1
        or exists (
          select from understudy.group_projects o
          where o.sandbox_id = g.sandbox_id
            and o.group_id = r.id
            and o.project_id = g.defining_project_id
          offset 0)
        or r.project_selection = 3 and exists ${visibleProject('g.defining_project_id').where('p.private', 'is', sql.lit(false)).select('p.id')}
    )
  ))`;

export const listGroups = pageForCaller(
  () => sql`(select g.id from ${visibleGroups} g)`,
  sql<{ item: GroupRow }>`(
    select ${groupJson}
    from understudy.groups g
    where g.sandbox_id = access.sandbox_id and g.id = ${ofPage})`,
);

export const findGroup = entryForCaller<{ group_id: number }, GroupRow>(
  (slot) => sql`(select ${groupJson} from ${visibleGroups} g where g.id = ${slot('group_id', 'int4')})`,
);
