// Lists of requests as answers: as JSON, or as the report of a failed test.
import type { Answer, Call } from '../../http/call.ts';
import { shown } from '../../http/own.ts';
import type { JournalEntry } from '../entry.ts';
import type { Journal } from './journal.ts';
import { describeJournal, mostInReport } from './messages.ts';

/** Whether the answer is the report. It is asked for by exactly its type, for many clients take any. */
export const wantsReport = ({ accept = '' }: Pick<Call, 'accept'>): boolean =>
  /^text\/plain *(?:;[^,]*)?$/i.test(accept);

export const reportOf = (listed: Parameters<typeof describeJournal>[0]): Answer => ({
  status: 200,
  json: null,
  content: `${describeJournal(listed)}\n`,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
});

/** The last of the requests that were found, at most as many as `limit` says. */
export function listOrReport<T>(
  call: Pick<Call, 'accept'>,
  limit: string | undefined,
  dropped: ReturnType<Journal['droppedOf']>,
  found: readonly T[],
  show: (one: T) => JournalEntry,
): Answer {
  const isReport = wantsReport(call);
  const requests = lastOf(found, Number(limit ?? (isReport ? mostInReport : found.length))).map(show);
  return isReport ? reportOf({ ...dropped, requests, total: found.length }) : shown({ ...dropped, requests });
}

export const lastOf = <T>(all: readonly T[], most: number): T[] => all.slice(Math.max(0, all.length - most));
