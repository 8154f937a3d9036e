// The program of the threads of seeds/yaml/thread.ts: calls a function for each message.
import { parentPort, workerData } from 'node:worker_threads';
import { prepareSeed } from './load/load-rows.ts';
import { readValue, type Task } from './yaml/thread.ts';
import { progress } from './yaml/yaml-text.ts';

const functions = { prepareSeed: (text: Task['text']) => prepareSeed(text), readValue };
progress.tokens = workerData as Int32Array<ArrayBuffer>;
parentPort?.on('message', ({ name, text }: Task) => {
  Atomics.add(progress.tokens, 0, 1);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of windows
  parentPort?.postMessage(functions[name](text));
});
