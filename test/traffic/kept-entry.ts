// An entry of the journal, for tests that make their own.
import type { KeptEntry } from '../../src/traffic/journal/journal.ts';

/** An anonymous GET that arrives now and is answered 200, unless told otherwise. */
export const keptEntry = (given: Partial<KeptEntry>): KeptEntry => ({
  number: 0,
  at: 0,
  startedAt: performance.now(),
  durationMs: 1,
  method: 'GET',
  path: '/',
  search: '',
  status: 200,
  tokenHash: null,
  unmatched: false,
  fault: null,
  requestBody: null,
  contentType: null,
  responseBody: null,
  ...given,
});
