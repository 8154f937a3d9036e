// Declares an operation. Routes, field checks, OPTIONS, the OpenAPI documents and the pages' examples
// follow from it (docs/architecture.md).
import { type SchemaOptions, type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { CallerRights, Intent } from '../access/permissions.ts';
import type { ErrorLine, ErrorName } from '../base/errors.ts';
import type { Answer, Call, Services } from './call.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Operation<S> {
  readonly method: Method;
  /** The whole path, for the router: `/api/users/:username/`. */
  readonly url: string;
  /** A path that doesn't fit isn't served. */
  readonly params?: TObject;
  /** The query's schema. Only handlers of the control API check the query against it. */
  readonly querystring?: TObject;
  /** The answers by status; empty if every request is refused. */
  readonly response: Readonly<Record<number, AnswerSchema>>;
  /** The name in generated clients: `notifications_list`. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** A PATCH requires no field. The permission is checked before the body (transcript order__body). */
  readonly body?: TObject;
  /** Fields that bodies may hold although OPTIONS calls them read-only. Forms on pages have them. */
  readonly alsoTakes?: TObject;
  /** Errors that method, access and schemas don't imply. An ErrorLine is about the body or query. */
  readonly errors?: readonly (ErrorName | ErrorLine)[];
  readonly example?: unknown;
  /** What OPTIONS and pages say of the path, for all its operations. The control API has none. */
  readonly view?: View;
  readonly handler: (call: Call<never, never>, services: S) => Promise<Answer>;
}

/** The body's schema, or schemas by media type; null for no body. A schema with $id becomes a component. */
export type AnswerSchema = TSchema | null | { readonly content: Readonly<Record<string, TSchema>> };

/** An Intent in the Weblate API. Other operations are behind the gate (`admin`) or open. */
export type Access = Intent | 'admin' | 'open';

export interface View {
  readonly name: string;
  /** The pages' word for an entry, if the name doesn't say it. */
  readonly noun?: string;
  readonly description: string;
  /** The fields of answers, which OPTIONS lists. */
  readonly item?: (caller: CallerRights) => TObject;
  /** The fields that callers can write. */
  readonly fields?: TObject;
  /** In place of `fields`, if callers differ. */
  readonly fieldsFor?: (caller: CallerRights) => TObject;
  /** Whether the path's object (by default, its user) exists. If not, OPTIONS has no PUT. */
  readonly isThere?: (call: Call, services: Services) => Promise<boolean>;
}

export type Path = Pick<Operation<never>, 'url' | 'params' | 'view'>;
type AtPath<S> = Omit<Operation<S>, keyof Path>;
type Described = Partial<Omit<Operation<never>, 'handler'>>;

/** An operation without its path. By default, its answer has no body. */
export const on = <S>(
  method: Method,
  id: string,
  summary: string,
  handler: Operation<S>['handler'],
  described: Described & Pick<Operation<never>, 'access'>,
): AtPath<S> => ({ response: { 204: null }, ...described, method, id, summary, handler });

/** An operation of the control API, by default behind the gate. */
export const controlOperation = <S>(
  method: Method,
  url: string,
  id: string,
  summary: string,
  handler: Operation<S>['handler'],
  described: Described = {},
): Operation<S> => ({
  ...on(method, id, summary, handler, { access: 'admin', ...described }),
  url: `/_understudy/${url}`,
});

export const atPath = <S>(path: Path, operations: readonly AtPath<S>[]): Operation<S>[] =>
  operations.map((operation) => ({ ...path, ...operation }));

export interface Resource<S> {
  readonly tag: string;
  readonly description: string;
  readonly operations: readonly Operation<S>[];
}

export const nullable = <T extends TSchema>(schema: T, options: SchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options);

/** A choice's description is for documents and forms. OPTIONS has only the title. */
export const choices = <V extends string | number>(
  ...named: (readonly [value: V, title: string, description?: string | undefined])[]
) =>
  Type.Union(
    named.map(([value, title, description]) => Type.Literal(value, { title, ...(description && { description }) })),
  );

/** The members of a union; any other schema has none. */
export const membersOf = (schema: TSchema): readonly TSchema[] => (schema['anyOf'] ?? []) as TSchema[];

export const link = (title?: string) => Type.String({ format: 'uri', ...(title && { title }) });

export const parameter = (description: string) => Type.Optional(Type.String({ description }));

export const PageQuery = Type.Object({
  page: parameter('The number of a page, or `last`.'),
  page_size: parameter('Entries per page: 50 by default, at most 1000.'),
  format: parameter('`json`, `csv`, or `api` for the browsable page.'),
});

/** A page of a list: Weblate's envelope around items, whose schema has an $id. */
export const pageOf = (item: TSchema): TObject =>
  Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'Entries on all pages together.' }),
      next: nullable(link()),
      previous: nullable(link()),
      results: Type.Array(item),
    },
    {
      $id: `${item.$id}Page`,
      ...(item.examples && { examples: [{ count: 1, next: null, previous: null, results: item.examples }] }),
    },
  );
