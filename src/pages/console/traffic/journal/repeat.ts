// An exchange's request as a curl line that sends it again.
import { curlLine, quote } from '../../../curl.ts';
import { contentTypeOf, isBodyLost } from '../../../../traffic/journal/compare-body.ts';
import { type KeptEntry, maxBodyLength } from '../../../../traffic/journal/entry-bytes.ts';
import { withoutTokens } from '../../../../traffic/journal/journal.ts';

interface Repeated {
  readonly line: string;
  /** What of the request the line can't repeat. */
  readonly missing: readonly string[];
}

// A page doesn't keep these as they are, a shell's argument can't hold NUL, and U+FFFD stands for what was no text.
const unprintable = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\ufffd]/u;

/** @param token of the request's user, if it is public */
export function repeat(kept: KeptEntry, base: string, token: string | undefined): Repeated {
  const { method, path, search, hasToken, requestBody: body } = kept;
  const target = search === '' ? path : `${path}?${search}`;
  const url = base + withoutTokens(target);
  const line = curlLine({ method, url, token: hasToken ? (token ?? '$TOKEN') : undefined });
  const reason = isBodyLost(kept) ? 'the journal has dropped it' : body === null ? undefined : findObstacle(body);
  const parts = [line, ...(body === null || reason !== undefined ? [] : bodyParts(body, contentTypeOf(kept)))];
  const hasTokens =
    withoutTokens(target) !== target || (reason === undefined && body !== null && withoutTokens(body) !== body);
  return {
    line: parts.join(' \\\n  '),
    missing: [
      ...(reason === undefined ? [] : [`The body is left out: ${reason}.`]),
      ...(hasTokens ? ['Tokens are left out: put yours in place of wlu_….'] : []),
    ],
  };
}

// Not -d, which takes a text that begins with @ for the name of a file.
const bodyParts = (body: string, type: string | undefined): string[] => [
  // Without a value, curl leaves its own out.
  `-H ${quote(type === undefined ? 'Content-Type:' : `Content-Type: ${type}`)}`,
  `--data-raw ${quote(withoutTokens(body))}`,
];

function findObstacle(body: string): string | undefined {
  if (body.length > maxBodyLength) return `the journal keeps its first ${maxBodyLength} characters`;
  return unprintable.test(body) ? 'it has characters that a line can’t hold' : undefined;
}
