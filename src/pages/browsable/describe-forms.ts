// A page's forms, for the operations that write at its path. Curl lines send the same bodies.
import { type TObject, Type } from '@sinclair/typebox';
import { type ErrorLine } from '../../base/errors.ts';
import { attempt } from '../../base/failure.ts';
import { isObject, type JsonObject } from '../../base/json-object.ts';
import { isNullable } from '../../http/body/check-fields.ts';
import { describeFields, type FieldMetadata } from '../../http/options.ts';
import { membersOf } from '../../http/operation.ts';
import type { KnownOperation } from '../../http/path-table.ts';
import { escapeInvisible, jsonText } from '../json.ts';
import type { PageContents } from './page-contents.ts';

export type BrowsablePage = PageContents & { readonly forms: readonly Form[] };

/** Fields for one body, or for two: PUT and PATCH share them. */
export type Form = ReturnType<typeof formOf>;

export interface FormField {
  /** The key, after the keys of the objects around it: `profile.language`. */
  readonly name: string;
  readonly metadata: FieldMetadata;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** The descriptions of choices, by value. */
  readonly notes: ReadonlyMap<unknown, string>;
  /** How the operation refuses a value that is valid by itself. */
  readonly refusals: readonly string[];
  readonly fields?: readonly FormField[] | undefined;
}

type Described = ReturnType<typeof describeFields>;

const noFields = Type.Object({});

/** The form's id, with which its fields' ids begin. */
const idOf = ({ method }: KnownOperation) => (method === 'PUT' || method === 'PATCH' ? 'change' : method.toLowerCase());

export function describeForms(page: PageContents) {
  const { method, status, allow, known, sent, opened, errors } = page;
  const writes = known.filter((one) => one.method !== 'GET' && allow.includes(one.method));
  const answered = writes.find((one) => one.method === method);
  if (status === 204 || (answered === undefined && method !== 'GET')) return [];
  // Only the refused form is made anew. The page that sent it keeps its other forms (send-form.js).
  if (answered !== undefined && status >= 400)
    return [formOf(page, [answered], sent, { errors: status === 400 ? errors : [] })];
  // A path without GET still has its forms.
  if (status >= 400 && status !== 405) return [];
  return [...Map.groupBy(writes, idOf).values()].map((operations) => {
    const asked = operations.find((one) => one.method === opened?.method);
    if (asked === undefined) return formOf(page, operations);
    return formOf(page, [asked], opened?.body, { from: opened?.id });
  });
}

/**
 * @param sent the body with which the fields begin
 * @param more the body's entry in the journal, or its errors
 */
function formOf(
  page: PageContents,
  operations: readonly KnownOperation[],
  sent?: string,
  more: { readonly from?: string | undefined; readonly errors?: readonly ErrorLine[] } = {},
) {
  const [operation] = operations as [KnownOperation];
  const id = idOf(operation);
  const schema = fieldsOf(operation);
  const given = sent === undefined ? firstBody(operation, page) : attempt((): unknown => JSON.parse(sent));
  const values = { ...(id === 'change' && page.entry), ...(isObject(given) && given) };
  return {
    ...more,
    id,
    /** The mark of a required field. PATCH requires none. */
    required: operations.length > 1 ? 'required by PUT' : operation.method === 'PATCH' ? undefined : 'required',
    fields: [schema, operation.alsoTakes ?? noFields].flatMap((some) =>
      listFields(describeFields(some, some), values, '', some, operation.errors),
    ),
    requests: operations.toReversed().map((one) => {
      const first = firstBody(one, page);
      // In JSON, an invisible character and its escape mean the same.
      return { operation: one, body: first && (sent === undefined ? jsonText(first) : escapeInvisible(sent)) };
    }),
  };
}

/** @param around `profile.` for the fields of `profile`, of which none is required */
const listFields = (
  children: Described,
  values: unknown,
  around: string,
  schema?: TObject,
  errors: KnownOperation['errors'] = [],
): FormField[] =>
  Object.entries(children)
    .filter(([, { read_only }]) => !read_only)
    .map(([key, metadata]) => {
      const name = around + key;
      const value = isObject(values) && Object.hasOwn(values, key) ? values[key] : undefined;
      const property = schema?.properties[key];
      return {
        name,
        metadata,
        value,
        isRequired: property !== undefined && metadata.required,
        isNullable: property !== undefined && isNullable(property),
        notes: new Map(
          property &&
            membersOf(property).flatMap(({ const: of, description }) => (description ? [[of, description]] : [])),
        ),
        refusals: errors.flatMap((one) =>
          typeof one === 'object' && one.attr === name && one.code === 'invalid' ? one.detail : [],
        ),
        fields: metadata.children && listFields(metadata.children, value, `${name}.`),
      };
    });

/** The body's fields; if no body is declared, as for refused operations, those of OPTIONS. */
const fieldsOf = ({ method, body, view }: KnownOperation): TObject =>
  body ?? (method === 'DELETE' ? undefined : view?.fields) ?? noFields;

/** The body before anybody edits it; undefined for none. */
function firstBody(operation: KnownOperation, { entries = [], entry }: PageContents) {
  const { method, body } = operation;
  const fields = fieldsOf(operation);
  const example = isObject(operation.example) ? operation.example : {};
  if (method === 'PATCH') return {};
  if (method === 'DELETE') return body && example;
  if (method === 'POST') return unlike(entries, example, describeFields(fields));
  // PUT begins with the entry's values. Some, such as a subscription's scope, must not change.
  const values = (fields.required ?? []).map((name) => [name, example[name]] as const);
  const own = Object.entries(entry).filter(([name]) => Object.hasOwn(fields.properties, name));
  return Object.fromEntries([...values, ...own]);
}

/** The example, with a choice that no entry has: most entries can't be made twice. */
function unlike(entries: readonly unknown[], example: JsonObject, fields: Described) {
  const name = Object.keys(example).find((key) => fields[key]?.choices !== undefined);
  if (name === undefined) return example;
  const taken = new Set(entries.filter(isObject).map((entry) => entry[name]));
  const choices = [example[name], ...(fields[name]?.choices ?? []).map(({ value }) => value)];
  return { ...example, [name]: choices.find((value) => !taken.has(value)) ?? example[name] };
}

/** The errors in the API's words. @param field left out for errors that belong to no field */
export function errorsOf({ fields, errors = [] }: Form, field?: FormField) {
  const controls = fields.flatMap((one) => one.fields ?? [one]);
  const unnamed = [null, 'non_field_errors', field?.name];
  return errors
    .filter((line) => controls.find(({ name }) => isIn(line, name)) === field)
    .map(({ attr, detail }) => (unnamed.includes(attr) ? detail : `${attr}: ${detail}`));
}

/** Whether the error is in the field, or in a value within: `profile.language`. */
const isIn = ({ attr }: ErrorLine, name: string) =>
  attr === name || attr?.startsWith(`${name}.`) || attr?.startsWith(`${name}[`);
