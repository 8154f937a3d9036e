// Compares an answer with what a transcript expects, and names each mismatch once.
import { compareJson, isSameWait, type Mismatch } from './compare-json.ts';
import { type Content, describeContent, kindOf, readContent } from './content.ts';
import type { Expectation } from './expectation.ts';
import { fillBaseUrl } from './placeholders.ts';
import { mapStrings } from './raw-json.ts';
import type { Received } from './send-request.ts';

const waitHeaders: ReadonlySet<string> = new Set(['x-ratelimit-reset', 'retry-after']);

/** Returns an empty list when the answer is as expected. */
export function compare(expected: Expectation, received: Received, baseUrl: string): Mismatch[] {
  if (expected.skip !== undefined) return [];
  const mismatches: Mismatch[] = [];
  if (received.status !== expected.status)
    mismatches.push({ place: 'status', expected: `${expected.status}`, received: `${received.status}` });

  const wanted = mapStrings(expected.content, (text) => fillBaseUrl(text, baseUrl));
  const content = readContent(received.body);
  const sameKind = isOfKind(wanted, content);
  for (const [name, value] of expected.headers) {
    // Another kind of content has another type: one mismatch, which is reported with the body.
    if (name === 'content-type' && !sameKind) continue;
    const filled = fillBaseUrl(value, baseUrl);
    const actual = received.headers[name]?.join(', ') ?? '(absent)';
    if (actual !== filled && !(waitHeaders.has(name) && isSameWait(filled, actual)))
      mismatches.push({ place: `header ${name}`, expected: filled, received: actual });
  }

  if (!sameKind)
    mismatches.push({ place: 'body', expected: describeContent(wanted), received: describeContent(content) });
  else if (wanted.text !== undefined) mismatches.push(...compareJson('text', wanted.text, received.body, expected));
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
