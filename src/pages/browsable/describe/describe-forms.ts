// The forms of a page, from the operations of its path: one for each method that writes. Their bodies are what curl
// lines send too.
import { type TObject, Type } from '@sinclair/typebox';
import type { ErrorLine } from '../../../base/errors.ts';
import { controlsOf, type Exchange, type Form, type FormField } from '../page-contents.ts';
import { isObject, type JsonObject } from '../../../base/json-object.ts';
import { escapeInvisible, jsonText } from '../../json.ts';
import { describeFields, type FieldMetadata } from '../../../http/options.ts';
import type { KnownOperation } from '../../../http/path-table.ts';
import { describeFormFields } from './describe-form-fields.ts';
import { entriesIn, errorLines } from './read-answer.ts';

const noFields = Type.Object({});

export function describeForms(
  { method, status, headers, sent }: Exchange,
  known: readonly KnownOperation[],
  body: unknown,
): Form[] {
  const allowed = headers['allow']?.split(', ') ?? [];
  const writes = known.filter((operation) => operation.method !== 'GET' && allowed.includes(operation.method));
  const answered = writes.find((operation) => operation.method === method);
  if (status === 204 || (answered === undefined && method !== 'GET')) return [];
  if (status < 400) return writes.map((operation) => formOf(operation, body));
  // Without the entry, only what was sent is known. A path that can't be read still has its forms.
  if (answered) return [placeFaults(formOf(answered, undefined, sent), status === 400 ? errorLines(body) : [])];
  return status === 405 ? writes.map((operation) => formOf(operation, undefined)) : [];
}

/**
 * @param shown what the page shows: the entry, a list of them, or anything else
 * @param sent the body of the request, where the page answers this form: its fields then begin with that
 */
function formOf(operation: KnownOperation, shown: unknown, sent?: string): Form {
  const { method, config } = operation;
  const fields = fieldsOf(operation);
  const entry = isObject(shown) && entriesIn(shown) === undefined ? shown : {};
  const first = firstBody(operation, fields, shown, entry);
  const parsed = sent === undefined ? undefined : parse(sent);
  const values = sent !== undefined ? parsed : method === 'PATCH' ? entry : first;
  return {
    method,
    summary: config.summary,
    description: config.description,
    fields: [fields, config.alsoTakes ?? noFields].flatMap((some) =>
      describeFormFields(some, method, isObject(values) ? values : {}),
    ),
    faults: [],
    // Only between quotes can valid JSON hold what would be invisible on a page, and an escape means the same there.
    body: sent === undefined ? first && jsonText(first) : parsed === undefined ? sent : escapeInvisible(sent),
    isAnswered: false,
  };
}

/** The fields that the operation declares, or that OPTIONS describes if the operation refuses every request. */
const fieldsOf = ({ method, config }: KnownOperation): TObject =>
  config.body ?? (method === 'DELETE' ? undefined : config.view?.fields) ?? noFields;

/** The fields and what the body has of them before anybody edits it; undefined for a request without a body. */
function firstBody({ method, config }: KnownOperation, fields: TObject, shown: unknown, entry: JsonObject) {
  const names = Object.keys(fields.properties);
  const example = isObject(config.example) ? config.example : {};
  switch (method) {
    case 'PUT':
      // Its own values, for not all may be changed, such as a subscription's scope.
      return pick(names, { ...pick(fields.required ?? [], example), ...entry });
    case 'PATCH':
      return {};
    case 'DELETE':
      return config.body === undefined ? undefined : example;
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

/** The form that the page answers, with the faults at their fields. */
function placeFaults(form: Form, lines: readonly ErrorLine[]): Form {
  const controls = controlsOf(form);
  const ofField = Map.groupBy(lines, ({ attr }) => controls.find(({ name }) => isOf(attr, name))?.name);
  const faultsOf = (name: string | undefined, isPlain: (attr: string | null) => boolean) =>
    (ofField.get(name) ?? []).map(({ attr, detail }) => (isPlain(attr) ? detail : `${attr}: ${detail}`));
  const placeIn = (field: FormField): FormField =>
    field.fields === undefined
      ? { ...field, faults: faultsOf(field.name, (attr) => attr === field.name) }
      : { ...field, fields: field.fields.map(placeIn) };
  return {
    ...form,
    fields: form.fields.map(placeIn),
    faults: faultsOf(undefined, (attr) => attr === null || attr === 'non_field_errors'),
    isAnswered: true,
  };
}

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
