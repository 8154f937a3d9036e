// Answers that list requests: JSON, or a report for people. Entries are read one by one, as the client takes
// them, because a list may have 10 MB.
import { Readable } from 'node:stream';
import { Undo } from '../../base/undo.ts';
import type { Answer, Call } from '../../http/call.ts';
import { type KeptEntry, shownEntry } from '../entry.ts';
import { type Found, type Journal, strays } from './journal.ts';
import { describeJournal, type Dropped, mostInReport } from './messages.ts';
import { entriesOf } from './search.ts';
import { createHolds } from './waits.ts';

/** The most lists under way. Each list keeps a piece or two of text in memory. */
export const mostLists = { ofSandbox: 100, inAll: 300 };
const pieceLength = 16_384;
/** If a journal is empty, its report shows at most this many requests without a sandbox. */
const mostElsewhere = 5;

interface Listing {
  /** The answer's keys besides `requests`. */
  readonly head: Dropped;
  readonly found: readonly Found[];
  readonly show?: (kept: KeptEntry, found: Found) => object;
}

export type Lists = ReturnType<typeof createLists>;

/** @param readerMs if a client reads nothing for this long, its list is cut off */
export function createLists(journal: Journal, readerMs = 5000) {
  const hold = createHolds(mostLists, 'lists of requests');

  /** Lists the last requests that `search` finds. Throws ApiError 503 above `mostLists`. */
  return async (
    sandbox: string,
    { accept = '' }: Pick<Call, 'accept'>,
    limit: string | number | undefined,
    search: () => Promise<Listing>,
  ): Promise<Answer> => {
    await using stack = new Undo();
    stack.defer(hold(sandbox));
    const { head, found, show = shownEntry } = await search();
    // Only `text/plain` itself gets the report, because many clients accept any type.
    const isReport = /^text\/plain *(?:;[^,]*)?$/i.test(accept);
    const shown = lastOf(found, Number(limit ?? (isReport ? mostInReport : found.length)));
    const elsewhere =
      journal.open(sandbox).entries === 0 ? [...journal.open(strays).found()].slice(-mostElsewhere) : [];
    const texts = isReport
      ? describeJournal(
          { ...head, total: found.length },
          () => entriesOf(shown, shownEntry),
          await Array.fromAsync(entriesOf(elsewhere, shownEntry)),
        )
      : jsonOf(head, entriesOf(shown, show));
    const pieces = joined(texts);
    const type = isReport ? 'text/plain; charset=utf-8' : 'application/json';
    const answer = { status: 200, json: null, headers: { 'content-type': type } };
    const { value: first = '' } = await pieces.next();
    if (first.length < pieceLength) return { ...answer, content: first };
    const stream: Readable = Readable.from(readInTime());
    async function* readInTime() {
      const giveUp = () => stream.destroy(new Error(`a list was not read for ${readerMs} ms`));
      for (let piece: string | undefined = first; piece !== undefined; piece = (await pieces.next()).value) {
        using _limit = setTimeout(giveUp, readerMs).unref();
        yield piece;
      }
    }
    const release = stack.move();
    return { ...answer, content: stream.once('close', () => void release()) };
  };
}

export const lastOf = <T>(all: readonly T[], most: number) => (most === 0 ? [] : all.slice(-most));

/** An object as indented JSON, with `requests` at its end. */
async function* jsonOf(head: object, requests: AsyncIterable<object>): AsyncGenerator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "requests": [`;
  let isFirst = true;
  for await (const one of requests) {
    yield (isFirst ? '\n    ' : ',\n    ') + JSON.stringify(one, null, 2).replaceAll('\n', '\n    ');
    isFirst = false;
  }
  yield isFirst ? ']\n}\n' : '\n  ]\n}\n';
}

/** Joins texts into pieces of at least `pieceLength`, except the last piece. */
async function* joined(texts: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
