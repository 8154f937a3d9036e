// One exchange in full: the request, the answer, a line that sends the request again, and an assertion for a test.
import { baseUrlOf } from '../../../access/which-sandbox.ts';
import { apiError } from '../../../base/errors.ts';
import { withQuery } from '../../../http/wire/query-string.ts';
import { renderBlock, renderCopy, renderTokenHint } from '../../curl.ts';
import { html, type Html } from '../../html.ts';
import { renderJson } from '../../json.ts';
import { linksUnder } from '../../links.ts';
import { renderChips, renderFacts, renderLink, renderSection } from '../../parts.ts';
import { isBodyLost } from '../../../traffic/compare-body.ts';
import { idOf, type JournalEntry, type KeptEntry, maxBodyLength, numberOf } from '../../../traffic/entry.ts';
import { shownEntry } from '../../../traffic/journal/journal-entries.ts';
import { strays } from '../../../traffic/journal/journal.ts';
import type { ConsoleServices, Page, Visit } from '../console-page.ts';
import { asJavascript, asPython, matchFor, repeat } from './journal-lines.ts';
import { find } from '../../../traffic/journal/search.ts';
import { compileMatch } from '../../../traffic/match.ts';
import { journalOf, journalUrl } from './journal-page.ts';
import { describeError, renderStatus, renderTime, renderUser } from './journal-rows.ts';

export async function showExchange(visit: Visit, services: ConsoleServices): Promise<Page> {
  const { origin, params } = visit;
  const sandbox = await journalOf(visit, services);
  const { all } = await find({ journal: services.journal, sandbox, matcher: compileMatch({}) });
  const number = numberOf(params['entry'] ?? '');
  const at = all.findIndex((other) => other.number === number);
  const kept = all[at];
  if (kept === undefined) throw apiError('not_found');
  const entry = shownEntry(kept);
  const isStray = sandbox === strays;
  const base = isStray ? origin : baseUrlOf(origin, sandbox);
  const url = journalUrl(origin, sandbox);
  const known = isStray
    ? undefined
    : (await services.samples.of(sandbox)).find(({ username }) => username === entry.principal);
  return {
    title: `${entry.method} ${entry.path.slice(0, 100)}`,
    ...(isStray ? undefined : { of: { sandbox, tab: 'requests' } }),
    main: html`<article class="stack" aria-labelledby="exchange">
      <h2 id="exchange" class="request">
        <span class="method">${entry.method}</span> ${withQuery(entry.path, entry.query)}
      </h2>
      ${renderSummary(entry)} ${renderSides(entry, kept, base)} ${renderRepeat(kept, base, known?.token)}
      ${!isStray && renderAssertion(kept)} ${renderNeighbours(url, all[at + 1], all[at - 1])}
    </article>`,
  };
}

function renderSummary(entry: JournalEntry): Html {
  const { at, status, duration_ms: duration, principal, fault, unmatched, hint, error, from_page: fromPage } = entry;
  return renderFacts([
    ['Status', renderStatus(status)],
    ['Time, UTC', html`${renderTime(at)} <span class="hint">on ${at.slice(0, 10)}</span>`],
    ['Duration', `${duration} ms`],
    ['User', renderUser(principal)],
    ['Fault', fault],
    ['Path', unmatched ? 'not served' : null],
    ['Not mirrored', entry.not_mirrored],
    ['Hint', hint],
    ['Error', error && describeError(error)],
    ['Sent by', fromPage ? 'a page' : null],
  ]);
}

function renderSides(entry: JournalEntry, kept: KeptEntry, base: string): Html[] {
  const caller = entry.principal === null ? 'a token of no user' : `a token of ${entry.principal}`;
  const headers = { ...(kept.hasToken && { authorization: caller }), ...entry.request_headers };
  const sides = [
    ['sent', 'Request', headers, isBodyLost(kept), entry.request_body, kept.requestBody],
    ['answered', 'Response', entry.response_headers, kept.areBodiesDropped, entry.response_body, kept.responseBody],
  ] as const;
  return sides.map(([id, title, ofSide, isDropped, shown, whole]) => {
    const lines = Object.entries(ofSide).map(([name, value]) => `${name}: ${value}`);
    const label = `of the ${title.toLowerCase()}`;
    return renderSection(
      id,
      title,
      lines.length > 0 && renderBlock(`Headers ${label}`, html`${lines.join('\n')}`),
      isDropped
        ? html`<p class="block">The journal has dropped the body.</p>`
        : renderBody(shown, whole, base, `Body ${label}`),
      id === 'sent' && html`<p class="hint">The journal keeps no other headers.</p>`,
    );
  });
}

function renderBody(shown: string | null, kept: string | null, base: string, label: string): Html {
  if (shown === null || kept === null) return html`<p class="block">No body.</p>`;
  const isCut = kept.length > maxBodyLength;
  return html`${renderBlock(label, isCut ? html`${shown}` : renderIfJson(shown, base))}
  ${isCut && html`<p class="hint">Cut: the journal keeps the first ${maxBodyLength} characters of a body.</p>`}`;
}

/** The slice of Node's JSON that TypeScript's library doesn't declare yet. */
const exactJson = JSON as unknown as {
  parse(text: string, reviver: typeof keepNumbers): unknown;
  rawJSON(text: string): unknown;
};

function renderIfJson(text: string, base: string): Html {
  try {
    return renderJson(exactJson.parse(text, keepNumbers), linksUnder(base));
  } catch {
    return html`${text}`;
  }
}

/** As it was written, where it isn't the text of a number in JavaScript: 1.0, or one of twenty digits. */
function keepNumbers(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  const { source } = context;
  return typeof value === 'number' && source !== undefined && source !== JSON.stringify(value)
    ? exactJson.rawJSON(source)
    : value;
}

function renderRepeat(kept: KeptEntry, base: string, token: string | undefined): Html {
  const { line, missing } = repeat(kept, base, token);
  return renderSection(
    'repeat',
    'Send it again',
    renderTokenHint(line),
    renderCopy(line, 'The request by curl'),
    missing.map((one) => html`<p class="hint">${one}</p>`),
  );
}

function renderAssertion(kept: KeptEntry): Html {
  const { match, reason } = matchFor(kept);
  return renderSection(
    'assert',
    'Expect it in a test',
    html`<h3>JavaScript</h3>`,
    renderCopy(asJavascript(match), 'Assertion in JavaScript'),
    html`<h3>Python</h3>`,
    renderCopy(asPython(match), 'Assertion in Python'),
    reason !== undefined && html`<p class="hint">${reason}</p>`,
  );
}

const renderNeighbours = (url: string, newer: KeptEntry | undefined, older: KeptEntry | undefined): Html =>
  html`<nav aria-label="Other requests">
    ${renderChips([
      renderLink(url, 'All requests'),
      ...(newer ? [renderLink(`${url}${idOf(newer.number)}/`, 'Newer')] : []),
      ...(older ? [renderLink(`${url}${idOf(older.number)}/`, 'Older')] : []),
    ])}
  </nav>`;
