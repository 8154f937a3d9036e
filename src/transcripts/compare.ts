// Compares an answer with what a transcript expects, and names each mismatch once.
import { compareJson, isSameWait, type Mismatch } from './compare-json.ts';
import type { Content, Expectation } from './expectation.ts';
import { fillBaseUrl } from './placeholders.ts';
import { mapStrings, parseRawJson } from './raw-json.ts';
import type { Received } from './send-request.ts';

const waitHeaders: ReadonlySet<string> = new Set(['x-ratelimit-reset', 'retry-after']);

/** Returns an empty list when the answer is as expected. */
export function compare(expected: Expectation, received: Received, baseUrl: string): Mismatch[] {
  if (expected.skip !== undefined) return [];
  const mismatches: Mismatch[] = [];
  if (received.status !== expected.status)
    mismatches.push({ place: 'status', expected: `${expected.status}`, received: `${received.status}` });

  const content = readReceived(received);
  const sameKind = isOfKind(expected.content, content);
  for (const [name, value] of expected.headers) {
    // Another kind of content has another type: one mismatch, which is reported with the body.
    if (name === 'content-type' && !sameKind) continue;
    const filled = fillBaseUrl(value, baseUrl);
    const actual = received.headers[name]?.join(', ') ?? '(absent)';
    if (actual !== filled && !(waitHeaders.has(name) && isSameWait(filled, actual)))
      mismatches.push({ place: `header ${name}`, expected: filled, received: actual });
  }
  return [...mismatches, ...compareContent(expected, content, received, baseUrl)];
}

function compareContent(expected: Expectation, content: Content, received: Received, baseUrl: string): Mismatch[] {
  const wanted = expected.content;
  if (wanted.kind === 'json' && content.kind === 'json')
    return compareJson(
      'body',
      mapStrings(wanted.body, (text) => fillBaseUrl(text, baseUrl)),
      content.body,
      expected,
    );
  if (wanted.kind === 'text') {
    const text = fillBaseUrl(wanted.text, baseUrl);
    return compareJson('body', text, received.body, expected);
  }
  if (isOfKind(wanted, content)) return [];
  return [{ place: 'body', expected: describe(wanted), received: describe(content) }];
}

function isOfKind(wanted: Content, content: Content): boolean {
  // Any body can be read as text, so the texts themselves are compared.
  if (wanted.kind === 'text') return true;
  if (wanted.kind === 'json or html') return content.kind === 'json' || content.kind === 'html';
  return wanted.kind === content.kind;
}

function readReceived(received: Received): Content {
  if (received.body === '') return { kind: 'empty' };
  if (/^\s*<(?:!doctype html|html)\b/iu.test(received.body)) return { kind: 'html' };
  try {
    return { kind: 'json', body: parseRawJson(received.body) };
  } catch {
    return { kind: 'text', text: received.body };
  }
}

function describe(content: Content): string {
  if (content.kind === 'json') return `JSON: ${JSON.stringify(content.body)}`;
  if (content.kind === 'text') return `text: ${JSON.stringify(content.text)}`;
  return { html: 'an HTML page', empty: 'an empty body', 'json or html': 'JSON or an HTML page' }[content.kind];
}
