// The answer to OPTIONS, from the schemas of a path's operations: the path's name, what it renders and
// parses, and its fields (transcripts methods__list, users__methods; docs/decisions/0016).
import type { TObject, TSchema } from '@sinclair/typebox';
import type { CallerRights } from '../access/permissions.ts';
import { membersOf, type Operation } from './operation.ts';

/** A field as OPTIONS describes it, with keys in this order. */
export interface FieldMetadata {
  readonly type: string;
  readonly required: boolean;
  readonly read_only: boolean;
  readonly label?: string;
  readonly help_text?: string;
  readonly max_length?: number;
  readonly min_value?: number;
  readonly max_value?: number;
  readonly child?: FieldMetadata;
  readonly choices?: readonly { readonly value: string | number; readonly display_name: string }[];
  readonly children?: Readonly<Record<string, FieldMetadata>>;
}

/** A schema's key for metadata that OPTIONS shows instead of what the schema says. */
export const optionsOnly = 'x-options';

/**
 * A signed-in caller sees `actions`: POST, and PUT if the object exists (transcript wire__options).
 * @param caller undefined for an anonymous request
 */
export function describePath(
  operations: readonly Pick<Operation<never>, 'method' | 'view'>[],
  caller: CallerRights | undefined,
  exists: boolean,
) {
  const { name = '', description = '', item, fields, fieldsFor } = operations[0]?.view ?? {};
  const offered = exists ? ['PUT', 'POST'] : ['POST'];
  const actions = offered.filter((method) => operations.some((one) => one.method === method));
  const metadata = caller && item && describeFields(item(caller), fieldsFor?.(caller) ?? fields);
  return {
    name,
    description,
    renders: ['application/json', 'text/html', 'text/csv'],
    parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    ...(metadata && actions.length > 0 && { actions: Object.fromEntries(actions.map((each) => [each, metadata])) }),
  };
}

/** @param writable the fields that a body may hold; others are read-only */
export function describeFields(item: TObject, writable?: TObject): Record<string, FieldMetadata> {
  const required = new Set(writable?.required);
  return Object.fromEntries(
    Object.entries(item.properties).map(([name, schema]) => {
      const written = writable?.properties[name];
      return [name, describeField(written ?? schema, required.has(name), written === undefined)];
    }),
  );
}

function describeField(schema: TSchema, required: boolean, read_only: boolean): FieldMetadata {
  const inner = withoutNull(schema);
  const whole = { ...inner, ...schema };
  const { title, description, maxLength = whole['maxItems'], minimum, maximum } = whole;
  const choices = choicesOf(inner);
  return {
    type: typeOf(inner),
    required,
    read_only,
    ...(title !== undefined && { label: title }),
    ...(description !== undefined && { help_text: description }),
    ...(maxLength !== undefined && { max_length: maxLength }),
    ...(!read_only && minimum !== undefined && { min_value: minimum, max_value: maximum }),
    ...(isList(inner) && { child: describeField(inner.items, true, false) }),
    ...(choices && { choices }),
    ...(inner.type === 'object' && { children: describeFields(inner as TObject) }),
    ...whole[optionsOnly],
  };
}

function withoutNull(schema: TSchema) {
  const [first, ...more] = membersOf(schema).filter(({ type }) => type !== 'null');
  return first !== undefined && more.length === 0 ? first : schema;
}

function choicesOf(schema: TSchema) {
  const members = membersOf(schema);
  if (!members.some((member) => 'const' in member)) return undefined;
  return members.map(({ const: value, title }) => ({ value, display_name: title ?? String(value) }));
}

const isList = ({ items }: TSchema) => items !== undefined && choicesOf(items) !== undefined;

function typeOf(schema: TSchema): string {
  if ('anyOf' in schema) return 'choice';
  if (isList(schema)) return 'list';
  if (schema['format'] === 'date-time') return 'datetime';
  if (schema.type === 'object') return 'nested object';
  return ['integer', 'boolean'].includes(schema.type) || (schema.type === 'string' && schema['format'] !== 'uri')
    ? schema.type
    : 'field';
}
