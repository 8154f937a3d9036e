// One exchange in full: the request, the answer, ways to send it again, and an assertion to copy.
import { attempt } from '../../../base/failure.ts';
import { safeMethods } from '../../../base/http-names.ts';
import { html, type Html } from '../../html.ts';
import { jsonText, renderJson } from '../../json.ts';
import { linksUnder } from '../../links.ts';
import * as parts from '../../parts.ts';
import type { PathTable } from '../../../http/path-table.ts';
import { withQuery } from '../../../http/wire/query-string.ts';
import type { CurlRequest } from '../../curl.ts';
import * as entries from '../../../traffic/entry.ts';
import { strays } from '../../../traffic/journal/journal.ts';
import { type Match, matchFor } from '../../../traffic/match.ts';
import { type Handle, urlWith, type Visit } from '../console-page.ts';
import { fieldsUrl } from './faults-page.ts';
import { type Filters, findEntry, findFitting, findKnown, placeOf, readFilters } from './journal-page.ts';
import { explain, renderCall, renderStatus, renderTime, renderUser } from './journal-rows.ts';

export const showExchange: Handle = async (visit) => {
  const { sandbox, visitor, query } = visit;
  const kept = await findEntry(visit);
  const place = placeOf(visit, sandbox);
  const { url, base } = place;
  const filters = readFilters(query);
  const back = parts.renderLink(urlWith(url, filters), 'All requests');
  const none = html`${noEntry} ${parts.renderChips([back])}`;
  if (kept === undefined) return { tab: 'requests', status: 404, title: 'No such request', main: none };
  const entry = entries.shownEntry(kept);
  const known = await findKnown(visit);
  const form = findForm(entry, known.paths, base);
  const reason = explain(kept, known, place);
  const failing = { match: { method: entry.method, path: entry.path }, status: 503, next: 1 };
  const { token } = visitor?.choices.find(({ username }) => username === entry.principal) ?? {};
  return {
    title: `${entry.method} ${entry.path.slice(0, 100)}`,
    tab: 'requests',
    main: html`${await renderWays(visit, kept.number, filters, back)}
      <article class="stack" aria-labelledby="exchange">
        <h2 id="exchange" class="request">${renderCall(entry)}</h2>
        ${reason !== undefined && html`<div class="notice block ${parts.statusKind(entry.status)}"><p>${reason}</p></div>`}
        <p class="actions row">
          ${form !== undefined && html`<a class="button" href="${form}">Open in a form</a>`}
          ${sandbox !== strays && html`<a class="button" href="${fieldsUrl(visit.url, failing)}">Fail this next time</a>`}
        </p>
        ${renderSummary(entry, url)} ${renderSides(entry, kept, base)} ${renderRepeat(kept, base, token)}
        ${sandbox !== strays && renderAssertion(kept)}
      </article>`,
  };
};

async function renderWays(visit: Visit, number: number, filters: Filters, back: Html) {
  const { ofClients } = await findFitting(visit, filters).catch(() => ({ ofClients: [] }));
  const place = ofClients.findIndex((one) => one.number === number);
  const linkTo = (label: string, one?: (typeof ofClients)[number]) => {
    if (one === undefined) return undefined;
    const { url } = placeOf(visit, one.journal.sandbox);
    return parts.renderLink(urlWith(`${url}${entries.idOf(one.number)}/`, filters), label);
  };
  const previous = linkTo('Previous', ofClients[place - 1]);
  const next = place >= 0 && linkTo('Next', ofClients[place + 1]);
  return html`<nav aria-label="Requests">${parts.renderChips([back, previous, next])}</nav>`;
}

const noEntry = html`<p>
  The journal has no request with this id: the request was dropped, the journal was emptied, or the id belongs to
  another sandbox or service.
</p>`;

/** The URL of the request's form; undefined if there is none, or if a browser would send another path. */
function findForm({ id, method, path }: entries.JournalEntry, paths: PathTable, base: string) {
  const url = base + path;
  const isServed = !safeMethods.has(method) && paths.find(path)?.some((one) => one.method === method);
  return isServed && URL.parse(url)?.href === url ? `${url}?understudy_entry=${id}` : undefined;
}

function renderSummary(entry: entries.JournalEntry, url: string) {
  const { at, status, duration_ms: duration, principal, from_page: fromPage } = entry;
  return parts.renderFacts([
    ['Status', renderStatus(status)],
    ['Time, UTC', renderTime(at)],
    ['Duration', `${duration} ms`],
    ['User', renderUser(principal, url)],
    ['Sent by', fromPage ? 'a page' : null],
  ]);
}

