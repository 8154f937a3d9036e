// What the threads of seeds/yaml/thread.ts run: each message names a function to call.
import { parentPort, workerData } from 'node:worker_threads';
import { prepareSeed } from './load/load-rows.ts';
import { readValue, type Task } from './yaml/thread.ts';
import { progress } from './yaml/yaml-text.ts';

const functions = { prepareSeed: (text: Task['text']) => prepareSeed(text), readValue };
progress.tokens = workerData as Int32Array<ArrayBuffer>;
parentPort?.on('message', ({ name, text }: Task) => {
  Atomics.add(progress.tokens, 0, 1);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for browser windows
  parentPort?.postMessage(functions[name](text));
});
