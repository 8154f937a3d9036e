// An exchange as an assertion of a test: what the client sent, and how it was answered.
import { parsePairs } from '../../../../http/wire/query-string.ts';
import { bodyOf } from '../../../../traffic/journal/compare-body.ts';
import { isModest, mostKeys } from '../../../../traffic/journal/find-schemas.ts';
import { type KeptEntry, usernameOf } from '../../../../traffic/journal/entry-bytes.ts';
import { withoutTokens } from '../../../../traffic/journal/journal.ts';
import type { Match } from '../../../../traffic/journal/match.ts';
import { maxPatternLength } from '../../../../traffic/path-pattern.ts';
import { jsonText } from '../../../json.ts';

interface Asserted {
  readonly match: Match;
  /** Why the body is left out. */
  readonly reason?: string | undefined;
}

/** What finds the exchange in the journal. */
export function matchFor(kept: KeptEntry): Asserted {
  const username = usernameOf(kept);
  const { value, reason } = bodyOf(kept);
  const hasBody = value !== undefined && isModest(value);
  const left =
    value !== undefined && !hasBody ? 'The body is left out: it is too long or too deep to be compared.' : undefined;
  const query = Object.fromEntries(parsePairs(kept.search).map(([name, text]) => [name, withoutTokens(text)]));
  const count = Object.keys(query).length;
  return {
    match: {
      method: kept.method,
      path: patternFor(withoutTokens(kept.path)),
      ...(username !== null && { user: username }),
      ...(!kept.hasToken && { user: null }),
      ...(count > 0 && count <= mostKeys && { query }),
      ...(hasBody && { body: value }),
      status: kept.status,
    },
    reason: reason === undefined ? left : `The body is left out. ${reason}`,
  };
}

/** A longer path can't be given, but a pattern for it. */
const patternFor = (path: string): string =>
  path.length <= maxPatternLength ? path : `${path.slice(0, maxPatternLength - 2)}**`;

export const asJavascript = (match: Match): string =>
  `await box.requests.expect(${rewrite(match, { '"__proto__":': '["__proto__"]:' })});`;

export const asPython = (match: Match): string =>
  `sandbox.requests.expect(**${rewrite(match, { null: 'None', true: 'True', false: 'False' })})`;

/** As JSON, which both languages read but for the words. As a plain key, `__proto__` would set an object's prototype. */
const rewrite = (match: Match, words: Readonly<Record<string, string>>): string =>
  jsonText(match).replace(/"(?:[^"\\]|\\.)*":?|\bnull\b|\btrue\b|\bfalse\b/g, (token) => words[token] ?? token);
