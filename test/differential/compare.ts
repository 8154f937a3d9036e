// Whether two servers gave the same answer to one step. Ids of new rows, times and the order of a user's groups compare
// by form; of resources that are mirrored in part, what is mirrored.
import type { TSchema } from '@sinclair/typebox';
import { resources } from '../../src/weblate/resources.ts';
import { compareJson, isSameText, isSameWait, type Mismatch } from '../transcripts/engine/compare-json.ts';
import { describeContent, kindOf, readContent } from '../transcripts/engine/content.ts';
import { makeLeaveOutBaseUrl } from '../transcripts/engine/placeholders.ts';
import type { Json } from '../transcripts/engine/raw-json.ts';
import type { Received } from '../transcripts/engine/send-request.ts';
import { alignCsv, type Align, keepColumns } from './csv.ts';
import type { NewIds } from './new-ids.ts';

export interface Answered {
  readonly received: Received;
  readonly baseUrl: string;
}

const comparedHeaders = ['allow', 'content-type', 'www-authenticate', 'location'];
const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];

/** The moment of a request, as the detail of an error gives it. */
const now = /(?<=Ensure this value is greater than or equal to )\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00:00/gu;

/** A user's groups come in varying order. */
const rules = { unordered: new Set(['groups']) };

/**
 * @param operation as `Step.operation`
 * @param ids the ids of rows that both made; learns those of this answer
 */
export function compareAnswers(operation: string, real: Answered, ours: Answered, ids: NewIds): Mismatch[] {
  const mismatches: Mismatch[] = [];
  const note = (place: string, expected: string, received: string) => {
    if (expected !== received) mismatches.push({ place, expected, received });
  };
  const header = ({ received, baseUrl }: Answered, name: string) =>
    makeLeaveOutBaseUrl(baseUrl)(received.headers[name]?.join(', ') ?? '(absent)');

  note('status', String(real.received.status), String(ours.received.status));
  for (const name of comparedHeaders) note(`header ${name}`, header(real, name), ids.align(header(ours, name)));
  // Only a run with limits has them on both sides.
  for (const name of limitHeaders.filter((one) => ours.received.headers[one] !== undefined)) {
    const [expected, received] = [header(real, name), header(ours, name)];
    if (!isSameWait(expected, received)) note(`header ${name}`, expected, received);
  }
  // Exactly so by the specification; the real system names more.
  note('header vary', 'Accept', header(ours, 'vary'));

  const [expected, received] = [real, ours].map(({ received: { body }, baseUrl }) => {
    const text = makeLeaveOutBaseUrl(baseUrl)(body).replaceAll(now, '{now}');
    return { text, content: readContent(text) };
  }) as [Read, Read];
  if (kindOf(expected.content) !== kindOf(received.content))
    note('body', describeContent(expected.content), describeContent(received.content));
  else if (expected.content.text !== undefined)
    note('text', ...alignTexts(operation, real, expected.text, received.text, ids));
  else if (expected.content.body !== undefined) {
    const shown = ofMirrored(operation, real.received.status, expected.content.body);
    mismatches.push(...compareJson('body', shown, ids.alignJson(shown, received.content.body as Json), rules));
  }
  return mismatches;
}

interface Read {
  readonly text: string;
  readonly content: ReturnType<typeof readContent>;
}

function alignTexts(
  operation: string,
  { received }: Answered,
  expected: string,
  actual: string,
  ids: NewIds,
): [string, string] {
  if (!received.headers['content-type']?.[0]?.startsWith('text/csv')) return [expected, actual];
  const schema = received.status < 300 ? schemaOf(operation) : undefined;
  const align: Align = (column, columns, cell, other) =>
    column === 'id'
      ? ids.alignId(columns.includes('notification'), cell, other)
      : isSameText(cell, other)
        ? cell
        : ids.align(other);
  if (schema === undefined) return alignCsv(expected, actual, align);
  const isOptions = operation.startsWith('OPTIONS ');
  const isKept = (column: string) =>
    isOptions ? !column.startsWith('actions.') || hasField(itemOf(schema), column) : hasPath(itemOf(schema), column);
  return alignCsv(keepColumns(expected, isKept), actual, align);
}

const partly = new Set(['Root', 'Projects and components']);
const schemas = new Map(
  resources
    .filter(({ tag }) => partly.has(tag))
    .flatMap(({ operations }) => operations)
    .flatMap(({ url, schema }) => (schema.response[200] ? [[url, schema.response[200] as TSchema] as const] : [])),
);

/** The schema of what is mirrored, for a path whose answers hold more in the real system. */
const schemaOf = (operation: string): TSchema | undefined => schemas.get(operation.slice(operation.indexOf(' ') + 1));

function ofMirrored(operation: string, status: number, body: Json): Json {
  const schema = status < 300 ? schemaOf(operation) : undefined;
  if (schema === undefined) return body;
  if (!operation.startsWith('OPTIONS ')) return keepMembers(body, schema);
  const { actions, ...rest } = body as { [name: string]: Json };
  if (actions === undefined) return body;
  const kept = Object.entries(actions as { [name: string]: Json }).map(([method, fields]) => [
    method,
    keepFields(fields, itemOf(schema)),
  ]);
  return { ...rest, actions: Object.fromEntries(kept) as Json };
}

/** The metadata of OPTIONS without the fields that the schema lacks. */
function keepFields(fields: Json, schema: TSchema): Json {
  const kept = Object.entries(fields as { [name: string]: { children?: Json } }).flatMap(([name, field]) => {
    const property = properties(schema)[name];
    if (property === undefined) return [];
    return [[name, field.children ? { ...field, children: keepFields(field.children, property) } : field]];
  });
  return Object.fromEntries(kept) as Json;
}

const properties = (schema: TSchema): Readonly<Record<string, TSchema>> =>
  (schema['properties'] as Readonly<Record<string, TSchema>> | undefined) ?? {};

/** Of a page, its entries. */
const itemOf = (schema: TSchema): TSchema =>
  (properties(schema)['results']?.['items'] as TSchema | undefined) ?? schema;

/** Whether the schema has what a column such as `project.slug` holds. */
const hasPath = (schema: TSchema, column: string): boolean =>
  column.split('.').reduce<TSchema | undefined>((inner, name) => inner && properties(inner)[name], schema) !==
  undefined;

/** Also for `actions.PUT.project.children.slug.type`, a column of OPTIONS. */
const hasField = (schema: TSchema, column: string): boolean =>
  hasPath(
    schema,
    column
      .replace(/^actions\.[A-Z]+\./u, '')
      .replaceAll('.children.', '.')
      .replace(/\.\w+(?:\.\d+\..*)?$/u, ''),
  );

/** The value without the members that the schema lacks. */
export function keepMembers(value: Json, schema: TSchema): Json {
  if (Array.isArray(value))
    return 'items' in schema ? value.map((item) => keepMembers(item, schema['items'] as TSchema)) : value;
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value) || !('properties' in schema)) return value;
  const kept = properties(schema);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const property = kept[name];
      return property === undefined ? [] : [[name, keepMembers(member, property)]];
    }),
  );
}
