// More processes than one: the first one has prepared the database and serves nothing itself; the workers share the port. One that
// ends unasked is replaced.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Family } from '../monitoring/metrics-text.ts';
import type { FromWorker, ToWorker, Work } from './workers-messages.ts';

export interface Workers {
  readonly port: number;
  /** Tells all to end; resolves when they have. */
  stop(): Promise<void>;
}

// A worker that fails at once shall not be started without end at the speed of the machine.
const restartMs = 1000;
// One that hangs keeps nobody from seeing the others' figures.
const figuresMs = 1000;

/**
 * Resolves when all of them listen.
 * @throws Error with a message for people where one can't
 */
export async function startWorkers(count: number, work: Work, say: (line: string) => void): Promise<Workers> {
  // Their standard output is ours, so that there is one log.
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'workers-child.ts'), args: [], serialization: 'advanced' });
  const workers = new Set<Worker>();
  const gathering = createGathering(workers);
  let isEnding = false;
  let port = work.configuration.PORT;

  function start(on: number): Promise<number> {
    const worker = cluster.fork();
    workers.add(worker);
    tell(worker, { work, port: on });
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if ('listening' in message) resolve(message.listening);
        else if ('fault' in message) reject(new Error(message.fault));
        else gathering.hear(worker, message);
      });
      worker.once('exit', (code, signal) => {
        workers.delete(worker);
        reject(new Error(`a worker ended while it started: ${signal ?? code}`));
        if (!isEnding) replace(signal ?? `exit code ${code}`);
      });
    });
  }

  function replace(how: string): void {
    say(`a worker ended (${how}); another one takes its place`);
    setTimeout(() => {
      if (!isEnding) start(port).catch((error: Error) => say(`a worker could not start: ${error.message}`));
    }, restartMs).unref();
  }

  async function stop(): Promise<void> {
    isEnding = true;
    const ended = [...workers].map((worker) => once(worker, 'exit'));
    // Whoever is told that an answer is the last one comes back on a new connection: it must not meet a port that is about to close.
    await Promise.all([...workers].map(closePort));
    for (const worker of workers) tell(worker, { end: true });
    await Promise.all(ended);
  }

  try {
    // The first one finds a port where any will do.
    port = await start(port);
    await Promise.all(Array.from({ length: count - 1 }, () => start(port)));
    return { port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function closePort(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.on('message', (message: FromWorker) => {
      if ('closed' in message) resolve();
    });
    tell(worker, { close: true });
  });
}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}

/** Asks all workers for their figures on behalf of the one that has to show them. */
function createGathering(workers: ReadonlySet<Worker>) {
  const open = new Map<number, (families: readonly Family[]) => void>();
  let questions = 0;

  function gather(asker: Worker, number: number): void {
    const question = ++questions;
    const figures: (readonly Family[])[] = [];
    const missing = workers.size;
    const finish = (): void => {
      clearTimeout(late);
      open.delete(question);
      tell(asker, { told: number, figures });
    };
    const late = setTimeout(finish, figuresMs);
    open.set(question, (families) => {
      if (figures.push(families) === missing) finish();
    });
    for (const worker of workers) tell(worker, { tell: question });
  }

  return {
    hear(worker: Worker, message: FromWorker): void {
      if ('gather' in message) gather(worker, message.gather);
      else if ('figures' in message) open.get(message.figures)?.(message.families);
    },
  };
}
