// Whether two servers gave the same answer to one step. Ids of new rows, times and the order of a user's groups compare
// by form; of the root, only links to served paths.
import type { TObject } from '@sinclair/typebox';
import { resources } from '../../src/weblate/resources.ts';
import { compareJson, isSameText, isSameWait, type Mismatch } from '../transcripts/engine/compare-json.ts';
import { type Content, describeContent, kindOf, readContent, withoutTexts } from '../transcripts/engine/content.ts';
import { makeLeaveOutBaseUrl } from '../transcripts/engine/placeholders.ts';
import type { Json } from '../transcripts/engine/raw-json.ts';
import type { Received } from '../transcripts/engine/send-request.ts';
import { transcriptsFolder } from '../support/service.ts';
import { loadTranscripts } from '../transcripts/engine/load.ts';
import { alignCsv, type Align, keepColumns } from './csv.ts';
import type { NewIds } from './new-ids.ts';

export interface Answered {
  readonly received: Received;
  readonly baseUrl: string;
}

const comparedHeaders = ['allow', 'content-type', 'www-authenticate', 'location'];
const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];

/** The moment of a request, as the detail of an error gives it. */
const moments = /(?<=Ensure this value is greater than or equal to )\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00:00/gu;

export const leaveOutNow = (text: string): string => text.replaceAll(moments, '{now}');

/** Texts of the real system that are empty here. */
const { emptied = [] } = (await loadTranscripts(transcriptsFolder)).differences.everywhere;

/** A user's groups come in varying order, and so do its languages: a list may have another than the detail before it. */
const rules = { unordered: new Set(['groups', 'languages', 'secondary_languages']) };

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
    const text = leaveOutNow(makeLeaveOutBaseUrl(baseUrl)(body));
    return withoutTexts(readContent(text), emptied);
  }) as [Content, Content];
  if (kindOf(expected) !== kindOf(received)) note('body', describeContent(expected), describeContent(received));
  else if (expected.text !== undefined)
    note('text', ...alignTexts(operation, real, expected.text, received.text ?? '', ids));
  else if (expected.body !== undefined) {
    const [shown, other] = [expected, received].map(({ body }) => ofCompared(operation, body as Json)) as [Json, Json];
    mismatches.push(...compareJson('body', shown, ids.alignJson(shown, other), rules));
  }
  return mismatches;
}

function alignTexts(
  operation: string,
  { received }: Answered,
  expected: string,
  actual: string,
  ids: NewIds,
): [string, string] {
  if (!received.headers['content-type']?.[0]?.startsWith('text/csv')) return [expected, actual];
  const align: Align = (column, columns, cell, other) =>
    column === 'id'
      ? ids.alignId(columns.includes('notification'), cell, other)
      : isSameText(cell, other)
        ? cell
        : ids.align(other);
  // `actions.PUT.name.type` belongs to `actions`. An answer about an error has other columns.
  const isKept = (column: string) => received.status >= 300 || isCompared(operation, column.replace(/\..*/u, ''));
  return alignCsv(keepColumns(expected, isKept), keepColumns(actual, isKept), align);
}

const operations = resources.flatMap((resource) => resource.operations);
const [root] = operations.flatMap(({ url, response }) => (url === '/api/' ? [response[200] as TObject] : []));
const linked = new Set(Object.keys(root?.properties ?? {}));

/** Whether a member of an answer is compared: the root's links only to served paths, those of OPTIONS only if ours has them. */
function isCompared(operation: string, member: string): boolean {
  if (operation === 'GET /api/') return linked.has(member);
  if (!/^OPTIONS \/api\/(?:projects|components)\//u.test(operation)) return true;
  return member !== 'actions' && !(member === 'parses' && operation.endsWith('/components/'));
}

const ofCompared = (operation: string, body: Json): Json =>
  typeof body !== 'object' || body === null || Array.isArray(body) || JSON.isRawJSON(body)
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => isCompared(operation, name)));
