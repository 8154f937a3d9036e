// What the steps of planning a load share: the seed, the locked sandbox, and the writes that they note down.
import { planIds } from './plan-ids.ts';
import type { Db, Link } from './queries.ts';
import type { Place, Seed, SeedFault } from '../seed/seed-types.ts';
import type { Kind } from '../seed/seed-schema.ts';
import type { LinkTable, NewToken, Row } from './write-queries.ts';

export interface Plan {
  readonly rows: Readonly<Record<Kind, { readonly inserts: Row[]; readonly updates: Row[] }>>;
  readonly links: Readonly<Record<LinkTable, { inserts: Link[]; deletes: Link[]; kept: number }>>;
  readonly tokens: NewToken[];
  tokensKept: number;
  readonly next: Record<Kind, number>;
  /** Nothing may be written where there are any. */
  readonly faults: SeedFault[];
}

export interface Planning {
  readonly db: Db;
  readonly sandboxId: number;
  readonly seed: Seed;
  readonly plan: Plan;
}

interface Item {
  readonly place: Place;
  readonly id: number | undefined;
}

const rows = () => ({ inserts: [], updates: [] });
const links = () => ({ inserts: [], deletes: [], kept: 0 });

export function emptyPlan(next: Record<Kind, number>): Plan {
  return {
    rows: { projects: rows(), components: rows(), groups: rows(), users: rows(), subscriptions: rows() },
    links: { user_groups: links(), group_projects: links() },
    tokens: [],
    tokensKept: 0,
    next: { ...next },
    faults: [],
  };
}

export const fixedIds = (items: readonly Item[]): number[] => items.flatMap(({ id }) => id ?? []);

/** Gives every item of a kind its id and notes its row. `found` holds the ids of those that are there. */
export function planRows<T extends Item>(
  { plan }: Planning,
  kind: Kind,
  items: readonly T[],
  found: readonly (number | undefined)[],
  owners: ReadonlyMap<number, string>,
  rowOf: (item: T, isNew: boolean) => Row,
): readonly number[] {
  const { ids, next, faults } = planIds(items, found, owners, plan.next[kind]);
  plan.next[kind] = next;
  plan.faults.push(...faults);
  for (const [i, item] of items.entries()) {
    const isNew = found[i] === undefined;
    plan.rows[kind][isNew ? 'inserts' : 'updates'].push({ id: ids[i], ...rowOf(item, isNew) });
  }
  return ids;
}

const linkKey = (link: Link): string => `${link.owner} ${link.other}`;

/** Notes what leads from the links that are there to the wanted ones. */
export function planLinks({ plan }: Planning, table: LinkTable, there: readonly Link[], wanted: readonly Link[]): void {
  const before = new Set(there.map(linkKey));
  const after = new Map(wanted.map((link) => [linkKey(link), link]));
  const noted = plan.links[table];
  noted.inserts = [...after].flatMap(([name, link]) => (before.has(name) ? [] : [link]));
  noted.deletes = there.filter((link) => !after.has(linkKey(link)));
  noted.kept = after.size - noted.inserts.length;
}
