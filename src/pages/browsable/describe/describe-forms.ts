// The forms of a page, from the operations of its path: one for each method that writes. Their bodies are what curl
// lines send too.
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { ErrorLine } from '../../../base/errors.ts';
import { isObject, type JsonObject } from '../../../base/json-object.ts';
import { isNullable } from '../../../http/body/check-fields.ts';
import { describeFields, type FieldMetadata } from '../../../http/options.ts';
import type { KnownOperation } from '../../../http/path-table.ts';
import { escapeInvisible, jsonText } from '../../json.ts';
import type { BrowsablePage, Form, FormField } from '../page-contents.ts';
import { entriesIn, errorLines } from './read-answer.ts';

export const controlsOf = ({ fields }: Form): readonly FormField[] =>
  fields.flatMap((field) => field.fields ?? [field]);

export const hasFaults = ({ faults }: Form): boolean => faults !== undefined && faults.size > 0;

const noFields = Type.Object({});

/** They have the same fields. */
export const isChange = ({ method }: KnownOperation): boolean => method === 'PUT' || method === 'PATCH';

export function describeForms(page: Omit<BrowsablePage, 'forms'>): Form[] {
  const { method, status, allow, known, body, sent, opened } = page;
  const writes = known.filter((operation) => operation.method !== 'GET' && allow.includes(operation.method));
  const answered = writes.find((operation) => operation.method === method);
  if (status === 204 || (answered === undefined && method !== 'GET')) return [];
  // Only what was sent is known here. The page that sent it has the other forms, and keeps them (send-form.js).
  if (answered !== undefined && status >= 400) {
    const form = formOf([answered], undefined, sent);
    return [{ ...form, faults: placeFaults(form, status === 400 ? errorLines(body) : []) }];
  }
  // A path that can't be read still has its forms.
  if (status >= 400 && status !== 405) return [];
  const shown = status < 400 ? body : undefined;
  const forms = [...Map.groupBy(writes, (operation) => (isChange(operation) ? 'change' : operation.method)).values()];
  return forms.map((operations) => {
    const asked = operations.find((operation) => opened && 'body' in opened && operation.method === opened.method);
    if (asked === undefined || opened === undefined || !('body' in opened)) return formOf(operations, shown);
    return { ...formOf([asked], shown, opened.body), from: opened.id };
  });
}

/**
 * @param operations one, or PUT and PATCH
 * @param shown what the page shows: the entry, a list of them, or anything else
 * @param sent a body that the fields begin with
 */
function formOf(operations: readonly KnownOperation[], shown: unknown, sent?: string): Form {
  const [operation] = operations as [KnownOperation];
  const fields = fieldsOf(operation);
  const entry = isObject(shown) && entriesIn(shown) === undefined ? shown : {};
  const parsed = sent === undefined ? undefined : parse(sent);
  const begun = sent === undefined ? firstBody(operation, fields, shown, entry) : parsed;
  const values = { ...(isChange(operation) && entry), ...(isObject(begun) && begun) };
  // PATCH requires none of them.
  const required = operations.length > 1 ? 'required by PUT' : operation.method === 'PATCH' ? undefined : 'required';
  return {
    fields: [fields, operation.alsoTakes ?? noFields].flatMap((some) => listFields(some, required, values)),
    requests: operations.toReversed().map((one) => {
      const first = firstBody(one, fields, shown, entry);
      // Only between quotes can valid JSON hold what would be invisible on a page, and an escape means the same there.
      const given = parsed === undefined ? sent : escapeInvisible(sent ?? '');
      return { operation: one, body: first && (given ?? jsonText(first)) };
    }),
  };
}

/** @param values what the fields begin with */
const listFields = (schema: TObject, required: string | undefined, values: JsonObject): FormField[] =>
  Object.entries(describeFields(schema, schema)).map(([name, metadata]) => ({
    ...fieldOf(name, metadata, valueIn(values, name)),
    required: metadata.required ? required : undefined,
    isNullable: isNullable(schema.properties[name] as TSchema),
  }));

const valueIn = (values: JsonObject, name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);

const fieldOf = (name: string, metadata: FieldMetadata, value: unknown): FormField => ({
  name,
  metadata,
  value,
  // A change takes any part of an object.
  required: undefined,
  isNullable: false,
  fields:
    metadata.children &&
    Object.entries(metadata.children)
      .filter(([, { read_only }]) => !read_only)
      .map(([key, child]) => fieldOf(`${name}.${key}`, child, isObject(value) ? valueIn(value, key) : undefined)),
});

/** The fields that the operation declares, or that OPTIONS describes if the operation refuses every request. */
const fieldsOf = ({ method, body, view }: KnownOperation): TObject =>
  body ?? (method === 'DELETE' ? undefined : view?.fields) ?? noFields;

/** The fields and what the body has of them before anybody edits it; undefined for a request without a body. */
function firstBody(
  { method, body, example: given }: KnownOperation,
  fields: TObject,
  shown: unknown,
  entry: JsonObject,
) {
  const names = Object.keys(fields.properties);
  const example = isObject(given) ? given : {};
  switch (method) {
    case 'PUT':
      // Its own values, for not all may be changed, such as a subscription's scope.
      return pick(names, { ...pick(fields.required ?? [], example), ...entry });
    case 'PATCH':
      return {};
    case 'DELETE':
      return body === undefined ? undefined : example;
    default:
      return unlike(entriesIn(shown) ?? [], example, describeFields(fields));
  }
}

const pick = (names: readonly string[], from: JsonObject): JsonObject =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]));

/** The example, but with a first choice that no entry of the list has yet: most can't be made twice. */
function unlike(entries: readonly unknown[], example: JsonObject, fields: Readonly<Record<string, FieldMetadata>>) {
  const [name] = Object.keys(example).filter((key) => fields[key]?.choices !== undefined);
  if (name === undefined) return example;
  const taken = new Set(entries.filter(isObject).map((entry) => entry[name]));
  const free = [example[name], ...(fields[name]?.choices ?? []).map(({ value }) => value)].find(
    (value) => !taken.has(value),
  );
  return free === undefined ? example : { ...example, [name]: free };
}

const placeFaults = (form: Form, lines: readonly ErrorLine[]) =>
  Map.groupBy(lines, ({ attr }) => controlsOf(form).find(({ name }) => isOf(attr, name))?.name ?? '');

/** Whether the fault is in the field, or in a part of it: `profile.language`. */
const isOf = (attr: string | null, name: string): boolean =>
  attr === name || attr?.startsWith(`${name}.`) === true || attr?.startsWith(`${name}[`) === true;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