function renderSides(entry: entries.JournalEntry, kept: entries.KeptEntry, base: string) {
  const caller = entry.principal === null ? 'a token of no user' : `a token of ${entry.principal}`;
  const headers = { ...(kept.hasToken && { authorization: caller }), ...entry.request_headers };
  const sides = [
    ['sent', 'Request', headers, entries.isBodyLost(kept), entry.request_body, kept.requestBody],
    ['answered', 'Response', entry.response_headers, kept.areBodiesDropped, entry.response_body, kept.responseBody],
  ] as const;
  return sides.map(([id, title, ofSide, isDropped, shown, whole]) => {
    const lines = Object.entries(ofSide).map(([name, value]) => `${name}: ${value}`);
    const label = `of the ${title.toLowerCase()}`;
    return parts.renderSection(
      id,
      title,
      lines.length > 0 && parts.renderBlock(`Headers ${label}`, html`${lines.join('\n')}`),
      isDropped
        ? html`<p class="block">The journal has dropped the body.</p>`
        : renderBody(shown, whole, base, `Body ${label}`),
      id === 'sent' && html`<p class="hint">Headers that are secret or too long are left out.</p>`,
    );
  });
}

function renderBody(shown: string | null, kept: string | null, base: string, label: string) {
  if (shown === null || kept === null) return html`<p class="block">No body.</p>`;
  const isCut = kept.length > entries.maxBodyLength;
  return html`${parts.renderBlock(label, isCut ? html`${shown}` : renderIfJson(shown, base))}
  ${isCut && html`<p class="hint">Cut: the journal keeps the first ${entries.maxBodyLength} characters of a body.</p>`}`;
}

/** JSON is indented, unless JavaScript would alter a value, as with 1.0 or a repeated key. */
function renderIfJson(text: string, base: string) {
  const value = attempt(() => JSON.parse(text) as unknown);
  const isSame = value !== undefined && withoutSpace(JSON.stringify(value)) === withoutSpace(text);
  return isSame ? renderJson(value, linksUnder(base)) : html`${text}`;
}

const withoutSpace = (text: string) => text.replaceAll(/\s/g, '');

function renderRepeat(kept: entries.KeptEntry, base: string, token: string | undefined) {
  const { request, missing } = repeat(kept, base, token);
  return parts.renderSection(
    'repeat',
    'Send it again',
    parts.renderRequest(request, 'The request by curl'),
    missing.map((one) => html`<p class="hint">${one}</p>`),
  );
}

function renderAssertion(kept: entries.KeptEntry) {
  const { match, reason } = matchFor(kept);
  return parts.renderSection(
    'assert',
    'Expect it in a test',
    html`<h3>JavaScript</h3>`,
    parts.renderCopy(asJavascript(match), 'Assertion in JavaScript'),
    html`<h3>Python</h3>`,
    parts.renderCopy(asPython(match), 'Assertion in Python'),
    reason !== undefined && html`<p class="hint">${reason}</p>`,
  );
}

// Characters that pages alter; NUL, which no shell argument holds; U+FFFD, which replaced other bytes.
const unprintable = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\ufffd]/u;

/**
 * The request to send, and what it leaves out.
 * @param token the user's token, if it is public
 */
export function repeat(kept: entries.KeptEntry, base: string, token: string | undefined) {
  const { method, path, query, hasToken, requestBody: body } = kept;
  const url = base + withQuery(path, query);
  const hasOdd = body !== null && unprintable.test(body);
  const reason = entries.bodyOf(kept).reason ?? (hasOdd ? 'It has characters that a curl line can’t hold.' : undefined);
  const sent = reason === undefined && body !== null ? entries.withoutTokens(body) : undefined;
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
      reason && `The body is left out. ${reason}`,
      hasTokens && 'Tokens are left out: put yours in place of wlu_….',
    ].filter(Boolean),
  };
}

export const asJavascript = (match: Match) =>
  `await box.requests.expect(${rewrite(match, { '"__proto__":': '["__proto__"]:' })});`;

export const asPython = (match: Match) =>
  `sandbox.requests.expect(**${rewrite(match, { null: 'None', true: 'True', false: 'False' })})`;

/** JSON is valid in both languages except for `words`: a plain key `__proto__` would set a prototype. */
const rewrite = (match: Match, words: Readonly<Record<string, string>>) =>
  jsonText(match).replace(/"(?:[^"\\]|\\.)*":?|\bnull\b|\btrue\b|\bfalse\b/g, (token) => words[token] ?? token);
