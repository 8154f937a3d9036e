// Requests that share a statement: order, fairness, weights, and an error that concerns one request alone.
import { setImmediate as turn } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { type BatchOptions, shareStatements } from '../../src/database/batch.ts';

/** A sender whose batches wait for the test; the result of a request is the request. */
function heldSender() {
  const sent: { requests: number[]; answer: () => void; fail: (error: unknown) => void }[] = [];
  const send = (requests: number[]) =>
    new Promise<number[]>((resolve, reject) => sent.push({ requests, answer: () => resolve(requests), fail: reject }));
  return { sent, send };
}

/** Answers each batch in a turn of its own, until this many requests were sent. */
async function answerAll(sent: ReturnType<typeof heldSender>['sent'], requests: number): Promise<number[][]> {
  const batches: number[][] = [];
  while (batches.flat().length < requests) {
    await turn();
    const batch = sent.shift();
    if (batch === undefined) continue;
    batches.push(batch.requests);
    batch.answer();
  }
  return batches;
}

const plain: Omit<BatchOptions<number, number>, 'send'> = { weigh: () => 1, isOneRequestsError: () => false };

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

await test('two batches are in flight, and requests that arrive meanwhile form the next, in order', async (t) => {
  const { sent, send } = heldSender();
  const ask = shareStatements({ ...plain, send });
  const answers = range(1, 20).map((n) => ask(n));
  await turn();
  t.same(
    sent.map(({ requests }) => requests),
    [[1], range(2, 13)],
  );
  answers.push(ask(21));
  await turn();
  t.equal(sent.length, 2, 'not more than two');
  sent[1]?.answer();
  t.same(await Promise.all(answers.slice(1, 13)), range(2, 13), 'the second needn’t wait for the first');
  t.same(sent[2]?.requests, range(14, 21));
  sent[0]?.answer();
  sent[2]?.answer();
  t.same(await Promise.all(answers), range(1, 21), 'each gets its own answer');
});

await test('a lone request goes out at once', async (t) => {
  const { sent, send } = heldSender();
  const ask = shareStatements({ ...plain, send });
  const answer = ask(7);
  t.same(sent[0]?.requests, [7]);
  sent[0]?.answer();
  t.equal(await answer, 7);
});

await test('the first request is always admitted, the others while their weights fit', async (t) => {
  const { sent, send } = heldSender();
  const ask = shareStatements({ ...plain, send, weigh: (n) => n, maxWeight: 10, maxInFlight: 1 });
  const answers = [50, 3, 3, 3, 3, 10, 1].map((n) => ask(n));
  t.same(await answerAll(sent, answers.length), [[50], [3, 3, 3], [3], [10], [1]]);
  t.same(await Promise.all(answers), [50, 3, 3, 3, 3, 10, 1]);
});

await test('a long queue makes batches twice as large', async (t) => {
  const { sent, send } = heldSender();
  const ask = shareStatements({ ...plain, send, maxRequests: 2, maxInFlight: 1 });
  const answers = range(1, 9).map((n) => ask(n));
  t.same(await answerAll(sent, answers.length), [[1], [2, 3, 4, 5], [6, 7], [8, 9]]);
  t.same(await Promise.all(answers), range(1, 9));
});

async function settle(t: Test, isOneRequestsError: boolean): Promise<{ results: string[]; batches: number[][] }> {
  const batches: number[][] = [];
  const ask = shareStatements<number, number>({
    weigh: () => 1,
    isOneRequestsError: () => isOneRequestsError,
    send: async (requests) => {
      batches.push(requests);
      if (requests.includes(13)) throw new Error('unlucky');
      return requests;
    },
  });
  const settled = await Promise.allSettled([10, 11, 12, 13, 14].map((n) => ask(n)));
  t.equal(await ask(15), 15, 'the next one goes on');
  return {
    results: settled.map((one) => (one.status === 'fulfilled' ? `${one.value}` : `${one.reason.message}`)),
    batches,
  };
}

await test('one bad request fails alone', async (t) => {
  t.same(await settle(t, true), {
    results: ['10', '11', '12', 'unlucky', '14'],
    batches: [[10], [11, 12, 13, 14], [11], [12], [13], [14], [15]],
  });
});

await test('an error that no request caused fails them all, and nothing is sent again', async (t) => {
  t.same(await settle(t, false), {
    results: ['10', 'unlucky', 'unlucky', 'unlucky', 'unlucky'],
    batches: [[10], [11, 12, 13, 14], [15]],
  });
});
