// Reads a sandbox in pages from one snapshot. Columns have the names and order of a seed's keys. Dates are
// texts: JavaScript's dates lose microseconds.
import type { Client } from 'pg';
import { moment } from '../../database/prepare.ts';
import { counterOf, type Kind, kindNames, linkColumns, propertiesOf } from '../../model/kinds.ts';

// Without sorts, cursors follow the indexes. A sort reads everything before it returns a row.
const begin = `
  begin isolation level repeatable read read only;
  set local enable_seqscan = off;
  set local enable_bitmapscan = off;
  set local enable_sort = off;
  set local jit = off`;

export type Snapshot = NonNullable<Awaited<ReturnType<typeof beginSnapshot>>>;

/** Begins the transaction. Returns the sandbox's id, clock (null: real time) and next ids, if it exists. */
export async function beginSnapshot(client: Client, name: string) {
  await client.query(begin);
  const next = kindNames.map((kind) => `'${kind}', c.${counterOf(kind)}`).join(', ');
  const query = `
    select s.id, ${moment('c.clock')} as now, json_build_object(${next}) as next_id
    from understudy.sandboxes s
    join understudy.counters c on c.sandbox_id = s.id
    where s.name = $1`;
  return (await client.query<{ id: number; now: string | null; next_id: object }>(query, [name])).rows[0];
}

/** How a seed names the row `r`. A seed may name groups by id too. */
const shownBy: Readonly<Record<Kind, string>> = {
  projects: 'r.slug',
  components: `(
        select p.slug
        from understudy.projects p
        where p.sandbox_id = r.sandbox_id and p.id = r.project_id) || '/' || r.slug`,
  groups: 'r.name',
  users: 'r.username',
  subscriptions: 'r.id',
};

/** The columns of the row `t`, in the order of the kind's properties. Names replace ids, except of groups. */
export function columnsAsSeed(kind: Kind, isRead: (property: string) => boolean) {
  const columns = propertiesOf(kind).map(([name, { type = '', refersTo, links }]) => {
    if (!isRead(name)) return [];
    if (type.startsWith('timestamptz')) return `${moment(`t.${name}`)} as ${name}`;
    if (refersTo === undefined || (kind === 'subscriptions' && refersTo !== 'users')) return `t.${name}`;
    const nameOf = (id: string) => `(
      select ${shownBy[refersTo]}
      from understudy.${refersTo} r
      where r.sandbox_id = t.sandbox_id and r.id = ${id})`;
    if (links === undefined) return `${nameOf(`t.${name}_id`)} as ${name}`;
    const [owner, other] = linkColumns[links];
    return `array(
      select ${refersTo === 'groups' ? `l.${other}` : nameOf(`l.${other}`)}
      from understudy.${links} l
      where l.sandbox_id = t.sandbox_id and l.${owner} = t.id
      order by l.${other}) as ${name}`;
  });
  return columns.flat().join(', ');
}

/** Subscriptions leave out their user, who lists them. */
function select(kind: Kind, condition = '') {
  return `
    select t.id, ${columnsAsSeed(kind, (property) => property !== 'user')}
    from understudy.${kind} t
    where t.sandbox_id = $1 ${condition}
    order by t.id`;
}

const selectUsers = `
  select
    u.*,
    (
      select coalesce(json_agg(s), '[]')
      from (${select('subscriptions', 'and t.user_id = u.id')}) s
    ) as subscriptions
  from (${select('users')}) u
  order by u.id`;

// Few: a page has all subscriptions of its users, and `generate` makes up to 5,000 per user.
const pageRows = 50;

/** Yields pages of rows, ordered by id. Users have their subscriptions. */
export async function* readPages(client: Client, kind: Kind, sandboxId: number) {
  const query = kind === 'users' ? selectUsers : select(kind);
  await client.query(`declare ${kind} no scroll cursor for ${query}`, [sandboxId]);
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`fetch ${pageRows} from ${kind}`);
    if (rows.length === 0) return;
    yield rows;
  }
}

/** Groups with a unique name. Users refer to these by name, and to others by id. */
export async function listNamedGroups(client: Client, sandboxId: number) {
  const query = `
    select min(id) as id, name
    from understudy.groups
    where sandbox_id = $1
    group by name
    having count(*) = 1`;
  return (await client.query<{ id: number; name: string }>(query, [sandboxId])).rows;
}
