// The thread that reads one large text and ends.
import { parentPort, workerData } from 'node:worker_threads';
import { checkSeed, readValue, type Task } from './read-text.ts';

const task = workerData as Task;
const result = task.kind === 'seed' ? checkSeed(task) : readValue(task);
// The words of a fault are made when they are read, and a message carries no functions.
const isFaulty = 'faults' in result;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of windows
parentPort?.postMessage(isFaulty ? { ...result, faults: result.faults.map((fault) => ({ ...fault })) } : result);
