// The SQL of roles and languages: the ids of those that a caller sees. Their other values are constants.
import { sql } from 'kysely';
import { ofAccess } from '../../access/caller-queries.ts';
import { seesAll, viewer } from '../../access/visible-queries.ts';
import { languageCount } from '../../model/languages.ts';
import { roles } from '../../model/roles.ts';
import { entryForCaller, ofPage, pageForCaller } from '../page-queries.ts';

interface Numbered {
  readonly id: number;
}

const item = sql<{ item: Numbered }>`json_build_object('id', ${ofPage})`;

/** Superusers see all, others those of their groups (transcript roles__read). */
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

export const findRole = entryForCaller<{ role_id: number }, Numbered>(
  (slot) => sql`(select json_build_object('id', r.id) from ${visibleRoles} r where r.id = ${slot('role_id', 'int4')})`,
);

// Superusers see all. Weblate lists the languages of translations to others, and there are no translations here; others
// can read source languages (transcript languages__read).
export const listLanguages = pageForCaller(
  () => sql`(select l.id from generate_series(1, ${sql.lit(languageCount)}) l (id) where ${seesAll})`,
  item,
);

export const findLanguage = entryForCaller<{ language_id: number; is_source: boolean }, Numbered>(
  (slot) => sql`(
    select json_build_object('id', l.id)
    from (select ${slot('language_id', 'int4')} as id) l
    where l.id > 0 and (${slot('is_source', 'boolean')} or ${seesAll}))`,
);
