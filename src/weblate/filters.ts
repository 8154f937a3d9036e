// Filters of lists. A filter's declaration gives the query's parameter (also in documents and on pages), how
// the parameter's text is read, and a condition of the list's statement.
import { Type } from '@sinclair/typebox';
import type { Expression, RawBuilder, SqlBool } from 'kysely';
import { PageQuery, parameter } from '../http/operation.ts';
import type { Slots } from '../database/prepare.ts';
import { type ErrorLine, errorLine } from '../base/errors.ts';

interface Filter {
  readonly description: string;
  /** PostgreSQL's type of the value. */
  readonly type: string;
  /** The value that a text means, or what is wrong with the text. An undefined value limits nothing. */
  readonly read: (text: string) => { readonly value?: unknown; readonly errors?: readonly Omit<ErrorLine, 'attr'>[] };
  readonly where: (value: RawBuilder<unknown>) => Expression<SqlBool>;
}

/** The values of a request's filters, as parameters of the list's statement: `{ by_id: 7 }`. */
type Values<Name extends string> = Readonly<Partial<Record<`by_${Name}`, unknown>>>;

/** @param filters by the name of their parameter */
export function declareFilters<Name extends string>(filters: Readonly<Record<Name, Filter>>) {
  const all = Object.entries(filters) as [Name, Filter][];
  const parameters = all.map(([name, { description }]) => [name, parameter(description)]);
  return {
    Query: Type.Object({
      ...(Object.fromEntries(parameters) as Record<Name, ReturnType<typeof parameter>>),
      ...PageQuery.properties,
    }),
    /** The values of the filters that the query sets, and every error, in the order of the declaration. */
    read(query: { readonly [N in Name]?: string }) {
      const read = all.map(([name, filter]) => {
        const text = query[name];
        return { name, errors: [], ...(text !== undefined && filter.read(text)) };
      });
      const set = read.filter(({ value, errors }) => value !== undefined && errors.length === 0);
      return {
        values: Object.fromEntries(set.map(({ name, value }) => [`by_${name}`, value])) as Values<Name>,
        errors: read.flatMap(({ name, errors }) => errors.map(({ code, detail }) => errorLine(name, code, detail))),
      };
    },
    /** The conditions of the filters in a set. The set has names of values, such as `by_id`. */
    conditionsOf: (names: ReadonlySet<string>, slot: Slots<Values<Name>>) =>
      all.flatMap(([name, { type, where }]) => (names.has(`by_${name}`) ? where(slot(`by_${name}`, type)) : [])),
  };
}

/** Makes a statement for each set of filters at its first request, so that each plan uses the best index. */
export function forEachSet<S>(make: (names: ReadonlySet<string>) => S) {
  const made = new Map<string, S>();
  return (values: object): S => {
    const names = Object.keys(values).toSorted();
    const key = names.join(' ');
    const statement = made.get(key) ?? make(new Set(names));
    made.set(key, statement);
    return statement;
  };
}
