// The types of the tables, by qualified name: the service doesn't rely on search_path.
import type { ColumnType, Generated } from 'kysely';
import type { Kind, kinds, linkColumns, LinkTable } from '../model/kinds.ts';

type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** What the values of a column are here, by its type in model/. */
interface Values {
  text: string;
  boolean: boolean;
  smallint: number;
  integer: number;
  'integer[]': number[];
  'text[]': string[];
  timestamptz: Timestamp;
  jsonb: ColumnType<Record<string, unknown>, string, string>;
}
type ValueOf<Type> = Type extends `${infer Of extends keyof Values} null`
  ? Values[Of] | null
  : Type extends keyof Values
    ? Values[Type]
    : never;

type Properties<K extends Kind> = (typeof kinds)[K]['properties'];
type ColumnOf<Name extends string, Property> = Property extends { type: string }
  ? Property extends { refersTo: Kind }
    ? `${Name}_id`
    : Name
  : never;
type RowOf<K extends Kind> = { sandbox_id: number; id: number } & {
  [Name in keyof Properties<K> & string as ColumnOf<Name, Properties<K>[Name]>]: Properties<K>[Name] extends {
    type: infer Type;
  }
    ? ValueOf<Type>
    : never;
} & ((typeof kinds)[K] extends { filled: infer Filled } ? { [Name in keyof Filled]: ValueOf<Filled[Name]> } : unknown);

type Contents = { [K in Exclude<Kind, 'users'> as `understudy.${K}`]: RowOf<K> } & {
  [L in LinkTable as `understudy.${L}`]: Record<'sandbox_id' | (typeof linkColumns)[L][number], number>;
};

export interface Tables extends Contents {
  'understudy.sandboxes': {
    id: Generated<number>;
    name: string | null;
    baseline_id: number | null;
    seed_name: string | null;
    seed_digest: string | null;
    seeded_at: Timestamp | null;
    created_at: Generated<Timestamp>;
    expires_at: Timestamp | null;
    lifetime_seconds: number | null;
    template_key: string | null;
    snapshot_of: number | null;
    snapshot_name: string | null;
  };
  /** Tokens that survive resets of their sandbox. Those whose user exists are in `tokens` as well. */
  'understudy.sandbox_tokens': { sandbox_id: number; hash: Buffer; username_key: string; created_at: Generated<Date> };
  /** `clock`: the sandbox's fixed time; null: the real time. */
  'understudy.counters': Record<`next_${Singular<Kind>}_id`, Generated<number>> & {
    sandbox_id: number;
    clock: Timestamp | null;
  };
  'understudy.tokens': { sandbox_id: number; hash: Buffer; user_id: number };
  'understudy.users': RowOf<'users'> & { username_key: string; email_key: string | null };
}

type Singular<Name> = Name extends `${infer One}s` ? One : never;
