// Streams of what arrives in a journal, for people who watch it. However many requests arrive, a stream is a few small
// pieces a second: what a window can show and a person can read.
import { Readable } from 'node:stream';
import { createHolds } from './holds.ts';
import type { Journal, KeptEntry } from './journal.ts';

/** What happened since the last piece. */
export interface News {
  /** The last ones that arrived, oldest first. */
  readonly entries: readonly KeptEntry[];
  /** How many arrived before those and are left out. */
  readonly skipped: number;
  /** What the client has is outdated: the journal was emptied, or doesn't reach back to it. */
  readonly isFresh: boolean;
  /** Up to where the client knows the journal now. */
  readonly upTo: number;
}

interface Following {
  readonly sandbox: string;
  /** A request for which this is false is no news. */
  readonly mayFit: (entry: KeptEntry) => boolean;
  /** The number of the last entry that the client has. Undefined: what it has is not of this process. */
  readonly after: number | undefined;
  /** Aborts when the client disconnects. */
  readonly left: AbortSignal;
  /**
   * What is sent: at the beginning and as a heartbeat, without news, and for each piece of them.
   */
  readonly write: (news: News | undefined) => Promise<{ readonly text: string; readonly isLast?: boolean }>;
}

export const mostStreams = { ofSandbox: 20, inAll: 100 };
/** Of one piece. */
export const mostEntries = 25;

const usual = {
  /** Between two pieces. */
  pauseMs: 250,
  /** Proxies close a connection that stays silent, often after a minute. */
  beatMs: 15_000,
  /** A client that reads nothing for so long is disconnected. */
  readMs: 30_000,
};

export type Follow = ReturnType<typeof createFollow>;

/**
 * @param ending aborted when the service ends, which ends all streams at once
 * @param inAll how many streams there may be
 */
export function createFollow(
  journal: Pick<Journal, 'watch' | 'list'>,
  ending: AbortSignal,
  inAll = mostStreams.inAll,
  { pauseMs, beatMs, readMs }: typeof usual = usual,
) {
  const hold = createHolds(ending, { ofSandbox: mostStreams.ofSandbox, inAll });

  /** Pieces are made as the client reads them; until then the journal's changes are only counted. @throws ApiError 503 */
  return ({ sandbox, mayFit, after, left, write }: Following): Readable => {
    const state = { entries: [] as KeptEntry[], skipped: 0, isFresh: false, upTo: after ?? 0 };
    let isOver = false;
    let isFirst = true;
    let isUnread = false;
    let unreadTimer: NodeJS.Timeout | undefined;
    let wake = () => {};
    let wakeAtEnd = () => {};

    const hasNews = () => state.isFresh || state.entries.length > 0;
    function add(entry: KeptEntry): void {
      state.upTo = Math.max(state.upTo, entry.number);
      if (!mayFit(entry)) return;
      state.entries.push(entry);
      if (state.entries.length > mostEntries) {
        state.entries.shift();
        state.skipped++;
      }
      wake();
    }
    function takeNews(): News {
      const news = { ...state };
      Object.assign(state, { entries: [], skipped: 0, isFresh: false });
      return news;
    }
    function end(): void {
      isOver = true;
      wake();
      wakeAtEnd();
      // Nothing resumes a piece that isn't read.
      if (isUnread) stream.destroy();
    }
    const rest = (ms: number, isWokenByNews: boolean) =>
      new Promise<void>((resolve) => {
        const stop = () => (clearTimeout(timer), resolve());
        const timer = setTimeout(resolve, ms).unref();
        wakeAtEnd = stop;
        wake = isWokenByNews ? stop : () => {};
      });

    /** Undefined at the end. */
    async function makePiece(): Promise<string | undefined> {
      if (!isFirst) {
        await rest(pauseMs, false);
        if (!isOver && !hasNews()) await rest(beatMs, true);
      }
      if (isOver) return undefined;
      const { text, isLast = false } = await write(!isFirst && hasNews() ? takeNews() : undefined);
      isFirst = false;
      isOver ||= isLast;
      return text;
    }

    async function push(): Promise<void> {
      const text = await makePiece();
      if (text !== undefined) {
        isUnread = true;
        unreadTimer = setTimeout(() => stream.destroy(), readMs).unref();
      }
      stream.push(text ?? null);
    }

    const stream = new Readable({
      highWaterMark: 1,
      // Called when the piece before was read.
      read() {
        clearTimeout(unreadTimer);
        isUnread = false;
        void push().catch((error: Error) => stream.destroy(error));
      },
      destroy(error, done) {
        clearTimeout(unreadTimer);
        letGo();
        stopWatching();
        end();
        done(error);
      },
    });
    const letGo = hold(sandbox, () => end());
    const stopWatching = journal.watch(sandbox, {
      added: add,
      emptied: () => {
        Object.assign(state, { entries: [], skipped: 0, isFresh: true });
        wake();
      },
    });
    const kept = journal.list(sandbox);
    state.isFresh = after === undefined || (after > 0 && !kept.some(({ number }) => number <= after));
    for (const entry of kept) if (entry.number > (after ?? 0)) add(entry);

    if (left.aborted) stream.destroy();
    left.addEventListener('abort', () => stream.destroy(), { once: true });
    return stream;
  };
}
