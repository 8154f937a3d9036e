// One exchange in full: the request, the answer, a line that sends the request again, and an assertion for a test.
import { baseUrlOf } from '../../../access/which-sandbox.ts';
import { apiError } from '../../../errors.ts';
import { renderCopy, renderTokenHint } from '../../../pages/curl.ts';
import { html, type Html } from '../../../pages/html.ts';
import { renderJson } from '../../../pages/json.ts';
import { linksUnder } from '../../../pages/links.ts';
import { shownEntry, type JournalEntry } from '../../../traffic/journal/journal-entries.ts';
import { maxBodyLength, numberOf } from '../../../traffic/journal/journal.ts';
import type { Candidate } from '../../../traffic/journal/match.ts';
import { readJournal } from '../../../traffic/journal/search.ts';
import type { ConsoleServices, Page, Visit } from '../../console-page.ts';
import { asJavascript, asPython, matchFor } from './assertion.ts';
import { journalUrl } from './journal-page.ts';
import { renderStatus, renderTime, renderUser } from './journal-rows.ts';
import { repeat } from './repeat.ts';

export async function showExchange(visit: Visit, { database, journal, samples }: ConsoleServices): Promise<Page> {
  const { origin, params } = visit;
  const sandbox = params['name'] ?? '';
  const candidates = await readJournal(database.reads, journal, sandbox);
  const number = numberOf(params['entry'] ?? '');
  const at = candidates.findIndex(({ kept }) => kept.number === number);
  const candidate = candidates[at];
  if (candidate === undefined) throw apiError('not_found');
  const entry = shownEntry(candidate);
  const base = baseUrlOf(origin, sandbox);
  const url = journalUrl(origin, sandbox);
  const known = (await samples.of(sandbox)).find(({ username }) => username === candidate.username);
  return {
    title: `${entry.method} ${entry.path.slice(0, 100)}`,
    of: { sandbox, tab: 'requests' },
    assets: ['traffic.css'],
    main: html`<article class="kept" aria-labelledby="exchange">
      <h2 id="exchange" class="request"><span class="method">${entry.method}</span> ${targetOf(entry)}</h2>
      ${renderFacts(entry)} ${renderRequest(entry, candidate, base)} ${renderAnswer(entry, candidate, base)}
      ${renderRepeat(candidate, base, known?.token)} ${renderAssertion(candidate)}
      ${renderNeighbours(url, candidates[at + 1], candidates[at - 1])}
    </article>`,
  };
}

const targetOf = ({ path, query }: JournalEntry): string => (query === '' ? path : `${path}?${query}`);

const renderFacts = ({ at, status, duration_ms: duration, principal, fault, unmatched }: JournalEntry): Html =>
  html`<dl class="in-brief">
    <div>
      <dt>Status</dt>
      <dd>${renderStatus(status)}</dd>
    </div>
    <div>
      <dt>Time, UTC</dt>
      <dd>${renderTime(at)} <span class="faint">on ${at.slice(0, 10)}</span></dd>
    </div>
    <div>
      <dt>Duration</dt>
      <dd>${duration} ms</dd>
    </div>
    <div>
      <dt>User</dt>
      <dd>${renderUser(principal)}</dd>
    </div>
    ${
      fault === null
        ? undefined
        : html`<div>
            <dt>Fault</dt>
            <dd>${fault}</dd>
          </div>`
    }
    ${
      unmatched
        ? html`<div>
            <dt>Path</dt>
            <dd>not served</dd>
          </div>`
        : undefined
    }
  </dl>`;

function renderRequest(entry: JournalEntry, { kept }: Candidate, base: string): Html {
  const headers = [
    ...(kept.tokenHash === null
      ? []
      : [`Authorization: ${entry.principal === null ? 'a token of no user' : `a token of ${entry.principal}`}`]),
    ...(kept.contentType === null ? [] : [`Content-Type: ${kept.contentType}`]),
  ];
  return html`<section aria-labelledby="sent">
    <h3 id="sent">Request</h3>
    ${
      headers.length === 0
        ? undefined
        : html`<pre
            class="block"
            tabindex="0"
            role="group"
            aria-label="Headers of the request"
          ><code>${headers.join('\n')}</code></pre>`
    }
    ${renderBody(entry.request_body, kept.requestBody, base, 'Body of the request')}
    <p class="hint">The journal keeps no other headers.</p>
  </section>`;
}

const renderAnswer = (entry: JournalEntry, { kept }: Candidate, base: string): Html =>
  html`<section aria-labelledby="answered">
    <h3 id="answered">Response</h3>
    ${renderBody(entry.response_body, kept.responseBody, base, 'Body of the response')}
  </section>`;

function renderBody(shown: string | null, kept: string | null, base: string, label: string): Html {
  if (shown === null || kept === null) return html`<p class="nothing">No body.</p>`;
  const isCut = kept.length > maxBodyLength;
  const content = (isCut ? undefined : readJson(shown)) ?? { text: html`${shown}` };
  return html`<pre
      class="block"
      tabindex="0"
      role="group"
      aria-label="${label}"
    ><code>${'value' in content ? renderJson(content.value, linksUnder(base)) : content.text}</code></pre>
    ${isCut ? html`<p class="hint">Cut: the journal keeps the first ${maxBodyLength} characters of a body.</p>` : undefined}`;
}

/** The slice of Node's JSON that TypeScript's library doesn't declare yet. */
const exactJson = JSON as unknown as {
  parse(text: string, reviver: typeof keepNumbers): unknown;
  rawJSON(text: string): unknown;
};

function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: exactJson.parse(text, keepNumbers) };
  } catch {
    return undefined;
  }
}

/** As it was written, where it isn't the text of a number in JavaScript: 1.0, or one of twenty digits. */
function keepNumbers(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  const { source } = context;
  return typeof value === 'number' && source !== undefined && source !== JSON.stringify(value)
    ? exactJson.rawJSON(source)
    : value;
}

function renderRepeat({ kept }: Candidate, base: string, token: string | undefined): Html {
  const { line, missing } = repeat(kept, base, token);
  return html`<section aria-labelledby="repeat">
    <h3 id="repeat">Send it again</h3>
    ${renderTokenHint(line)} ${renderCopy(line, 'The request by curl')}
    ${missing.map((one) => html`<p class="hint">${one}</p>`)}
  </section>`;
}

function renderAssertion(candidate: Candidate): Html {
  const { match, reason } = matchFor(candidate);
  return html`<section aria-labelledby="assert">
    <h3 id="assert">Expect it in a test</h3>
    <h4>JavaScript</h4>
    ${renderCopy(asJavascript(match), 'Assertion in JavaScript')}
    <h4>Python</h4>
    ${renderCopy(asPython(match), 'Assertion in Python')}
    ${reason === undefined ? undefined : html`<p class="hint">${reason}</p>`}
  </section>`;
}

function renderNeighbours(url: string, newer: Candidate | undefined, older: Candidate | undefined): Html {
  const link = (candidate: Candidate | undefined, label: string) =>
    candidate === undefined ? undefined : html`<li><a href="${url}${shownEntry(candidate).id}/">${label}</a></li>`;
  return html`<nav aria-label="Other requests">
    <ul class="chips">
      <li><a href="${url}">All requests</a></li>
      ${link(newer, 'Newer')} ${link(older, 'Older')}
    </ul>
  </nav>`;
}
