// Whether two servers gave the same answer to one step. Ids of new rows, times and the order of a user's groups compare
// by form; of resources that are mirrored in part, what is mirrored.
import type { TSchema } from '@sinclair/typebox';
import { resources } from '../../src/resources/resources.ts';
import { compareJson, isSameText, isSameWait, type Mismatch } from '../../src/transcripts/compare-json.ts';
import { describeContent, kindOf, readContent } from '../../src/transcripts/content.ts';
import { makeLeaveOutBaseUrl } from '../../src/transcripts/placeholders.ts';
import type { Json } from '../../src/transcripts/raw-json.ts';
import type { Received } from '../../src/transcripts/send-request.ts';
import { alignCsv, type Align, keepColumns } from './csv.ts';
import type { NewIds } from './new-ids.ts';

export interface Answered {
  readonly received: Received;
  readonly baseUrl: string;
}

const comparedHeaders = ['allow', 'content-type', 'www-authenticate', 'location'];
const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];

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
    const text = makeLeaveOutBaseUrl(baseUrl)(body);
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
  return alignCsv(schema === undefined ? expected : keepColumns(expected, schema), actual, align);
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
  const item = ((schema.properties?.results as TSchema | undefined)?.['items'] as TSchema | undefined) ?? schema;
  const { actions, ...rest } = body as { [name: string]: Json };
  if (actions === undefined) return body;
  const kept = Object.entries(actions as { [name: string]: Json }).map(([method, fields]) => [
    method,
    keepMembers(fields, item),
  ]);
  return { ...rest, actions: Object.fromEntries(kept) as Json };
}

/** The value without the members that the schema lacks. */
export function keepMembers(value: Json, schema: TSchema): Json {
  if (Array.isArray(value))
    return 'items' in schema ? value.map((item) => keepMembers(item, schema['items'] as TSchema)) : value;
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value) || !('properties' in schema)) return value;
  const properties = schema['properties'] as Readonly<Record<string, TSchema>>;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const property = properties[name];
      return property === undefined ? [] : [[name, keepMembers(member, property)]];
    }),
  );
}
