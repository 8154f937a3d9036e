// The requests of all sandboxes together, with those that reached none.
import { Type } from '@sinclair/typebox';
import { nullable } from '../http/operation.ts';
import { JournalEntry, type KeptEntry } from './entry.ts';
import { droppedCounts, JournalQuery } from './journal/journal-entries.ts';
import { type Journal, strays } from './journal/journal.ts';
import { find, readSince } from './journal/search.ts';
import type { Matcher } from './match.ts';
import { words } from './request-match.ts';

/** Of the last requests, as many as the journal of one sandbox keeps. */
export const mostOfAll = 5000;
/** In place of a name: of requests that reached no sandbox. No sandbox has this name. */
export const noSandbox = '-';

export const AllQuery = Type.Partial(
  Type.Object({
    ...JournalQuery.properties,
    sandbox: words(`The name of one, or \`${noSandbox}\` for requests that reached none.`),
  }),
);

export const RequestsOfAll = Type.Object(
  {
    ...droppedCounts,
    requests: Type.Array(
      Type.Object({
        sandbox: nullable(Type.String(), { description: 'Null if it reached none.' }),
        ...JournalEntry.properties,
      }),
    ),
  },
  { $id: 'RequestsOfAll' },
);

/** A request with its sandbox, or `strays`. */
export interface Located {
  readonly sandbox: string;
  readonly kept: KeptEntry;
}

/**
 * Those that match, oldest first.
 * @param chosen one sandbox alone, or `noSandbox`
 * @param id of a request: only those that arrived later
 */
export async function findInAll(journal: Journal, matcher: Matcher, chosen?: string, id?: string) {
  const names = chosen === undefined ? journal.sandboxes() : [chosen === noSandbox ? strays : chosen];
  const after = Math.max(0, journal.lastNumber() - mostOfAll);
  const since = readSince(journal, names, id);
  const found: Located[] = [];
  const counts = { dropped: 0, dropped_bodies: 0 };
  for (const sandbox of names) {
    const matching = await find(journal, sandbox, matcher, (head) => head.number > after && head.startedAt > since);
    found.push(...matching.map((kept) => ({ sandbox, kept })));
    const { dropped, dropped_bodies: bodies } = journal.droppedOf(sandbox, since);
    counts.dropped += dropped;
    counts.dropped_bodies += bodies;
  }
  return { found: found.toSorted((a, b) => a.kept.startedAt - b.kept.startedAt), ...counts };
}
