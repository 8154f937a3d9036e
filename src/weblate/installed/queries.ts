// The SQL of roles and languages: the ids that a caller sees. All else about them is constant.
import { sql } from 'kysely';
import { ofAccess } from '../../access/caller-queries.ts';
import { seesAll, viewer } from '../../access/visible-queries.ts';
import { languageCount } from '../../model/languages.ts';
import { roles } from '../../model/roles.ts';
import { entryForCaller, ofPage, pageForCaller } from '../page-queries.ts';

const item = sql<{ item: number }>`${ofPage}`;

/** Superusers see all roles, others the roles of their groups (transcript roles__read). */
const visibleRoles = sql<{ id: number }>`
  (select r.id
  from generate_series(1, ${sql.lit(roles.length)}) r (id)
  where ${seesAll}
    or r.id in (
      select unnest(g.roles)
      from understudy.user_groups m
      join lateral (
        select x.roles
        from understudy.groups x
        where x.sandbox_id = m.sandbox_id and x.id = m.group_id
        offset 0) g on true
      where m.sandbox_id = ${ofAccess('sandbox_id')} and m.user_id = (select ${viewer} from access)))`;

export const listRoles = pageForCaller(() => visibleRoles, item);

export const findRole = entryForCaller<{ role_id: number }, number>(
  (slot) => sql`(select r.id from ${visibleRoles} r where r.id = ${slot('role_id', 'int4')})`,
);

// Superusers see all languages. Others can read English, the source language, but their list is empty:
// Weblate lists languages of translations, and there are no translations here (transcript languages__read).
export const listLanguages = pageForCaller(
  () => sql`(select l.id from generate_series(1, ${sql.lit(languageCount)}) l (id) where ${seesAll})`,
  item,
);

export const findLanguage = entryForCaller<{ language_id: number; is_source: boolean }, number>(
  (slot) => sql`(
    select l.id
    from (select ${slot('language_id', 'int4')} as id) l
    where l.id > 0 and (${slot('is_source', 'boolean')} or ${seesAll}))`,
);
