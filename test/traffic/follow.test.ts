// Live streams of a journal: what a piece has, how many there are, and what ends them.
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type Test, test } from 'tap';
import { createFollow, mostEntries, mostStreams, type News } from '../../src/traffic/journal/follow.ts';
import { createJournal } from '../../src/traffic/journal/journal.ts';
import { keptEntry } from './kept-entry.ts';

const never = 60_000;
const quick = { pauseMs: 1, beatMs: never, readMs: never };

function start(t: Test, timing = quick, inAll = mostStreams.inAll) {
  // Streams alone don't keep the process alive.
  const awake = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(awake));
  const journal = createJournal(1000);
  const ending = new AbortController();
  const follow = createFollow(journal, ending.signal, inAll, timing);
  const add = (path: string, sandbox = 'mine') => journal.add(sandbox, keptEntry({ path }));
  const open = (given: Partial<Parameters<typeof follow>[0]> = {}) => {
    const news: (News | undefined)[] = [];
    const left = new AbortController();
    const stream = follow({
      sandbox: 'mine',
      mayFit: () => true,
      after: 0,
      left: left.signal,
      write: async (one) => (news.push(one), { text: one === undefined ? 'beat\n' : `${pathsOf(one).join(' ')}\n` }),
      ...given,
    });
    return { stream, news, left };
  };
  const newest = () => Math.max(0, ...journal.list('mine').map(({ number }) => number));
  return { journal, ending, follow, add, open, newest };
}

const pathsOf = ({ entries }: News) => entries.map(({ path }) => path);

/** Reads until the text fits. */
async function readUntil(stream: Readable, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (pattern.test(text)) return text;
  }
  throw new Error(`it ended after ${text}`);
}

await test('what arrives', async (t) => {
  const { add, open, newest, journal } = start(t);
  add('/before');
  const { stream, news } = open({ after: newest(), mayFit: ({ path }) => path !== '/other' });
  t.equal(await readUntil(stream, /\n/), 'beat\n', 'it begins at once');
  add('/other');
  add('/yours', 'yours');
  add('/a');
  t.equal(await readUntil(stream, /\n/), '/a\n');
  t.match(news[1], { skipped: 0, isFresh: false, upTo: newest() });
  add('/b');
  add('/c');
  t.equal(await readUntil(stream, /\/c\n/), '/b /c\n', 'those that come together are one piece');
  journal.clear('mine');
  add('/new');
  await readUntil(stream, /\/new\n/);
  t.match(news.at(-1), { isFresh: true }, 'what the client has is gone');
  journal.forget('mine');
  await readUntil(stream, /\n/);
  t.match(news.at(-1), { isFresh: true, entries: [] });
  stream.destroy();
});

await test('thousands at once are a few pieces', async (t) => {
  const { add, open, newest } = start(t);
  const { stream, news } = open();
  await readUntil(stream, /beat/);
  for (let n = 0; n < 5000; n++) add(`/${n}`);
  await readUntil(stream, /\/4999\n/);
  const pieces = news.filter((one) => one !== undefined);
  t.equal(pieces.length, 1);
  t.match(pieces[0], { skipped: 5000 - mostEntries, upTo: newest() });
  t.equal(pieces[0]?.entries.length, mostEntries);
  stream.destroy();
});

await test('where a client goes on', async (t) => {
  const { add, open, newest, journal } = start(t);
  const first = async (after: number | undefined) => {
    const { stream, news } = open({ after });
    await readUntil(stream, /\/.*\n/);
    stream.destroy();
    const [, { entries, isFresh }] = news as [undefined, News];
    return [entries.map(({ path }) => path), isFresh];
  };
  add('/a');
  const after = newest();
  add('/b');
  t.strictSame(await first(after), [['/b'], false], 'after what it has');
  t.strictSame(await first(0), [['/a', '/b'], false], 'it had nothing');
  t.strictSame(await first(undefined), [['/a', '/b'], true], 'what it has is of another process');
  journal.clear('mine');
  add('/c');
  t.strictSame(await first(after), [['/c'], true], 'the journal was emptied meanwhile');
});

await test('a heartbeat', async (t) => {
  const { open } = start(t, { ...quick, beatMs: 1 });
  const { stream } = open();
  await readUntil(stream, /(?:beat\n){3}/);
  stream.destroy();
});

await test('a client that reads nothing', async (t) => {
  const { add, open } = start(t, { ...quick, readMs: 20 });
  const { stream, news } = open();
  const closed = once(stream, 'close');
  // Something reads the first piece and then nothing, like a response whose client is too slow.
  stream.once('readable', () => undefined);
  for (let n = 0; n < 5000; n++) {
    add(`/${n}`);
    if (n % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await closed;
  t.ok(news.length <= 3, `${news.length} pieces were made`);
});

await test('what ends it', async (t) => {
  const { journal, ending, open, add } = start(t);
  let watched = 0;
  const watch = journal.watch.bind(journal);
  journal.watch = (...args) => {
    watched++;
    const stop = watch(...args);
    return () => (watched--, stop());
  };
  const idle = open();
  await readUntil(idle.stream, /beat/);
  const left = once(idle.stream, 'close');
  idle.left.abort();
  await left;

  const gone = open({ left: AbortSignal.abort() });
  await once(gone.stream, 'close');

  const last = open({ write: async () => ({ text: 'last', isLast: true }) });
  t.equal((await last.stream.toArray()).join(''), 'last');

  const failing = open({ write: async () => Promise.reject(new Error('unavailable')) });
  await t.rejects(failing.stream.toArray(), { message: 'unavailable' });

  const read = open();
  await readUntil(read.stream, /beat/);
  const unread = open();
  const ends = [once(unread.stream, 'close'), read.stream.toArray()];
  await new Promise((resolve) => unread.stream.once('readable', resolve));
  add('/more');
  ending.abort();
  await Promise.all(ends);
  await open()
    .stream.toArray()
    .then(() => t.pass('none begins'));
  t.equal(watched, 0, 'nothing watches the journal any more');
});

await test('how many there may be', async (t) => {
  const { open } = start(t, quick, mostStreams.ofSandbox + 1);
  const isFull = (sandbox: string) => {
    try {
      open({ sandbox }).stream.destroy();
      return false;
    } catch (error) {
      t.match(error, { status: 503, headers: { 'retry-after': '1' } });
      return true;
    }
  };
  const streams = Array.from({ length: mostStreams.ofSandbox }, () => open().stream);
  t.equal(isFull('mine'), true);
  const other = open({ sandbox: 'other' }).stream;
  t.equal(isFull('third'), true, 'of all sandboxes');
  const closed = once(other, 'close');
  other.destroy();
  await closed;
  t.equal(isFull('third'), false);
  for (const stream of streams) stream.destroy();
});
