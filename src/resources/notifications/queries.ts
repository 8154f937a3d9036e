// The SQL of subscriptions.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Standing } from '../../access/permissions.ts';
import {
  type Asked,
  askedOnce,
  type AskedParameters,
  fromAsked,
  isVisible,
  readRefused,
} from '../../access/queries.ts';
import { prepare } from '../../database/prepare.ts';
import type { Tables } from '../../database/tables.ts';

/** What one list request puts to the database. */
export interface PageAsked extends Asked {
  /** 1 and up; 0 is the last page. */
  readonly page: number;
  readonly size: number;
}

export interface PageRow extends Standing {
  /** How many entries the principal may see; null where it may see none. */
  readonly total: number | null;
  /** The page's entries, packed as serialize.ts unpacks them; null for none. */
  readonly lines: string | null;
}

/** One of many. */
export interface PlacedRow extends PageRow {
  /** Place in the array that was asked, from 1. */
  readonly n: number;
}

interface PagesParameters {
  count: number;
  sandboxes: string[];
  hashes: (Buffer | null)[];
  usernames: string[];
  pages: number[];
  sizes: number[];
  open: boolean;
}

type PageParameters = PageAsked & AskedParameters;
type PlacedParameters = PageParameters & { n: number };

const visible = isVisible(sql.ref('x.private_project_id'));
const count = sql<number>`understudy.count_visible(t.sandbox_id, t.id, p.id, p.is_superuser)`;

/**
 * The pages that several requests ask for, in one statement: its start-up, which is most of a small statement's cost, is paid once
 * for all (findings). Nothing is read for who may not read it, and the total is counted only where the page doesn't tell it.
 */
export const findPages = prepare<PagesParameters, PlacedRow>((db, slot) =>
  readPages(
    db,
    // As columns, side by side: each function in `from` would write its rows to a table of its own first.
    sql<PlacedParameters>`(select generate_series(1, ${slot('count', 'int4')}) as n,
      unnest(${slot('sandboxes', 'text[]')}) as sandbox, unnest(${slot('hashes', 'bytea[]')}) as hash,
      unnest(${slot('usernames', 'text[]')}) as username, unnest(${slot('pages', 'int4[]')}) as page,
      unnest(${slot('sizes', 'int4[]')}) as size, ${slot('open', 'boolean')} as open)`,
  ).select('r.n'),
);

/** The page that one request asks for: the same without arrays, which saves a lone request a tenth of the server's work. */
export const findPage = prepare<PageParameters, PageRow>((db, slot) =>
  readPages(
    db,
    askedOnce<PageParameters, PageParameters>(
      slot,
      sql`, ${slot('page', 'int4')} as page, ${slot('size', 'int4')} as size`,
    ),
  ),
);

function readPages<R extends PageParameters>(db: Kysely<Tables>, asked: RawBuilder<R>) {
  return fromAsked(db, asked)
    .leftJoinLateral(
      sql<{ start: number }>`(select case when r.page > 0 then (r.page - 1) * r.size
        when a.may_manage then greatest(${count} - 1, 0) / r.size * r.size else 0 end as start offset 0)`.as('o'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      sql<{ returned: number; lines: string | null }>`(select count(*)::int4 as returned,
          string_agg(concat_ws(E'\\t', y.id, y.notification, y.scope, y.frequency, y.target_path), E'\\n' order by y.id) as lines
        from (select x.id, x.notification, x.scope, x.frequency, x.target_path
          from understudy.subscriptions x
          where a.may_manage and x.sandbox_id = t.sandbox_id and x.user_id = t.id and ${visible}
          order by x.id limit r.size offset o.start) y)`.as('l'),
      (join) => join.onTrue(),
    )
    .select([
      readRefused,
      'l.lines',
      sql<number | null>`case when not a.may_manage then null
        when l.returned < r.size and (l.returned > 0 or o.start = 0) then o.start + l.returned
        else ${count} end`.as('total'),
    ]);
}
