// A thread reads large texts: a mebibyte of YAML would block all requests for half a second.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programFile } from '../../base/files.ts';
import { type NamedText, YamlText } from './yaml-text.ts';

export interface Task {
  /** A function of `seeds/thread-entry.ts`. */
  readonly name: 'checkSeed' | 'readValue';
  readonly text: NamedText;
}

// Up to this size, reading takes some milliseconds, at worst 60. Starting a thread takes 100.
const maxLengthAtOnce = 8192;

// One at a time takes the memory of one.
let last: Promise<unknown> = Promise.resolve();

/** What the function makes of the text. A thread calls it if the text is large; one that takes too much has one error. */
export async function readText<T>(name: Task['name'], read: (text: NamedText) => T, text: NamedText) {
  if (text.text.length <= maxLengthAtOnce) return read(text);
  const result = last.then(() => run<T>({ name, text }));
  last = result.catch(() => undefined);
  return result;
}

// Time is for maps of many keys, which the parser compares with one another; memory for what aliases expand.
async function run<T>(task: Task) {
  const { file, text } = task.text;
  const seconds = 10 + Math.floor(text.length / 100_000);
  const megabytes = 512 + Math.floor(text.length / 20_000);
  const refuse = (what: string) => ({
    value: undefined,
    errors: [{ file, line: 1, column: 1, path: '', message: `takes more than ${what} to read` }],
    more: 0,
  });
  const worker = new Worker(programFile('seeds/thread-entry.ts'), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  try {
    const [result] = (await once(worker, 'message', { signal: AbortSignal.timeout(seconds * 1000) })) as [T];
    return result;
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    if (name === 'AbortError') return refuse(`${seconds} seconds`);
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') return refuse(`${megabytes} MiB of memory`);
    throw error;
  } finally {
    await worker.terminate();
  }
}

/** The value of a YAML text that came over HTTP. Throws an error that names every error of the text. */
export async function readYaml(text: string): Promise<unknown> {
  const { value, errors } = await readText('readValue', readValue, { text, file: 'body' });
  if (errors.length > 0)
    throw new Error(errors.map(({ line, column, message }) => `body:${line}:${column} ${message}`).join('\n'));
  return value;
}

export const readValue = (text: NamedText) => new YamlText(text).read();
