// Whether two servers gave the same answer to one step.
import type { TObject } from '@sinclair/typebox';
import { resources } from '../../src/weblate/resources.ts';
import type { Mismatch } from '../transcripts/engine/compare-json.ts';
import { compareRead, type ReadAnswer } from '../transcripts/engine/compare.ts';
import { readContent, withoutTexts } from '../transcripts/engine/content.ts';
import { makeLeaveOutBaseUrl } from '../transcripts/engine/placeholders.ts';
import { isMembers, mapStrings } from '../transcripts/engine/raw-json.ts';
import type { Received } from '../transcripts/engine/send-request.ts';
import { transcriptsFolder } from '../support/service.ts';
import { loadTranscripts } from '../transcripts/engine/load.ts';
import { readCsv } from './csv.ts';
import type { NewIds } from './new-ids.ts';

export interface Answered extends Received {
  readonly baseUrl: string;
}

const comparedHeaders = ['allow', 'content-type', 'www-authenticate', 'location'];

/** The moment of a request, as the detail of an error gives it. */
const moments = /(?<=Ensure this value is greater than or equal to )\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00:00/gu;

export const leaveOutNow = (text: string): string => text.replaceAll(moments, '{now}');

/** Texts of the real system that are empty here. */
const { emptied = [] } = (await loadTranscripts(transcriptsFolder)).differences.everywhere;

/** A user's groups and languages, and a group's roles, come in varying order. */
const unordered = new Set(['groups', 'languages', 'secondary_languages', 'roles']);

/** @param ids learns the new ids of this answer */
export function compareAnswers(operation: string, real: Answered, ours: Answered, ids: NewIds): Mismatch[] {
  const [theirs, own] = [read(operation, real), read(operation, ours)];
  const headers = new Map(comparedHeaders.map((name) => [name, theirs.headers[name]?.join(', ') ?? '(absent)']));
  // Our Vary must be exactly this. The real system's Vary names more headers (docs/reference/differences.md).
  headers.set('vary', 'Accept');
  const [expected, received] = [theirs.content.body, own.content.body];
  return compareRead(
    { status: theirs.status, headers, content: theirs.content, unordered, addedKeys: {} },
    {
      ...own,
      headers: mapStrings(own.headers, ids.align),
      content:
        expected === undefined || received === undefined ? own.content : { body: ids.alignJson(expected, received) },
    },
  );
}

/** The answer without what isn't compared; CSV as JSON. */
function read(operation: string, { baseUrl, ...received }: Answered): ReadAnswer {
  const { status, headers, body } = mapStrings(received, makeLeaveOutBaseUrl(baseUrl));
  const answer = { status, headers, body: leaveOutNow(body) };
  const content = withoutTexts(readContent(answer.body), emptied);
  // An error has other members, which are all compared.
  const isKept = (member: string) => status >= 300 || isCompared(operation, member);
  if (content.text !== undefined && headers['content-type']?.[0]?.startsWith('text/csv'))
    // The column `actions.PUT.name.type` belongs to the member `actions`.
    return { ...answer, content: { body: readCsv(content.text, (column) => isKept(column.replace(/\..*/u, ''))) } };
  if (!isMembers(content.body)) return { ...answer, content };
  const kept = Object.entries(content.body).filter(([name]) => isKept(name));
  return { ...answer, content: { body: Object.fromEntries(kept) } };
}

const operations = resources.flatMap((resource) => resource.operations);
const [root] = operations.flatMap(({ url, response }) => (url === '/api/' ? [response[200] as TObject] : []));
const linked = new Set(Object.keys(root?.properties ?? {}));

/** False for the root's links to paths that we don't serve, and for what only the real system's OPTIONS tells. */
function isCompared(operation: string, member: string): boolean {
  if (operation === 'GET /api/') return linked.has(member);
  if (!/^OPTIONS \/api\/(?:projects|components)\//u.test(operation)) return true;
  return member !== 'actions' && !(member === 'parses' && operation.endsWith('/components/'));
}
