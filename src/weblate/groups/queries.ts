// The SQL of groups. Users see the groups that they are in and those of the projects that they administer, and anonymous
// requests those of the internal user `anonymous` (transcript groups__administered); callers who may view all users see
// all groups, or a link to a user's group would be dead.
import { sql } from 'kysely';
import { isProjectVisible, ofAccess } from '../../access/queries.ts';
import { joinRow } from '../../database/page-of-rows.ts';
import { entryForCaller, pageForCaller } from '../page-queries.ts';
import type { GroupRow } from './serialize.ts';

/** The slug of the project p where the caller may see it: a link to another would be dead. */
const slugIfOpen = sql`case when ${isProjectVisible} then p.slug end`;

/** JSON of the group g. Sorted by a sum, or the index of projects would be read through for its order. */
const groupJson = sql<GroupRow>`json_build_object(
  'id', g.id, 'name', g.name, 'project_selection', g.project_selection, 'language_selection', g.language_selection,
  'roles', g.roles,
  'defining_project', (select ${slugIfOpen} from understudy.projects p
    where p.sandbox_id = g.sandbox_id and p.id = g.defining_project_id offset 0),
  'projects', array(select s.slug from understudy.group_projects l join lateral (
      select ${slugIfOpen} as slug from understudy.projects p where p.sandbox_id = l.sandbox_id and p.id = l.project_id offset 0
    ) s on s.slug is not null
    where l.sandbox_id = g.sandbox_id and l.group_id = g.id order by l.project_id + 0))`;

// The user whose groups the caller sees.
const member = sql`coalesce(${ofAccess('principal_id')}, (
  select u.id from understudy.users u
  where u.sandbox_id = ${ofAccess('sandbox_id')} and u.username_key = 'anonymous' and u.is_internal offset 0))`;

const memberships = sql`array(
  select m.group_id from understudy.user_groups m where m.sandbox_id = ${ofAccess('sandbox_id')} and m.user_id = ${member})`;

/** The role that may manage the groups of a project, by its id in a new installation: Administration. */
const administration = sql.lit(1);

// What the member administers: for most callers none, and then nothing is looked up for a group.
const administrations = sql`array(select r.id from understudy.groups r
  where r.sandbox_id = ${ofAccess('sandbox_id')} and r.id = any(${memberships}) and ${administration} = any(r.roles))`;

/** Whether the member administers the project that the group g belongs to. */
const isAdministered = sql`exists (select from understudy.groups r
  where r.sandbox_id = g.sandbox_id and r.id = any(${administrations}) and (r.project_selection = 1
    or exists (select from understudy.group_projects o
      where o.sandbox_id = r.sandbox_id and o.group_id = r.id and o.project_id = g.defining_project_id offset 0)
    or r.project_selection = 3 and not (select p.private from understudy.projects p
      where p.sandbox_id = g.sandbox_id and p.id = g.defining_project_id offset 0)) offset 0)`;

const seen = sql`((select may_view_users from access) or g.id = any(${memberships})
  or (g.defining_project_id is not null and ${isAdministered}))`;

export const listGroups = pageForCaller(
  sql`select g.id from understudy.groups g where g.sandbox_id = ${ofAccess('sandbox_id')} and ${seen}`,
  joinRow('groups', 'g', ofAccess('sandbox_id')),
  groupJson,
);

export const findGroup = entryForCaller<{ group_id: number }, GroupRow>(
  groupJson,
  (slot) => sql`understudy.groups g
    where g.sandbox_id = ${ofAccess('sandbox_id')} and g.id = ${slot('group_id', 'int4')} and ${seen}`,
);
