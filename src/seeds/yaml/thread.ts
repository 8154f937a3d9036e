// A thread reads large texts: a mebibyte of YAML would block all requests for half a second.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programFile } from '../../base/files.ts';
import { YamlText } from './yaml-text.ts';

export interface Task {
  /** One of the functions that `seeds/thread-entry.ts` knows. */
  readonly name: string;
  readonly argument: unknown;
}

/** The text takes more time or memory than it is worth. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly';
}

// Up to this size, reading takes some milliseconds, at worst 60. Starting a thread takes 100.
const maxLengthAtOnce = 8192;

// One at a time takes the memory of one.
let last: Promise<unknown> = Promise.resolve();

/**
 * What the function makes of its argument, a text or what holds one. A thread calls it by its name if the text is large,
 * with limits that grow with its length. Throws TooCostly.
 */
export async function readText<A, T>(name: string, read: (argument: A) => T, argument: A, length: number): Promise<T> {
  if (length <= maxLengthAtOnce) return read(argument);
  const result = last.then(() => run<T>({ name, argument }, length));
  last = result.catch(() => undefined);
  return result;
}

// Time is for maps of many keys, which the parser compares with one another; memory for what aliases expand.
async function run<T>(task: Task, length: number): Promise<T> {
  const seconds = 10 + Math.floor(length / 100_000);
  const megabytes = 512 + Math.floor(length / 20_000);
  const worker = new Worker(programFile('seeds/thread-entry.ts'), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  try {
    const [result] = (await once(worker, 'message', { signal: AbortSignal.timeout(seconds * 1000) })) as [T];
    return result;
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    if (name === 'AbortError') throw new TooCostly(`takes more than ${seconds} seconds to read`);
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') throw new TooCostly(`takes more than ${megabytes} MiB of memory to read`);
    throw error;
  } finally {
    await worker.terminate();
  }
}

/** The value of a YAML text that came over HTTP. Throws an error that names every error of the text. */
export async function readYaml(text: string): Promise<unknown> {
  const { value, errors } = await readText('readValue', readValue, text, text.length);
  if (errors.length > 0)
    throw new Error(errors.map(({ line, column, message }) => `body:${line}:${column} ${message}`).join('\n'));
  return value;
}

export const readValue = (text: string) => new YamlText(text, 'body').read();
