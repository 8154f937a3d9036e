// The answer that a step expects: the recorded one, with the deliberate differences applied.
import type { Json } from './raw-json.ts';
import type { Difference, Differences, TranscriptResponse } from './transcript.ts';

export type Content =
  | { kind: 'json'; body: Json }
  | { kind: 'text'; text: string }
  | { kind: 'html' }
  | { kind: 'empty' }
  | { kind: 'json or html' };

export interface Expectation {
  status: number;
  /** Lower-case names. */
  headers: ReadonlyMap<string, string>;
  content: Content;
  /** Only this beginning of each error's detail is compared. */
  detailPrefix?: string | undefined;
  /** Keys whose lists compare as sets. */
  unordered: ReadonlySet<string>;
  /** Why the answer is not compared at all. */
  skip?: string | undefined;
}

export function getExpectation(
  scenario: string,
  index: number,
  response: TranscriptResponse,
  differences: Differences,
): Expectation {
  const step = differences.steps[scenario]?.[index] ?? {};
  const all = [differences.everywhere, step];
  const recorded = readContent(response);
  const content = readDifference(step) ?? recorded;
  const headers = new Map(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (content.kind !== recorded.kind) replaceType(headers, content);
  for (const [name, value] of all.flatMap((one) => Object.entries(one.headers ?? {}))) {
    if (value === null) headers.delete(name.toLowerCase());
    else if (headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value);
  }
  return {
    status: step.status === undefined ? response.status : Number(step.status.rawJSON),
    headers,
    content,
    detailPrefix: step.detail_prefix,
    unordered: new Set(all.flatMap((one) => one.unordered ?? [])),
    skip: step.skip ?? differences.everywhere.skip,
  };
}

function readContent(response: TranscriptResponse): Content {
  if (response.html) return { kind: 'html' };
  if (response.text !== undefined) return { kind: 'text', text: response.text };
  return response.body === undefined || response.body === null
    ? { kind: 'empty' }
    : { kind: 'json', body: response.body };
}

function readDifference(difference: Difference): Content | undefined {
  if (difference.html === null) return { kind: 'json or html' };
  if (difference.html) return { kind: 'html' };
  if (difference.body === undefined) return undefined;
  return difference.body === null ? { kind: 'empty' } : { kind: 'json', body: difference.body };
}

/** The recorded type belongs to the recorded content. A page is recognised by its content, so its type isn't compared. */
function replaceType(headers: Map<string, string>, content: Content): void {
  if (content.kind === 'json') headers.set('content-type', 'application/json');
  else headers.delete('content-type');
}
