// One exchange in full: the request, the answer, a form or a line that sends the request again, and an assertion for a test.
import { attempt } from '../../../base/attempt.ts';
import { safeMethods } from '../../../base/http-names.ts';
import { html, type Html } from '../../html.ts';
import { renderJson } from '../../json.ts';
import { linksUnder } from '../../links.ts';
import {
  renderBlock,
  renderChips,
  renderCopy,
  renderFacts,
  renderLink,
  renderRequest,
  renderSection,
  statusKind,
} from '../../parts.ts';
import type { PathTable } from '../../../http/path-table.ts';
import {
  idOf,
  isBodyLost,
  type JournalEntry,
  type KeptEntry,
  maxBodyLength,
  shownEntry,
} from '../../../traffic/entry.ts';
import { strays } from '../../../traffic/journal/journal.ts';
import { matchFor } from '../../../traffic/match.ts';
import { type Handle, urlWith, type Visit } from '../console-page.ts';
import { fieldsUrl } from './faults-page.ts';
import { type Filters, readFilters } from './journal-filters.ts';
import { findEntry, findFitting, findKnown, placeOf } from './journal-page.ts';
import { explain, renderCall, renderStatus, renderTime, renderUser } from './journal-rows.ts';
import { asJavascript, asPython, repeat } from './repeat.ts';

export const showExchange: Handle = async (visit) => {
  const { sandbox, visitor, query } = visit;
  const kept = await findEntry(visit);
  const place = placeOf(visit, sandbox);
  const { url, base } = place;
  const filters = readFilters(query);
  const back = html`<p>${renderLink(urlWith(url, filters), 'All requests')}</p>`;
  const tab = 'requests';
  if (kept === undefined) return { tab, status: 404, title: 'No such request', main: html`${noEntry} ${back}` };
  const entry = shownEntry(kept);
  const known = await findKnown(visit);
  const form = findForm(entry, known.paths, base);
  const reason = explain(kept, known, place);
  const failing = { match: { method: entry.method, path: entry.path }, status: 503, next: 1 };
  const { token } = visitor?.choices.find(({ username }) => username === entry.principal) ?? {};
  return {
    title: `${entry.method} ${entry.path.slice(0, 100)}`,
    tab,
    main: html`${await renderWays(visit, kept.number, filters)}
      <article class="stack" aria-labelledby="exchange">
        <h2 id="exchange" class="request">${renderCall(entry)}</h2>
        ${reason !== undefined && html`<div class="notice block ${statusKind(entry.status)}"><p>${reason}</p></div>`}
        <p class="actions row">
          ${form !== undefined && html`<a class="button" href="${form}">Open in a form</a>`}
          ${sandbox !== strays && html`<a class="button" href="${fieldsUrl(visit.url, failing)}">Fail this next time</a>`}
        </p>
        ${renderSummary(entry, url)} ${renderSides(entry, kept, base)} ${renderRepeat(kept, base, token)}
        ${sandbox !== strays && renderAssertion(kept)}
      </article>`,
  };
};

/** Back to the list, and to the requests before and after this one in it. */
async function renderWays(visit: Visit, number: number, filters: Filters): Promise<Html> {
  const { ofClients } = await findFitting(visit, filters).catch(() => ({ ofClients: [] }));
  const place = ofClients.findIndex((one) => one.number === number);
  const ways = [
    ['Previous', place > 0 ? ofClients[place - 1] : undefined],
    ['Next', place < 0 ? undefined : ofClients[place + 1]],
  ] as const;
  return html`<nav aria-label="Requests">
    ${renderChips([
      renderLink(urlWith(placeOf(visit, visit.sandbox).url, filters), 'All requests'),
      ...ways.flatMap(([label, one]) =>
        one === undefined
          ? []
          : renderLink(urlWith(`${placeOf(visit, one.room.sandbox).url}${idOf(one.number)}/`, filters), label),
      ),
    ])}
  </nav>`;
}

const noEntry = html`<p>
  The journal has no request with this id: it was dropped or emptied since, or the request was another sandbox’s or
  another service’s.
</p>`;

/** The URL of the page that has a form for the request. Undefined for a path that a browser would change on the way. */
function findForm({ id, method, path }: JournalEntry, paths: PathTable, base: string): string | undefined {
  const isServed = !safeMethods.has(method) && paths.find(path)?.some((operation) => operation.method === method);
  return isServed && URL.parse(base + path)?.href === base + path ? `${base}${path}?understudy_entry=${id}` : undefined;
}

function renderSummary(entry: JournalEntry, url: string): Html {
  const { at, status, duration_ms: duration, principal, from_page: fromPage } = entry;
  return renderFacts([
    ['Status', renderStatus(status)],
    ['Time, UTC', renderTime(at)],
    ['Duration', `${duration} ms`],
    ['User', renderUser(principal, url)],
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
      id === 'sent' && html`<p class="hint">Other headers hold secrets, or were too long for the journal.</p>`,
    );
  });
}

function renderBody(shown: string | null, kept: string | null, base: string, label: string): Html {
  if (shown === null || kept === null) return html`<p class="block">No body.</p>`;
  const isCut = kept.length > maxBodyLength;
  return html`${renderBlock(label, isCut ? html`${shown}` : renderIfJson(shown, base))}
  ${isCut && html`<p class="hint">Cut: the journal keeps the first ${maxBodyLength} characters of a body.</p>`}`;
}

/** Indented, unless JavaScript would write anything but space differently: 1.0, or a key that is there twice. */
function renderIfJson(text: string, base: string): Html {
  const value = attempt(() => JSON.parse(text) as unknown);
  const isSame = value !== undefined && withoutSpace(JSON.stringify(value)) === withoutSpace(text);
  return isSame ? renderJson(value, linksUnder(base)) : html`${text}`;
}

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

function renderRepeat(kept: KeptEntry, base: string, token: string | undefined): Html {
  const { request, missing } = repeat(kept, base, token);
  return renderSection(
    'repeat',
    'Send it again',
    renderRequest(request, 'The request by curl'),
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
