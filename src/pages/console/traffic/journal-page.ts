// The page of a sandbox's requests, or of all requests: filtered, newest first. live.js keeps it
// up to date.
import { baseUrlOf, defaultSandbox } from '../../../access/which-sandbox.ts';
import { Type } from '@sinclair/typebox';
import { checkValue } from '../../../base/check-value.ts';
import { html } from '../../html.ts';
import * as parts from '../../parts.ts';
import type { Sandbox } from '../../../sandboxes/sandbox-schemas.ts';
import { numberOf } from '../../../traffic/entry.ts';
import { AllQuery, matcherOf, noSandbox } from '../../../traffic/journal/journal-schemas.ts';
import { strays } from '../../../traffic/journal/journal.ts';
import { words } from '../../../traffic/request-match.ts';
import { entriesOf, findIn, findInAll, mostOfAll, whenReadable } from '../../../traffic/journal/search.ts';
import { type Handle, renderOwnField, sandboxUrl, urlWith, type Visit, ask, operate } from '../console-page.ts';
import { renderRow } from './journal-rows.ts';

/** The most rows of a page whose address sets no limit. */
const maxRows = 200;

/** The path of the page of all requests. Pages of requests without a sandbox have paths below it. */
export const allPath = 'console/all/journal/';

/** The URL of a journal's page, and the base URL of its requests: without a sandbox, the service's own. */
export const placeOf = ({ origin, start }: Visit, sandbox: string) => ({
  start,
  url: sandbox === strays ? start + allPath : `${sandboxUrl(start, sandbox)}journal/`,
  base: baseUrlOf(origin, sandbox || defaultSandbox),
});

/** The entry in the address; undefined if the journal lacks it. Throws 404 for an unknown sandbox. */
export async function findEntry({ sandbox, entry, services: { database, journal } }: Visit) {
  await whenReadable(database.read, journal, sandbox);
  return journal.open(sandbox).find(numberOf(entry) ?? 0);
}

/** The names that `explain` suggests: paths, and, to requests without a sandbox, sandboxes. */
export async function findKnown(visit: Visit) {
  // The journal works without a database.
  const list = () => ask<Sandbox[]>('sandboxes_list', visit).catch(() => []);
  const all = visit.sandbox === strays ? await list() : [];
  return { paths: visit.services.paths, sandboxes: all.map(({ name }) => name) };
}

export const forgetStrays: Handle = async (visit) => {
  await operate('strays_clear', visit);
  return { redirect: visit.start + allPath };
};

/** The requests that fit the filters, oldest first. Without `from`, requests from pages are hidden. */
export async function findFitting({ sandbox, services: { journal } }: Visit, filters: Filters) {
  const { sandbox: chosen, from, live: _live, limit, since: _since, ...match } = checkValue(PageQuery, filters);
  const matcher = matcherOf(match);
  const { found } = await (sandbox === strays
    ? findInAll(journal, matcher, chosen)
    : findIn(journal, [sandbox], matcher));
  const ofClients = from === undefined ? found.filter((one) => !one.from_page) : found;
  return { ofClients, limit, hidden: found.length - ofClients.length };
}

export const showJournal: Handle = async (visit) => {
  const { query, sandbox, refused, services } = visit;
  const { journal, database } = services;
  const isOfAll = sandbox === strays;
  await whenReadable(database.read, journal, sandbox);
  const { url, base } = placeOf(visit, sandbox);
  const page = { title: isOfAll ? 'Requests of all sandboxes' : 'Requests', tab: 'requests' } as const;
  if (!journal.isKept) return { ...page, main: off };

  const filters = readFilters(query);
  // A page with wrong filters shows their errors and no request.
  const { ofClients, limit, hidden } =
    refused === undefined ? await findFitting(visit, filters) : { ofClients: [], limit: undefined, hidden: 0 };
  const isLive = refused === undefined && filters['live'] === undefined;
  const last = ofClients.slice(-(Number(limit) || maxRows)).toReversed();
  const left = ofClients.length - last.length;
  const known = await findKnown(visit);
  const { sandbox: chosen, ...kept } = filters;
  const rows = await Array.fromAsync(
    entriesOf(last, (entry, { journal: { sandbox: of } }) =>
      renderRow(entry, placeOf(visit, of), known, kept, isOfAll ? of : undefined),
    ),
  );
  const { dropped, dropped_bodies: bodies } = journal.open(sandbox).lostAfter();
  const lost = `${countOf(dropped, 'older request')} and the bodies of ${countOf(bodies, 'other')}`;
  const isEmpty = isOfAll ? journal.sandboxes().length === 0 : !journal.open(sandbox).lastAt;
  const linkTo = (some: Filters) => html`<a href="${urlWith(url, { ...filters, ...some })}">Show them</a>`;
  const notes = [
    left > 0 && html`${countOf(left, 'older request')} left out here. ${linkTo({ limit: String(ofClients.length) })}`,
    hidden > 0 && html`Hidden: ${countOf(hidden, 'request')} from pages. ${linkTo({ from: 'all' })}`,
    !isOfAll && dropped + bodies > 0 && `The journal has dropped ${lost}.`,
    refused === undefined &&
      ofClients.length + hidden === 0 &&
      (isEmpty ? renderHint(`${base}/api/`) : 'No request fits these filters.'),
  ];
  const caption = `${isOfAll ? `Of the last ${mostOfAll} requests` : 'Requests'}, newest first; times are UTC`;
  const heads = ['Time', 'Request', 'Status', 'Duration', 'User', ...(isOfAll ? ['Sandbox'] : [])];
  const main = html`${renderFilters(url, filters, visit)}
    <div class="row between">
      ${renderLive(url, filters, isLive)} ${(!isOfAll || chosen === noSandbox) && renderClear(url)}
    </div>
    ${parts.renderTable(caption, heads, rows, 'requests')}
    <div id="notes" class="stack">${notes.map((note) => note && html`<div>${note}</div>`)}</div>`;
  return { ...page, main, assets: isLive ? ['live.js'] : [] };
};

