// A worker: serves what the first process tells it to, on the port that all workers share, until that tells it to end or is gone.
import cluster from 'node:cluster';
import type { FastifyInstance } from 'fastify';
import type { Family } from '../monitoring/metrics-text.ts';
import { openDatabase } from '../database/database.ts';
import { endApp, openApp } from './serving.ts';
import { databaseSettings } from './settings.ts';
import type { FromWorker, ToWorker, Work } from './workers-messages.ts';

// Where the system gives each process a queue of its own for one port, a worker that ends answers what stands in its own. Elsewhere the
// first process takes connections and hands them out, and loses those that it holds when it ends.
const sharesPorts = ['linux', 'freebsd'].includes(process.platform);

const asked = new Map<number, (figures: readonly (readonly Family[])[]) => void>();
let questions = 0;
let ownFigures: () => Promise<Family[]> = async () => [];

const say = (message: FromWorker): void => void process.send?.(message);

interface Serving {
  takeNoMore(): Promise<void>;
  end(): Promise<void>;
}

/** Everybody's figures, ours among them. */
function gatherFigures(own: () => Promise<Family[]>): Promise<readonly (readonly Family[])[]> {
  ownFigures = own;
  const question = ++questions;
  return new Promise((resolve) => {
    asked.set(question, resolve);
    say({ gather: question });
  });
}

async function serve({ configuration, url, samples }: Work, port: number): Promise<Serving> {
  const database = openDatabase(databaseSettings(url, configuration));
  const app = await openApp(configuration, database, { samples, gatherFigures });
  ownFigures = () => app.figures();
  // Node knows the last one; Fastify, whose types don't, hands it on.
  const where = { port, host: configuration.UNDERSTUDY_HOST, reusePort: sharesPorts };
  await app.listen(where);
  say({ listening: portOf(app) });
  return {
    takeNoMore: () => app.takeNoMore(),
    end: async () => {
      await endApp(app, configuration);
      await database.close();
    },
  };
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

let serving: Promise<Serving> | undefined;
let isEnding = false;

async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const running = await serving?.catch(() => undefined);
  await running?.end();
  process.exit(0);
}

async function hear(message: ToWorker): Promise<void> {
  if ('work' in message) {
    serving = serve(message.work, message.port);
    serving.catch((error: unknown) => {
      const fault = error instanceof Error ? error.message : String(error);
      process.send?.({ fault } satisfies FromWorker, () => process.exit(1));
    });
  } else if ('tell' in message) {
    say({ figures: message.tell, families: await ownFigures() });
  } else if ('told' in message) {
    asked.get(message.told)?.(message.figures);
    asked.delete(message.told);
  } else if ('close' in message) {
    const running = await serving?.catch(() => undefined);
    await running?.takeNoMore();
    say({ closed: true });
  } else {
    await end();
  }
}

// Ctrl-C reaches every process of the terminal; the first one decides.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('message', (message: ToWorker) => void hear(message));
// Without the first process nobody would end this one.
cluster.worker?.on('disconnect', () => void end());
