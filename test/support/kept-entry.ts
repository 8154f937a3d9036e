// Entries of the journal, for tests that make entries themselves.
import type { KeptEntry } from '../../src/traffic/entry.ts';
import type { Journal } from '../../src/traffic/journal/journal.ts';

interface Given extends Partial<KeptEntry> {
  readonly username?: string | undefined;
  readonly contentType?: string | null | undefined;
}

/** An anonymous GET that was answered 200, unless `given` differs. It arrived now by `startedAt`, and in 1970 by `at`. */
export const keptEntry = ({ username, contentType, ...given }: Given): KeptEntry => ({
  number: 0,
  at: 0,
  startedAt: performance.now(),
  durationMs: 1,
  method: 'GET',
  path: '/',
  query: '',
  status: 200,
  hasToken: username !== undefined,
  caller: username === undefined ? null : `7 ${username}`,
  unmatched: false,
  fault: null,
  hint: null,
  not_mirrored: null,
  error: null,
  from_page: false,
  request_headers: contentType ? { 'content-type': contentType } : {},
  response_headers: {},
  requestBody: null,
  responseBody: null,
  hadBody: typeof given.requestBody === 'string',
  areBodiesDropped: false,
  ...given,
});

/** The sandbox's entries in the journal, in the order of the answers. */
export const entriesOf = (journal: Journal, sandbox: string): KeptEntry[] =>
  Array.from(journal.open(sandbox).found(), (found) => found.journal.entryAt(found.position) as KeptEntry);
