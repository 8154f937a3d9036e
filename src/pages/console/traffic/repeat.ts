// What repeats an exchange: the request as a client sends it, and an assertion of a test, to copy.
import { withQuery } from '../../../http/wire/query-string.ts';
import type { CurlRequest } from '../../curl.ts';
import { isBodyLost, type KeptEntry, maxBodyLength, withoutTokens } from '../../../traffic/entry.ts';
import type { Match } from '../../../traffic/match.ts';
import { jsonText } from '../../json.ts';

// A page doesn't keep these as they are, a shell's argument can't hold NUL, and U+FFFD stands for what was no text.
const unprintable = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\ufffd]/u;

/** The request, and what of it can't be repeated. @param token of the request's user, if it is public */
export function repeat(kept: KeptEntry, base: string, token: string | undefined) {
  const { method, path, query, hasToken, requestBody: body } = kept;
  const url = base + withQuery(path, query);
  const hasOdd = body !== null && unprintable.test(body);
  const reason = findLoss(kept) ?? (hasOdd ? 'it has characters that a line can’t hold' : undefined);
  const sent = reason === undefined && body !== null ? withoutTokens(body) : undefined;
  const request: CurlRequest = {
    method,
    url,
    token: hasToken ? (token ?? '$TOKEN') : undefined,
    body: sent,
    type: kept.request_headers['content-type'] ?? '',
  };
  const hasTokens = url.includes('wlu_…') || (sent !== undefined && sent !== body);
  return {
    request,
    missing: [
      reason && `The body is left out: ${reason}.`,
      hasTokens && 'Tokens are left out: put yours in place of wlu_….',
    ].filter(Boolean),
  };
}

/** Why the journal doesn't have the whole body; undefined if it has. */
function findLoss(kept: KeptEntry): string | undefined {
  if (isBodyLost(kept)) return 'the journal has dropped it';
  const isCut = (kept.requestBody?.length ?? 0) > maxBodyLength;
  return isCut ? `the journal keeps its first ${maxBodyLength} characters` : undefined;
}

export const asJavascript = (match: Match): string =>
  `await box.requests.expect(${rewrite(match, { '"__proto__":': '["__proto__"]:' })});`;

export const asPython = (match: Match): string =>
  `sandbox.requests.expect(**${rewrite(match, { null: 'None', true: 'True', false: 'False' })})`;

/** As JSON, which both languages read, except for the words. As a plain key, `__proto__` would set an object's prototype. */
const rewrite = (match: Match, words: Readonly<Record<string, string>>): string =>
  jsonText(match).replace(/"(?:[^"\\]|\\.)*":?|\bnull\b|\btrue\b|\bfalse\b/g, (token) => words[token] ?? token);
