// Two threads read large texts: in the main thread, a mebibyte of YAML would block all requests for a second.
// A sandbox uses one at most; long texts (isLong) share one. Idle threads stay 30 s: a start takes 100 ms.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programFile } from '../../base/files.ts';
import { createTurns } from '../turns.ts';
import { type NamedText, openYaml, type TextError } from './yaml-text.ts';

export interface Task {
  /** A function of `seeds/thread-entry.ts`. */
  readonly name: 'prepareSeed' | 'readValue';
  readonly text: NamedText;
}

export interface Reader {
  readonly sandbox: string;
  /** Aborts when the client leaves, which ends the work. */
  readonly left?: AbortSignal | undefined;
}

/** A text's first errors, and the number of the others. */
export interface Unread {
  readonly errors: readonly (TextError & Readonly<Record<'file' | 'path', string>>)[];
  readonly more: number;
}

const manyCharacters = 100_000;
const idleSeconds = 30;
const maxQuietSeconds = 5;

type Thread = ReturnType<typeof startThread>;

function startThread(program: string, isLong: boolean, megabytes: number) {
  const tokens = new Int32Array(new SharedArrayBuffer(4));
  const resourceLimits = { maxOldGenerationSizeMb: megabytes };
  const worker = new Worker(program, { workerData: tokens, resourceLimits });
  // Without a listener, a failure of an idle thread would end the process.
  worker.on('error', () => undefined);
  return { worker, tokens, isLong, megabytes };
}

/** @param secondMs the length of a second; tests have shorter ones */
export function createThreads(program: string, secondMs = 1000) {
  const most = { ownAtOnce: 1, waiting: 64, ownWaiting: 8 };
  const turns = createTurns({ ...most, atOnce: 2 }, 'reading_limit');
  // A long text takes seconds, and needs a turn here too. So one thread stays free for short texts.
  const longTurns = createTurns({ ...most, atOnce: 1 }, 'reading_limit');
  const idle = new Map<Thread, NodeJS.Timeout>();

  // If the client of a long text leaves, its thread ends, and the next long text waits for a new thread's
  // start. Short texts have threads of their own, and needn't wait.
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
    const maxSeconds = 10 * Math.ceil(length / 1e6) + 10;
    // After the last token, work goes on for a second per megabyte, on a busy machine much longer.
    const maxQuiet = maxQuietSeconds + Math.floor(length / 100_000);
    let [seconds, quiet, before] = [0, 0, -1];
    const look = () => {
      const now = Atomics.load(tokens, 0);
      // Quiet seconds count only after the first token: a thread's start may take seconds.
      quiet = now > 0 && now === before ? quiet + 1 : 0;
      before = now;
      if (quiet >= maxQuiet) late.abort(`doesn't advance: for ${maxQuiet} seconds, nothing was read`);
      else if (++seconds >= maxSeconds) late.abort(`takes more than ${maxSeconds} seconds to read`);
    };
    using _looking = setInterval(look, secondMs);
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for browser windows
    worker.postMessage(task);
    const signal = AbortSignal.any(left === undefined ? [late.signal] : [late.signal, left]);
    return ((await once(worker, 'message', { signal })) as [T])[0];
  }

  /** Resolves with an error if the task takes too much time or memory. Throws the reason of `left`. */
  return async <T>(task: Task, { sandbox, left }: Reader): Promise<T | Unread> => {
    const isLong = task.text.text.length >= manyCharacters;
    using _longTurn = isLong ? await longTurns.take(sandbox, left) : undefined;
    using _turn = await turns.take(sandbox, left);
    // Large documents need this much memory.
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

export const callInThread = createThreads(programFile('seeds/thread-entry.ts'));

// Up to this size, reading takes milliseconds, unless aliases repeat the text.
export const isSmall = ({ text }: NamedText) => text.length <= 8192 && !text.includes('*');

/** Reads a YAML text from HTTP. Throws an Error that names all errors of the text. */
export async function readYaml(text: string, reader: Reader) {
  const named = { text, file: 'body' };
  const read = isSmall(named)
    ? readValue(named)
    : await callInThread<ReturnType<typeof readValue>>({ name: 'readValue', text: named }, reader);
  if (!('value' in read) || read.errors.length > 0)
    throw new Error(read.errors.map(({ line, column, message }) => `body:${line}:${column} ${message}`).join('\n'));
  return read.value;
}

export const readValue = (text: NamedText) => openYaml(text).read();
