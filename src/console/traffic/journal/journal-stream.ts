// The journal's page, live: new rows as server-sent events.
import { checkValue } from '../../../api/body/check-value.ts';
import { ApiError } from '../../../errors.ts';
import { html, type Html } from '../../../pages/html.ts';
import { getSandboxId } from '../../../sandboxes/sandboxes.ts';
import type { News } from '../../../traffic/journal/follow.ts';
import { JournalQuery, matchOf, shownEntry } from '../../../traffic/journal/journal-entries.ts';
import { idOf, numberOf } from '../../../traffic/journal/journal.ts';
import { compileMatch } from '../../../traffic/journal/match.ts';
import { describeEntries } from '../../../traffic/journal/search.ts';
import type { ConsoleAnswer, ConsoleServices, Visit } from '../../console-page.ts';
import { filtersIn, queryOf } from './journal-filters.ts';
import { journalUrl } from './journal-page.ts';
import { renderGap, renderRow } from './journal-rows.ts';

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A proxy must pass on each event at once.
  'x-accel-buffering': 'no',
  // Or the connection would hold up the service's end.
  connection: 'close',
};

export async function streamJournal(visit: Visit, { database, follow }: ConsoleServices): Promise<ConsoleAnswer> {
  const { origin, query } = visit;
  const sandbox = visit.params['name'] ?? '';
  const filters = filtersIn(query);
  const { fits, mayFit } = compileMatch(matchOf(checkValue(JournalQuery, filters)));
  await getSandboxId(database.reads, sandbox);
  const url = journalUrl(origin, sandbox);

  async function write(news: News | undefined) {
    if (!(await visit.isAdmitted())) return { text: over('You are signed out.'), isLast: true };
    if (news === undefined) return { text: ':\n\n' };
    try {
      const described = await describeEntries(database.reads, sandbox, news.entries);
      const rows = described
        .filter(fits)
        .toReversed()
        .map((one) => renderRow(shownEntry(one), url));
      const gap = news.skipped > 0 ? renderGap(news.skipped, url + queryOf(filters)) : undefined;
      return { text: eventOf(idOf(news.upTo), renderChange(html`${rows}${gap}`, news.isFresh)) };
    } catch (error) {
      if (error instanceof ApiError && error.status === 404)
        return { text: over('The sandbox was deleted.'), isLast: true };
      throw error;
    }
  }

  const after = numberOf(visit.lastEventId ?? query['after'] ?? '');
  const content = follow({ sandbox, mayFit, after, left: visit.idle(), write });
  return { content, headers };
}

/** Rows before those that the page has, or instead of them. */
const renderChange = (rows: Html, isFresh: boolean): Html =>
  html`<hx-partial hx-target="#requests" hx-swap="${isFresh ? 'innerHTML' : 'afterbegin'}">${rows}</hx-partial>`;

const eventOf = (id: string, { text }: Html): string =>
  `id: ${id}\n${text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;

/** Ends it for good: the browser doesn't connect again. */
const over = (why: string): string => `event: over\ndata: ${why}\n\n`;
