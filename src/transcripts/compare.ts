// Compares an answer with what a transcript expects, and names each mismatch once.
import { fillBaseUrl } from './placeholder.ts';
import { compareJson } from './compare-json.ts';
import type { Mismatch } from './compare-json.ts';
import type { Content, Expectation } from './expectation.ts';
import { isSameHeader } from './compare-moments.ts';
import { mapStrings, parseRawJson } from './raw-json.ts';
import type { Received } from './send.ts';

export type { Mismatch };

/** Gives nothing when the answer is as expected. */
export function compare(expected: Expectation, received: Received, baseUrl: string): Mismatch[] {
  if (expected.skip !== undefined) return [];
  const mismatches: Mismatch[] = [];
  if (received.status !== expected.status)
    mismatches.push({ place: 'status', expected: `${expected.status}`, received: `${received.status}` });

  const content = readReceived(received);
  const sameKind = isOfKind(expected.content, content);
  for (const [name, value] of expected.headers) {
    // Another kind of content has another type: that is the same mismatch, and it is named with the body.
    if (name === 'content-type' && !sameKind) continue;
    const filled = fillBaseUrl(value, baseUrl);
    const actual = received.headers[name];
    if (actual === undefined) mismatches.push({ place: `header ${name}`, expected: filled, received: '(absent)' });
    else if (!isSameHeader(name, filled, actual.join(', ')))
      mismatches.push({ place: `header ${name}`, expected: filled, received: actual.join(', ') });
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
    if (text === received.body) return [];
    return [{ place: 'body', expected: JSON.stringify(text), received: JSON.stringify(received.body) }];
  }
  if (isOfKind(wanted, content)) return [];
  return [{ place: 'body', expected: describeWanted(wanted), received: describeReceived(content, received) }];
}

function isOfKind(wanted: Content, content: Content): boolean {
  // Text is whatever the body is read as; whether it is the right one is for the comparison of the two.
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

function describeWanted(content: Content): string {
  if (content.kind === 'json') return `JSON: ${JSON.stringify(content.body)}`;
  return { html: 'an HTML page', empty: 'an empty body', 'json or html': 'JSON or an HTML page', text: 'text' }[
    content.kind
  ];
}

function describeReceived(content: Content, received: Received): string {
  if (content.kind === 'empty') return 'an empty body';
  return `${received.headers['content-type']?.join(', ') ?? 'no type'}: ${JSON.stringify(received.body)}`;
}
