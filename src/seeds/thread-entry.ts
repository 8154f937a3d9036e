// The thread's side of seeds/yaml/thread.ts: calls one function and ends.
import { parentPort, workerData } from 'node:worker_threads';
import { checkSeed } from './format/read-seeds.ts';
import { readValue, type Task } from './yaml/thread.ts';

const functions = { checkSeed, readValue };
const { name, text } = workerData as Task;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of windows
parentPort?.postMessage(functions[name](text));
