// Waiting searches: what wakes them, what ends them, and their maximum.
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'tap';
import { createJournal } from '../../src/traffic/journal/journal.ts';
import { createWaits, maxWaiting } from '../../src/traffic/journal/waits.ts';
import { keptEntry } from '../support/kept-entry.ts';

const entry = (path: string) => keptEntry({ path });

const minute = 60_000;

function start() {
  const journal = createJournal(1 << 20);
  const ending = new AbortController();
  const waitFor = createWaits(journal, ending.signal);
  const wait = { sandbox: 'mine', withinMs: minute };
  const begin = (given: Partial<typeof wait> & { left?: AbortSignal }) => waitFor({ ...wait, ...given }, () => false);
  return { journal, ending, waitFor, wait, begin };
}

await test('each new request is checked, until one makes the result certain', async (t) => {
  const { journal, waitFor, wait } = start();
  journal.add('mine', entry('/before'));
  const looks: string[] = [];
  const waiting = waitFor(wait, ({ path }) => looks.push(path) === 2);
  journal.add('mine', entry('/this'));
  journal.add('yours', entry('/other'));
  t.strictSame(looks, [], 'not before the request is answered');
  while (looks.length === 0) await turn();
  t.strictSame(looks, ['/this']);
  journal.add('mine', entry('/that'));
  t.equal(await waiting, false);
  journal.add('mine', entry('/after'));
  for (let n = 0; n < 10; n++) await turn();
  t.strictSame(looks, ['/this', '/that']);
});

await test('a wait ends when its time is over', async (t) => {
  const awake = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(awake));
  const { begin } = start();
  t.equal(await begin({ withinMs: 1 }), false);
});

await test('a wait ends with its journal, its client and the service', async (t) => {
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
  const message = 'Service temporarily unavailable: the service ends.';
  await t.rejects(last, { message, headers: { connection: 'close' } });
  await t.rejects(begin({}), { message }, 'none begins');
});

await test('the number of waits is limited', async (t) => {
  const { journal, begin } = start();
  const all: Promise<boolean>[] = [];
  const fill = (sandbox: string) => {
    for (let n = 0; n < maxWaiting.ofSandbox; n++) all.push(begin({ sandbox }));
  };
  const left = AbortSignal.abort();
  const isFull = (sandbox: string) =>
    begin({ sandbox, left }).then(
      () => false,
      ({ message }: Error) => message === 'There are too many searches that wait. Retry when one has ended.',
    );
  fill('mine');
  t.equal(await isFull('mine'), true);
  t.equal(await isFull('other'), false);
  for (const name of ['a', 'b', 'c', 'd']) fill(name);
  t.equal(await isFull('other'), true, 'of all sandboxes');
  journal.clear('mine');
  await Promise.allSettled(all.slice(0, maxWaiting.ofSandbox));
  t.equal(await isFull('mine'), false);
  for (const name of ['a', 'b', 'c', 'd']) journal.clear(name);
  await Promise.allSettled(all);
});
