// Turns of sandboxes, and the threads that read large texts in them.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { test } from 'tap';
import { programFile } from '../../src/base/files.ts';
import { createTurns } from '../../src/seeds/turns.ts';
import { prepareSeed, readSeedText } from '../../src/seeds/load/load-rows.ts';
import { createThreads } from '../../src/seeds/yaml/thread.ts';
import { openYaml } from '../../src/seeds/yaml/yaml-text.ts';

const task = { name: 'readValue', text: { text: 'a: 1', file: 'body' } } as const;

await test('a sandbox with much work holds up no other', async (t) => {
  const turns = createTurns({ atOnce: 2, ownAtOnce: 1, waiting: 4, ownWaiting: 2 }, 'reading_limit');
  const order: string[] = [];
  const take = async (name: string, signal?: AbortSignal) => {
    const held = await turns.take(name.charAt(0), signal);
    order.push(name);
    return held;
  };
  const left = new AbortController();
  const [a1, a2, a3, b1] = [take('a1'), take('a2'), take('a3'), take('b1')];
  await t.rejects(take('a4'), /Too many large texts/, 'two of a sandbox wait at most');
  const c1 = take('c1');
  const b2 = take('b2');
  await t.rejects(take('d1'), /Too many large texts/, 'and four in all');
  (await b1)[Symbol.dispose]();
  await c1;
  t.strictSame(order, ['a1', 'b1', 'c1'], 'not a2, whose sandbox has its turn');
  (await a1)[Symbol.dispose]();
  (await a2)[Symbol.dispose]();
  (await b2)[Symbol.dispose]();
  t.strictSame(order, ['a1', 'b1', 'c1', 'a2', 'b2'], 'not a3 before b2, though it came first');
  const a4 = take('a4', left.signal);
  await t.rejects(
    Promise.all([a3.then(async () => turn()), a4, Promise.resolve(left.abort(new Error('left')))]),
    /left/,
    'one that waits ends with its client',
  );
  (await c1)[Symbol.dispose]();
});

await test('threads', async (suite) => {
  // Reads `never` for ever, `never begin` not even that, `fail` not at all; others at once, and tells which thread did.
  const program = join(suite.testdir(), 'program.mjs');
  await writeFile(
    program,
    `import { parentPort, threadId, workerData } from 'node:worker_threads';
    parentPort.on('message', ({ text: { text } }) => {
      if (text !== 'never begin') Atomics.add(workerData, 0, 1);
      if (text === 'fail') throw new Error('failed');
      if (!text.startsWith('never')) parentPort.postMessage(threadId);
    });`,
  );
  const textTask = (text: string) => ({ ...task, text: { text, file: 'body' } });

  await suite.test('one stays for the next text', async (t) => {
    const call = createThreads(program);
    const first = await call(textTask('x'), { sandbox: 'a' });
    t.equal(await call(textTask('x'), { sandbox: 'b' }), first);
    const both = await Promise.all(['a', 'b'].map((sandbox) => call(textTask('x'), { sandbox })));
    t.not(both[0], both[1], 'two at once');
    await t.rejects(call(textTask('fail'), { sandbox: 'a' }), { message: 'failed' });
    t.not(await call(textTask('x'), { sandbox: 'a' }), undefined, 'another one takes its place');
  });

  await suite.test('one without work ends', async (t) => {
    const call = createThreads(program, 10);
    const started = once(process, 'worker');
    await call(textTask('x'), { sandbox: 'a' });
    const [worker] = (await started) as [Worker];
    while (worker.threadId !== -1) await sleep(5);
    t.pass('it has ended');
  });

  await suite.test('a text that does not advance is an error', async (t) => {
    const call = createThreads(program, 200);
    await call(textTask('x'), { sandbox: 'a' });
    t.match(await call(textTask('never'), { sandbox: 'a' }), {
      errors: [{ file: 'body', line: 1, message: /doesn't advance: for 5 seconds/ }],
    });
    t.match(await createThreads(program, 20)(textTask('never begin'), { sandbox: 'a' }), {
      errors: [{ message: /takes more than 20 seconds/ }],
    });
  });

  await suite.test('the work ends with its client, and the next in turn begins', async (t) => {
    const call = createThreads(program);
    const left = new AbortController();
    const running = call(textTask('never'), { sandbox: 'a', left: left.signal });
    const next = call(textTask('x'), { sandbox: 'a' });
    await call(textTask('x'), { sandbox: 'b' });
    left.abort(new Error('left'));
    await t.rejects(running, { message: 'left' });
    t.type(await next, 'number');
  });

  await suite.test('long texts leave a thread to others', async (t) => {
    const call = createThreads(program);
    const left = new AbortController();
    const first = await call(textTask('x'), { sandbox: 'c' });
    const long = ['a', 'b'].map((sandbox) => call(textTask('never'.padEnd(200_000)), { sandbox, left: left.signal }));
    const ended = Promise.allSettled(long);
    await turn();
    const read = await call(textTask('x'), { sandbox: 'c' });
    left.abort(new Error('left'));
    t.match(await ended, [{ reason: { message: 'left' } }, { reason: { message: 'left' } }]);
    t.equal(read, first, 'one that runs already');
  });

  await suite.test('the real one counts its tokens', async (t) => {
    const { Worker } = await import('node:worker_threads');
    const tokens = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(programFile('seeds/thread-entry.ts'), { workerData: tokens });
    worker.postMessage(task, []);
    const [result] = (await once(worker, 'message')) as unknown[];
    t.strictSame(result, { value: { a: 1 }, errors: [] });
    t.ok((tokens[0] ?? 0) > 3);
    await worker.terminate();
  });
});

await test('aliases and maps of many keys are read in linear time', async (t) => {
  // What stands behind an anchor is looked at once.
  const read = (text: string) => openYaml({ text, file: 's' }).read();
  const many = Array.from({ length: 5000 }, (_, i) => i);
  t.equal(read(`x: &a 1\ny: [${many.map(() => '*a').join()}]`).errors.length, 0, 'more than a thousand');
  const keys = read(`{ ${many.map((i) => `k${i}: 1,`).join(' ')} }`);
  t.equal(Object.keys(keys.value as object).length, 5000);
  t.match(read('{a: 1, b: 2, a: 3}').errors, [{ line: 1, column: 14, message: 'the key a is there twice' }]);
  const { errors } = read('a: &a [x, &b y]\nb: [*a, *b, *c]');
  t.strictSame(errors, [{ line: 2, column: 13, message: 'no anchor &c stands before this alias' }]);
  t.strictSame(read('a: &a [x, &b {c: y}]\nd: [*a, *b]\n__proto__: 1').value, {
    a: ['x', { c: 'y' }],
    d: [['x', { c: 'y' }], { c: 'y' }],
    ['__proto__']: 1,
  });
});

await test('a small text that stands for much is read by a thread', async (t) => {
  const all = '{ notifications: all, scopes: [all, watched, administered] }';
  const text = `users:\n${Array.from({ length: 60 }, (_, i) => `- { username: u${i}, subscriptions: [${all}] }\n`).join('')}`;
  t.ok(text.length < 8192);
  t.equal(prepareSeed({ text, file: 's' }, 500), undefined, 'not in the loop');
  const rows = await readSeedText({ text, file: 's' }, { sandbox: 's' });
  t.match(rows.tables.at(3), { table: 'users', count: 60 });
  t.ok((rows.tables.at(4)?.count ?? 0) > 500);
});
