// What repeats an exchange: a curl line and an assertion of a test, to copy; or the service, as the same user. The
// journal keeps whose token a request had and not the token, so the service acts with any token that the user has
// now.
import type { Handle as Database } from '../../../database/prepare.ts';
import type { SelfSent } from '../../../http/send-to-self.ts';
import { parsePairs, withQuery } from '../../../http/wire/query-string.ts';
import { curlLine } from '../../curl.ts';
import { bodyOf, isBodyLost } from '../../../traffic/compare-body.ts';
import { idOf, type KeptEntry, maxBodyLength, usernameOf, withoutTokens } from '../../../traffic/entry.ts';
import { strays } from '../../../traffic/journal/journal.ts';
import type { Match } from '../../../traffic/match.ts';
import { maxPatternLength } from '../../../traffic/path-pattern.ts';
import { isModest, mostKeys } from '../../../traffic/request-match.ts';
import { jsonText } from '../../json.ts';
import { findTokenOf } from '../../session/queries.ts';
import type { Handle } from '../console-page.ts';
import { baseOf, findEntry, journalUrl } from './journal-page.ts';

// A page doesn't keep these as they are, a shell's argument can't hold NUL, and U+FFFD stands for what was no text.
const unprintable = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\ufffd]/u;

/**
 * The line, and what of the request it can't repeat.
 * @param token of the request's user, if it is public
 */
export function repeat(kept: KeptEntry, base: string, token: string | undefined) {
  const { method, path, query, hasToken, requestBody: body } = kept;
  const url = base + withQuery(path, query);
  const hasOdd = body !== null && unprintable.test(body);
  const reason = findLoss(kept) ?? (hasOdd ? 'it has characters that a line can’t hold' : undefined);
  const sent = reason === undefined && body !== null ? withoutTokens(body) : undefined;
  const line = curlLine({
    method,
    url,
    token: hasToken ? (token ?? '$TOKEN') : undefined,
    body: sent,
    type: kept.request_headers['content-type'] ?? '',
  });
  const hasTokens = url.includes('wlu_…') || (sent !== undefined && sent !== body);
  return {
    line,
    missing: [
      reason && `The body is left out: ${reason}.`,
      hasTokens && 'Tokens are left out: put yours in place of wlu_….',
    ].filter((text) => typeof text === 'string'),
  };
}

/** Why the journal doesn't have the whole body; undefined if it has. */
function findLoss(kept: KeptEntry): string | undefined {
  if (isBodyLost(kept)) return 'the journal has dropped it';
  const isCut = (kept.requestBody?.length ?? 0) > maxBodyLength;
  return isCut ? `the journal keeps its first ${maxBodyLength} characters` : undefined;
}

export function matchFor(kept: KeptEntry): { readonly match: Match; readonly reason: string | undefined } {
  const username = usernameOf(kept);
  const { value, reason } = bodyOf(kept);
  const hasBody = value !== undefined && isModest(value);
  const left =
    value !== undefined && !hasBody ? 'The body is left out: it is too long or too deep to be compared.' : undefined;
  const query = Object.fromEntries(parsePairs(kept.query).map(([name, text]) => [name, withoutTokens(text)]));
  const count = Object.keys(query).length;
  return {
    match: {
      method: kept.method,
      path: patternFor(kept.path),
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

/** As JSON, which both languages read, except for the words. As a plain key, `__proto__` would set an object's prototype. */
const rewrite = (match: Match, words: Readonly<Record<string, string>>): string =>
  jsonText(match).replace(/"(?:[^"\\]|\\.)*":?|\bnull\b|\btrue\b|\bfalse\b/g, (token) => words[token] ?? token);

/** The token's hash, null for a request that had none; or why the request can't be sent again. */
export type Plan = Pick<SelfSent, 'tokenHash'> | { readonly obstacle: string };

export async function planAgain(kept: KeptEntry, sandbox: string, reads: Database): Promise<Plan> {
  const { hasToken, caller, error, requestBody: body } = kept;
  const loss = findLoss(kept);
  const obstacle = [
    // Its header or token may have named the sandbox, and the journal keeps neither.
    sandbox === strays && !kept.path.startsWith('/sandboxes/') && 'it reached no sandbox',
    loss && `its body isn’t whole: ${loss}`,
    body?.includes('\ufffd') && 'its body is no text',
    withQuery(kept.path, kept.query).includes('wlu_…') && 'its address had a token, which the journal doesn’t keep',
    !hasToken && error?.code === 'authentication_failed' && 'its header Authorization had no token',
    hasToken && caller === null && 'its token was nobody’s',
  ].find((found) => typeof found === 'string');
  if (obstacle !== undefined) return { obstacle };
  if (caller === null) return { tokenHash: null };
  const [id = '', username = ''] = caller.split(' ');
  const [token] = await findTokenOf(reads, { sandbox, id: Number(id), username });
  return token === undefined
    ? { obstacle: `${username} has no token any more, has another name now, or is gone` }
    : { tokenHash: token.hash };
}

/** Leads to the new entry. */
export const sendAgain: Handle = async (visit, services) => {
  const { origin, start, address, sandbox, entry } = visit;
  const kept = await findEntry(visit, services);
  const url = journalUrl(start, sandbox);
  const plan = kept && (await planAgain(kept, sandbox, services.database.reads));
  // The entry's page says why.
  if (kept === undefined || plan === undefined || 'obstacle' in plan) return { redirect: `${url}${entry}/` };
  const { method, request_headers: headers, requestBody: body } = kept;
  const sent: SelfSent = { origin, address, tokenHash: plan.tokenHash };
  const path = baseOf('', sandbox) + withQuery(kept.path, kept.query);
  await services.sendToSelf({ method, path, headers, body }, sent);
  await services.journal.settled();
  const made = sent.entry;
  return { redirect: made ? `${journalUrl(start, made.sandbox)}${idOf(made.number)}/?again=${entry}` : url };
};
