// The thread's side of thread.ts: calls one function of one module and ends.
import { parentPort, workerData } from 'node:worker_threads';
import type { Task } from './thread.ts';

const { module, name, argument } = workerData as Task;
const loaded = (await import(module)) as Record<string, (given: unknown) => unknown>;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of windows
parentPort?.postMessage(loaded[name]?.(argument));