const countOf = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The text for a browser without scripts. live.js replaces it. */
const renderLive = (url: string, filters: Filters, isLive: boolean) =>
  html`<p class="row hint" id="live">
    <span role="status" id="live-state">${isLive ? 'Reload the page to see newer requests.' : 'Not live.'}</span>
    <a href="${urlWith(url, { ...filters, live: isLive ? 'off' : '' })}">${isLive ? 'Pause' : 'Watch live'}</a>
  </p>`;

const renderClear = (url: string) =>
  html`<details>
    <summary>Clear the journal</summary>
    ${parts.renderButton(`${url}clear/`, 'Forget all requests', html`class="danger" title="Nothing brings them back"`)}
  </details>`;

const renderHint = (url: string) =>
  html`No request yet. Send one, and it appears here:
  ${parts.renderRequest({ method: 'GET', url }, 'A request to send')}`;

const off = html`<p>The service keeps no journal: <code>UNDERSTUDY_JOURNAL_BYTES</code> is 0. To change that, run:</p>
  ${parts.renderCopy(
    'env -u UNDERSTUDY_JOURNAL_BYTES npx weblate-understudy serve',
    'A command that starts the service with a journal',
  )}`;

export type Filters = Readonly<Record<string, string>>;

/** The filters, `live=off`, and `from=all`, which also shows requests from pages. */
const PageQuery = Type.Partial(Type.Object({ ...AllQuery.properties, from: words(''), live: words('') }));

/** The filters that aren't empty. Other parameters are left out: they would be errors. */
export function readFilters(query: Filters) {
  const given = Object.keys(PageQuery.properties).map((name) => [name, query[name]?.trim() ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

const usual: readonly (readonly [string, Filters])[] = [
  ['All', {}],
  ['Rejected, 4xx', { status: '4xx' }],
  ['Failed, 5xx', { status: '5xx' }],
  ['Paths that aren’t served', { unmatched: 'true' }],
  ['Reached no sandbox', { sandbox: noSandbox }],
];

function renderFilters(url: string, filters: Filters, visit: Visit) {
  const isOfAll = visit.sandbox === strays;
  const { from = '', live = '' } = filters;
  const linkTo = (some: Filters) => urlWith(url, { ...some, from, live });
  const isChosen = (some: Filters) => linkTo(some) === linkTo(filters);
  const chips = isOfAll ? usual : usual.slice(0, -1);
  const isOfClients = from === '';
  const others = urlWith(url, { ...filters, from: isOfClients ? 'all' : '' });
  return html`<nav aria-label="Usual filters">
      ${parts.renderChips([
        ...chips.map(([label, some]) => parts.renderLink(linkTo(some), label, isChosen(some), 'true')),
        parts.renderLink(others, 'Clients only', isOfClients, 'true'),
      ])}
    </nav>
    <details class="narrow" ${!chips.some(([, some]) => isChosen(some)) && html`open`}>
      <summary>Filter</summary>
      <form class="filters row" method="get" action="${url}">
        ${Object.entries({ from, live }).map(
          ([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        ${(isOfAll ? texts : texts.slice(0, -1)).map(([name, label, example]) =>
          renderOwnField(visit, {
            id: name,
            label,
            control: parts.renderNameInput(filters[name], html`placeholder="${example}"`),
          }),
        )}
        <p class="actions row"><button>Filter</button> <a href="${linkTo({})}">Show all</a></p>
      </form>
    </details>`;
}

const texts = [
  ['text', 'Contains', 'a word of a body, header or error'],
  ['method', 'Method', 'POST'],
  ['path', 'Path', '/api/users/**'],
  ['query', 'Query contains', 'page=2'],
  ['status', 'Status', '404 or 4xx'],
  ['principal', 'User', 'alice'],
  ['fault', 'Fault', 'its name'],
  ['sandbox', 'Sandbox', 'job-17, or - for none'],
] as const;
