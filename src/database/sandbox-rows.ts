// SQL functions that copy, reset and drop sandboxes: no reader sees a state in between. The functions' text
// follows from the columns in model/. When the text changes, the migrator creates them again.
import { checksumOf, type Migration } from '../../migrations/index.ts';
import { columnsOf, counterOf, kindNames, type TableName, tableNames } from '../model/kinds.ts';

/**
 * Columns that a reset never sets: a row that differs in one is deleted and inserted. Unique values
 * can't be swapped in place, and setting `private` fires a trigger that updates subscriptions.
 */
export const neverSet: Partial<Record<TableName, readonly string[]>> = {
  projects: ['slug', 'private'],
  components: ['project_id', 'slug'],
  users: ['username', 'email'],
  subscriptions: ['user_id', 'notification', 'scope', 'project_id', 'component_id'],
};

const copies = tableNames.map((table) => {
  const { key, others: types } = columnsOf(table);
  const others = Object.keys(types);
  const identity = [...key, ...(neverSet[table] ?? [])];
  // jsonb is compared as text: otherwise 1 equals 1.0.
  const exact = (prefix: string) =>
    list(
      [...key, ...others.map((column) => (types[column]?.startsWith('jsonb') ? `${column}::text` : column))],
      prefix,
    );
  return { table, key, others, identity, set: others.filter((column) => !identity.includes(column)), exact };
});
type Copied = (typeof copies)[number];
const counters = [...kindNames.map(counterOf), 'clock'];

const list = (names: readonly string[], prefix = '') => names.map((name) => prefix + name).join(', ');
const equal = (names: readonly string[]) => names.map((name) => `s.${name} = t.${name}`).join(' and ');
const notOwn = `not exists (
  select from understudy.sandbox_tokens o where o.sandbox_id = s.sandbox_id and o.hash = s.hash)`;

const insertCopy = ({ table, key, others }: Copied) =>
  `insert into understudy.${table} (sandbox_id, ${list([...key, ...others])})
     select target, ${list([...key, ...others], 's.')}
     from understudy.${table} s
     where s.sandbox_id = source`;

const differs = ({ table, key, exact }: Copied) =>
  `exists (
     select from (select * from understudy.${table} where sandbox_id = source) s
     full join (select * from understudy.${table} where sandbox_id = target) t on ${equal(key)}
     where (${exact('s.')}) is distinct from (${exact('t.')}))`;

const deleteForeign = ({ table, key, identity }: Copied) =>
  `delete from understudy.${table} t
   where t.sandbox_id = target
     and not exists (
       select from understudy.${table} s
       where s.sandbox_id = source
         and ${equal(key)}
         and (${list(identity, 's.')}) is not distinct from (${list(identity, 't.')}))`;

const setDiffering = ({ table, key, set, exact }: Copied) =>
  set.length === 0
    ? ''
    : `update understudy.${table} t
       set (${list(set)}) = row(${list(set, 's.')})
       from understudy.${table} s
       where t.sandbox_id = target
         and s.sandbox_id = source
         and ${equal(key)}
         and (${exact('s.')}) is distinct from (${exact('t.')});`;

const insertMissing = (copied: Copied) =>
  `${insertCopy(copied)}
     and not exists (
       select from understudy.${copied.table} t
       where t.sandbox_id = target and ${equal(copied.key)});`;

const synced = copies.filter(({ table }) => table !== 'tokens');

// Plans are made once per connection, and must suit tables that grow later (docs/decisions/0014).
const planned = `language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan set jit = off`;
// Turns off the trigger that raises counters for plain SQL: counters are copied.
const countsIds = `perform set_config('understudy.counts_ids', 'on', true);`;

const statements: readonly string[] = [
  // A single statement, so that it copies one moment's state without a lock. False if the source is gone.
  `create or replace function understudy.copy_rows(source integer, target integer) returns boolean ${planned} as $$
   begin
     ${countsIds}
     with ${copies
       .map(
         (copied) =>
           `copied_${copied.table} as (${insertCopy(copied)} ${copied.table === 'tokens' ? `and ${notOwn}` : ''})`,
       )
       .join(',\n')}
     insert into understudy.counters (sandbox_id, ${list(counters)})
       select target, ${list(counters)}
       from understudy.counters
       where sandbox_id = source;
     return found;
   end $$`,

  `create or replace function understudy.add_own_tokens(target integer) returns void ${planned} as $$
   begin
     insert into understudy.tokens (sandbox_id, hash, user_id)
       select target, o.hash, u.id
       from understudy.sandbox_tokens o
       join understudy.users u on u.sandbox_id = target and u.username_key = o.username_key
       where o.sandbox_id = target
       on conflict do nothing;
   end $$`,

  // The caller has locked the target's counters, and the source doesn't change. Equal tables are
  // only compared, unless a deletion may have cascaded to them.
  `create or replace function understudy.sync_rows(source integer, target integer) returns void ${planned} as $$
   declare
     deleted boolean := false;
     ${synced.map(({ table }) => `differing_${table} boolean;`).join('\n')}
   begin
     ${countsIds}
     delete from understudy.tokens t
     where t.sandbox_id = target
       and not exists (
         select from understudy.tokens s
         where s.sandbox_id = source and s.hash = t.hash and s.user_id = t.user_id)
       and not exists (
         select from understudy.sandbox_tokens o
         join understudy.users u
           on u.sandbox_id = target and u.id = t.user_id and u.username_key = o.username_key
         where o.sandbox_id = target and o.hash = t.hash);
     ${synced
       .toReversed()
       .map(
         (copied) => `differing_${copied.table} := ${differs(copied)};
           if differing_${copied.table} then
             ${deleteForeign(copied)};
             deleted := deleted or found;
           end if;`,
       )
       .join('\n')}
     ${copies
       .map((copied) =>
         copied.table === 'tokens'
           ? insertMissing(copied)
           : `if deleted or differing_${copied.table} then
                ${setDiffering(copied)}
                ${insertMissing(copied)}
              end if;`,
       )
       .join('\n')}
     update understudy.counters t
     set (${list(counters)}) = (${list(counters, 's.')})
     from understudy.counters s
     where s.sandbox_id = source
       and t.sandbox_id = target
       and (${list(counters, 's.')}) is distinct from (${list(counters, 't.')});
     perform understudy.add_own_tokens(target);
   end $$`,

  `create or replace function understudy.drop_rows(target integer) returns void ${planned} as $$
   begin
     ${copies
       .toReversed()
       .map(({ table }) => `delete from understudy.${table} where sandbox_id = target;`)
       .join('\n')}
     delete from understudy.sandboxes where id = target;
   end $$`,
];

export const sandboxRows: Migration = { name: 'sandbox-rows', statements, checksum: checksumOf(statements) };
