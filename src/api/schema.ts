// The parts of a query that every path takes, and every list.
import { type Static, Type } from '@sinclair/typebox';

export const AnyQuery = Type.Object({
  format: Type.Optional(Type.String({ description: '`json`, `csv`, or `api` for the browsable page.' })),
});

export const PageQuery = Type.Object({
  page: Type.Optional(Type.String({ description: 'The number of a page, or `last`.' })),
  page_size: Type.Optional(Type.String({ description: 'Entries a page: 50 if left out, at most 1000.' })),
  ...AnyQuery.properties,
});
export type PageQuery = Static<typeof PageQuery>;
