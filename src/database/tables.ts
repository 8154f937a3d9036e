// The tables' types, for queries that Kysely builds. Names have their schema, so no search_path matters.
// Statements that write are plain SQL.
import type { Kind, kinds } from '../model/kinds.ts';

/** The TypeScript type of values, by their column's type in model/. */
interface Values {
  text: string;
  boolean: boolean;
  smallint: number;
  integer: number;
  'integer[]': number[];
  'text[]': string[];
  timestamptz: Date;
  jsonb: Record<string, unknown>;
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
export type RowOf<K extends Kind> = { sandbox_id: number; id: number } & {
  [Name in keyof Properties<K> & string as ColumnOf<Name, Properties<K>[Name]>]: Properties<K>[Name] extends {
    type: infer Type;
  }
    ? ValueOf<Type>
    : never;
} & ((typeof kinds)[K] extends { filled: infer Filled } ? { [Name in keyof Filled]: ValueOf<Filled[Name]> } : unknown);

export type Tables = { [K in Exclude<Kind, 'users'> as `understudy.${K}`]: RowOf<K> } & {
  'understudy.sandboxes': {
    id: number;
    name: string | null;
    baseline_id: number | null;
    seed_digest: string | null;
    seeded_at: Date | null;
  };
  'understudy.users': RowOf<'users'> & { username_key: string; email_key: string | null };
};
