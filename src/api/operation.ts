// How an operation is described to people and programs. A resource says it beside its table of routes; src/openapi/ makes the
// document of it.
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { ErrorLine, ErrorName } from '../errors.ts';

export interface Operation {
  /** What generated clients call it: `notifications_list`. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The body that it takes: JSON, or a form of the same fields. */
  readonly body?: TObject;
  /** The status when all is well; 200 if left out. */
  readonly status?: number;
  /** The body that it answers with; null for none. A schema with an $id becomes a component of the document. */
  readonly answer: TSchema | null;
  readonly example?: unknown;
  /** Media types that it is given in as well, as text. */
  readonly alsoAs?: readonly string[];
  /** Headers of a good answer beyond those that all have. */
  readonly headers?: readonly string[];
  /** True where nobody is ever allowed to, as for what is read here and not written: there is no good answer. */
  readonly isRefused?: boolean;
  /** Answers of further statuses that are no errors of the catalogue. */
  readonly others?: Readonly<Record<number, TSchema>>;
  /** True where nothing of the catalogue is answered: health says in its own words what is wrong. */
  readonly isPlain?: boolean;
  /** Errors beyond those that the method and the schemas imply. */
  readonly errors?: readonly ErrorName[];
  /** Examples of what may be wrong with a body. */
  readonly faults?: readonly ErrorLine[];
}

export interface ResourceDocument {
  /** The heading that its operations stand under. */
  readonly tag: string;
  readonly description: string;
  /** By method and path, as the table of routes has them: `GET /api/users/`. */
  readonly operations: Readonly<Record<string, Operation>>;
}

const link = Type.Union([Type.String({ format: 'uri' }), Type.Null()]);

/** The envelope of specification 2.2 around items of one kind, which must have an $id. */
export const pageOf = (item: TSchema): TObject =>
  Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'Entries on all pages together.' }),
      next: link,
      previous: link,
      results: Type.Array(item),
    },
    { $id: `${item.$id}Page` },
  );

/** The operations that change what is only read here. `of` is a name in the plural, `one` in the singular. */
export function refusedOperations(
  of: string,
  one: string,
  paths: { readonly list?: string; readonly entry: string },
): Record<string, Operation> {
  const refused = (verb: string, summary: string): Operation => ({
    id: `${of}_${verb}`,
    summary,
    description: 'Always refused: these are read here, and seeds make them.',
    answer: null,
    isRefused: true,
    errors: ['resource_read_only'],
  });
  return {
    ...(paths.list === undefined ? {} : { [`POST ${paths.list}`]: refused('create', `Create a ${one}`) }),
    [`PUT ${paths.entry}`]: refused('replace', `Change a ${one}, saying every field`),
    [`PATCH ${paths.entry}`]: refused('update', `Change some fields of a ${one}`),
    [`DELETE ${paths.entry}`]: refused('delete', `Delete a ${one}`),
  };
}
