// Waiting searches: what wakes and what ends them, and how many there may be.
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'tap';
import { createJournal, type KeptEntry } from '../../src/traffic/journal/journal.ts';
import { createWaits, maxWaiting } from '../../src/traffic/journal/waits.ts';
import { keptEntry } from './kept-entry.ts';

const entry = (path: string) => keptEntry({ path });

const minute = 60_000;

function start() {
  const journal = createJournal(1 << 20);
  const ending = new AbortController();
  const waitFor = createWaits(journal, ending.signal);
  const wait = { sandbox: 'mine', withinMs: minute, after: 0, mayCount: (_entry: KeptEntry) => true };
  const begin = (given: Partial<typeof wait> & { left?: AbortSignal }) =>
    waitFor({ ...wait, ...given }, async () => false);
  return { journal, ending, waitFor, wait, begin };
}

await test('requests that may count wake it', async (t) => {
  // Waits alone don't keep the process alive.
  const awake = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(awake));
  const { journal, waitFor, wait } = start();
  const known = entry('/known');
  journal.add('mine', known);
  journal.add('mine', entry('/since'));
  const looks: string[][] = [];
  const isCertain = async (arrived: readonly KeptEntry[]) => looks.push(arrived.map(({ path }) => path)) === 3;
  const mayCount = ({ path }: KeptEntry) => path !== '/other';
  const waiting = waitFor({ ...wait, after: known.number, mayCount }, isCertain);
  t.strictSame(looks, [['/since']], 'what arrived since the search');
  await turn();
  journal.add('mine', entry('/other'));
  journal.add('yours', entry('/this'));
  await turn();
  t.equal(looks.length, 1);
  journal.add('mine', entry('/this'));
  journal.add('mine', entry('/that'));
  await turn();
  journal.add('mine', entry('/last'));
  t.equal(await waiting, false);
  t.strictSame(looks.slice(1), [['/this', '/that'], ['/last']], 'those that come together are looked at together');
});

await test('one that arrives while it looks', async (t) => {
  const { journal, waitFor, wait } = start();
  const looks: string[][] = [];
  journal.add('mine', entry('/first'));
  await waitFor(wait, async (arrived) => {
    looks.push(arrived.map(({ path }) => path));
    if (looks.length === 1) journal.add('mine', entry('/second'));
    return looks.length === 2;
  });
  t.strictSame(looks, [['/first'], ['/second']]);
});

await test('the time is over', async (t) => {
  const awake = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(awake));
  const { begin } = start();
  t.equal(await begin({ withinMs: 1 }), false);
});

await test('what ends it', async (t) => {
  const { journal, ending, begin } = start();
  for (const end of [() => journal.clear('mine'), () => journal.forget('mine')]) {
    const waiting = begin({});
    end();
    t.equal(await waiting, true, 'the journal was emptied');
  }
  const left = new AbortController();
  const waiting = begin({ left: left.signal });
  left.abort();
  t.equal(await waiting, false);
  t.equal(await begin({ left: left.signal }), false);

  const last = begin({});
  ending.abort();
  const message = 'Service temporarily unavailable.';
  await t.rejects(last, { message, headers: { connection: 'close' } });
  await t.rejects(begin({}), { message }, 'none begins');
});

await test('an error of the search', async (t) => {
  const { journal, waitFor, wait } = start();
  journal.add('mine', entry('/this'));
  await t.rejects(
    waitFor(wait, async () => {
      throw new Error('unavailable');
    }),
    { message: 'unavailable' },
  );
});

await test('how many may wait', async (t) => {
  const { journal, begin } = start();
  const all: Promise<boolean>[] = [];
  const fill = (sandbox: string) => {
    for (let n = 0; n < maxWaiting; n++) all.push(begin({ sandbox }));
  };
  const left = AbortSignal.abort();
  const isFull = (sandbox: string) =>
    begin({ sandbox, left }).then(
      () => false,
      ({ status }: { status: number }) => status === 503,
    );
  fill('mine');
  t.equal(await isFull('mine'), true);
  t.equal(await isFull('other'), false);
  for (const name of ['a', 'b', 'c', 'd']) fill(name);
  t.equal(await isFull('other'), true, 'of all sandboxes');
  journal.clear('mine');
  await Promise.allSettled(all.slice(0, maxWaiting));
  t.equal(await isFull('mine'), false);
  for (const name of ['a', 'b', 'c', 'd']) journal.clear(name);
  await Promise.allSettled(all);
});
