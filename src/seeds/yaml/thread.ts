// Threads read large texts: a mebibyte of YAML would block all requests for a second. Of two threads, a sandbox uses at
// most one, and long texts use only one, so that they hold up no others. Idle threads stay, as a start takes 100 ms.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programFile } from '../../base/files.ts';
import type { firstErrors } from '../format/seed-errors.ts';
import { createTurns } from '../turns.ts';
import { type NamedText, openYaml, type YamlText } from './yaml-text.ts';

export interface Task {
  /** A function of `seeds/thread-entry.ts`. */
  readonly name: 'prepareSeed' | 'readValue';
  readonly text: NamedText;
}

export interface Reader {
  readonly sandbox: string;
  /** Aborted when the client leaves, which ends the work. */
  readonly left?: AbortSignal | undefined;
}

/** The answer for a text with errors. */
export type Unread = ReturnType<typeof firstErrors>;

const manyCharacters = 100_000;
const idleSeconds = 30;
const maxQuietSeconds = 5;

type Thread = ReturnType<typeof startThread>;

function startThread(program: string, isLong: boolean, megabytes: number) {
  const tokens = new Int32Array(new SharedArrayBuffer(4));
  const resourceLimits = { maxOldGenerationSizeMb: megabytes };
  const worker = new Worker(program, { workerData: tokens, resourceLimits });
  // A thread without work can fail too.
  worker.on('error', () => undefined);
  return { worker, tokens, isLong, megabytes };
}

/** @param secondMs less than a second for tests */
export function createThreads(program: string, secondMs = 1000) {
  const most = { ownAtOnce: 1, waiting: 64, ownWaiting: 8 };
  const turns = createTurns({ ...most, atOnce: 2 }, 'reading_limit');
  // A long text takes this turn first: texts that take seconds leave a thread to the others.
  const longTurns = createTurns({ ...most, atOnce: 1 }, 'reading_limit');
  const idle = new Map<Thread, NodeJS.Timeout>();

  // A long text takes no thread of short ones: if its client left, the thread would end, and a short text would wait.
  function takeThread(isLong: boolean, megabytes: number) {
    const thread = [...idle.keys()].find((one) => one.isLong === isLong);
    if (thread === undefined) return startThread(program, isLong, megabytes);
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    if (thread.megabytes >= megabytes) return thread;
    void thread.worker.terminate();
    return startThread(program, isLong, megabytes);
  }

  function keep(thread: Thread) {
    const end = () => {
      idle.delete(thread);
      void thread.worker.terminate();
    };
    thread.worker.unref();
    idle.set(thread, setTimeout(end, idleSeconds * secondMs).unref());
  }

  async function run<T>({ worker, tokens }: Thread, task: Task, left: AbortSignal | undefined) {
    const late = new AbortController();
    const { length } = task.text.text;
    // The work after the last token takes a second per megabyte, and many times that on a busy machine.
    const [maxSeconds, maxQuiet] = [10 * Math.ceil(length / 1e6) + 10, maxQuietSeconds + Math.floor(length / 100_000)];
    let [seconds, quiet, before] = [0, 0, -1];
    const look = () => {
      const now = Atomics.load(tokens, 0);
      // Not counted before the first token: on a busy machine, a thread's start takes seconds.
      quiet = now > 0 && now === before ? quiet + 1 : 0;
      before = now;
      if (quiet >= maxQuiet) late.abort(`doesn't advance: for ${maxQuiet} seconds, nothing of it was read`);
      else if (++seconds >= maxSeconds) late.abort(`takes more than ${maxSeconds} seconds to read`);
    };
    using _looking = setInterval(look, secondMs);
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that of windows
    worker.postMessage(task);
    const signal = AbortSignal.any(left === undefined ? [late.signal] : [late.signal, left]);
    return ((await once(worker, 'message', { signal })) as [T])[0];
  }

  /** What the function makes of the text, or an error if that takes too much. Throws the reason of `left`. */
  return async <T>(task: Task, { sandbox, left }: Reader): Promise<T | Unread> => {
    const isLong = task.text.text.length >= manyCharacters;
    using _longTurn = isLong ? await longTurns.take(sandbox, left) : undefined;
    using _turn = await turns.take(sandbox, left);
    // As much memory as a large document takes.
    const megabytes = 512 + Math.floor(task.text.text.length / 20_000);
    const thread = takeThread(isLong, megabytes);
    try {
      const result = await run<T>(thread, task, left);
      keep(thread);
      return result;
    } catch (error) {
      await thread.worker.terminate();
      left?.throwIfAborted();
      const { name, code, cause } = error as Error & { code?: string };
      const isFull = code === 'ERR_WORKER_OUT_OF_MEMORY';
      if (name !== 'AbortError' && !isFull) throw error;
      const message = isFull ? `takes more than ${megabytes} MiB of memory to read` : String(cause);
      return { errors: [{ file: task.text.file, line: 1, column: 1, path: '', message }], more: 0 };
    }
  };
}

/** The threads of the whole process. */
export const callInThread = createThreads(programFile('seeds/thread-entry.ts'));

// Up to this size, reading takes some milliseconds; but an alias may stand for all the rest.
export const isSmall = ({ text }: NamedText) => text.length <= 8192 && !text.includes('*');

/** The value of a YAML text that came over HTTP. Throws an error that names every error of the text. */
export async function readYaml(text: string, reader: Reader) {
  const named = { text, file: 'body' };
  const read = isSmall(named)
    ? readValue(named)
    : await callInThread<Value>({ name: 'readValue', text: named }, reader);
  if (read.errors.length > 0)
    throw new Error(read.errors.map(({ line, column, message }) => `body:${line}:${column} ${message}`).join('\n'));
  return (read as Value).value;
}

type Value = ReturnType<YamlText['read']>;

export const readValue = (text: NamedText): Value => openYaml(text).read();
