// The answer that a step expects: the recorded one, with the deliberate differences applied.
import { type Content, kindOf, withoutTexts } from './content.ts';
import type { Difference, TranscriptResponse } from './transcript.ts';

export interface Expectation {
  status: number;
  /** Lower-case names. */
  headers: ReadonlyMap<string, string>;
  content: Content;
  /** The detail of each error must begin with this. The rest of the detail isn't compared. */
  detailPrefix?: string | undefined;
  unordered: ReadonlySet<string>;
  addedKeys: Readonly<Record<string, readonly string[]>>;
  skip?: string | undefined;
}

export function getExpectation(response: TranscriptResponse, step: Difference, everywhere: Difference): Expectation {
  const all = [everywhere, step];
  const { status, headers: recordedHeaders, ...recorded } = response;
  const content = readDifference(step) ?? withoutTexts(recorded, everywhere.emptied ?? []);
  const headers = new Map(Object.entries(recordedHeaders).map(([name, value]) => [name.toLowerCase(), value]));
  if (kindOf(content) === 'JSON' && kindOf(recorded) !== 'JSON') headers.set('content-type', 'application/json');
  // The recorded type belongs to the recorded content. A page is recognised by its content, so its type isn't compared.
  else if (kindOf(content) !== kindOf(recorded)) headers.delete('content-type');
  for (const [name, value] of all.flatMap((one) => Object.entries(one.headers ?? {}))) {
    if (value === null) headers.delete(name.toLowerCase());
    else if (headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value);
  }
  return {
    status: step.status ?? status,
    headers,
    content,
    detailPrefix: step.detail_prefix,
    unordered: new Set(all.flatMap((one) => one.unordered ?? [])),
    addedKeys: { ...everywhere.added_keys, ...step.added_keys },
    skip: step.skip ?? everywhere.skip,
  };
}

function readDifference({ body, html }: Difference): Content | undefined {
  if (html !== undefined) return { html };
  return body === undefined ? undefined : { body };
}
