// Compares an answer with what a transcript expects, and names each mismatch once.
import { compareJson, isSameWait, type Mismatch } from './compare-json.ts';
import { type Content, describeContent, kindOf, readContent } from './content.ts';
import type { Expectation } from './expectation.ts';
import { fillBaseUrl } from './placeholders.ts';
import { mapStrings } from './raw-json.ts';
import type { Received } from './send-request.ts';

const waitHeaders: ReadonlySet<string> = new Set(['x-ratelimit-reset', 'retry-after']);

export interface ReadAnswer extends Received {
  content: Content;
}

export function compare(expected: Expectation, received: Received, baseUrl: string): Mismatch[] {
  if (expected.skip !== undefined) return [];
  const fill = (text: string) => fillBaseUrl(text, baseUrl);
  const headers = new Map([...expected.headers].map(([name, value]) => [name, fill(value)]));
  const wanted = { ...expected, headers, content: mapStrings(expected.content, fill) };
  return compareRead(wanted, { ...received, content: readContent(received.body) });
}

export function compareRead(expected: Expectation, { status, headers, body, content }: ReadAnswer): Mismatch[] {
  const mismatches: Mismatch[] = [];
  if (status !== expected.status)
    mismatches.push({ place: 'status', expected: `${expected.status}`, received: `${status}` });
  const wanted = expected.content;
  const sameKind = isOfKind(wanted, content);
  for (const [name, value] of expected.headers) {
    // Another kind of content has another type: one mismatch, which is reported with the body.
    if (name === 'content-type' && !sameKind) continue;
    const actual = headers[name]?.join(', ') ?? '(absent)';
    if (actual !== value && !(waitHeaders.has(name) && isSameWait(value, actual)))
      mismatches.push({ place: `header ${name}`, expected: value, received: actual });
  }

  if (!sameKind)
    mismatches.push({ place: 'body', expected: describeContent(wanted), received: describeContent(content) });
  else if (wanted.text !== undefined) mismatches.push(...compareJson('text', wanted.text, body, expected));
  else if (wanted.body !== undefined) mismatches.push(...compareJson('body', wanted.body, content.body, expected));
  return mismatches;
}

function isOfKind(wanted: Content, content: Content): boolean {
  const [expected, received] = [kindOf(wanted), kindOf(content)];
  // Any body can be read as text, so the texts themselves are compared.
  if (expected === 'text') return true;
  if (expected === 'JSON or an HTML page') return received === 'JSON' || received === 'an HTML page';
  return expected === received;
}
