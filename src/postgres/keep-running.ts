// Keeps a server running: restarts it on its socket, so that clients keep its URL.
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../base/attempt.ts';
import { asAccount } from './account.ts';
import { prepareBinaries } from './binaries.ts';
import { makeContent, markWhole, sync, writeContent } from './cluster.ts';
import { sweep } from './temporary-folder.ts';
import { endFormerServer, hastenEnd } from './server/postmaster.ts';
import { keepLog, type ServerContext, startServer } from './server/start-server.ts';
import { Watchdog } from './server/watchdog.ts';

/** What a server began with: a cluster that was there, the one that ships, or an empty one. */
export type Origin = 'kept' | 'packed' | 'empty';

const pauseMs = 200;
const lookMs = 3000;

/** Starts the server with this watchdog. Resolves when PostgreSQL is starting; `ready` when it takes connections. */
export async function keepRunning(first: ServerContext, firstWatchdog: Watchdog, firstOrigin: Origin) {
  const { folder, lock, note, temporary } = first;
  const stopping = new AbortController();
  const { signal } = stopping;
  let context = first;
  let watchdog = firstWatchdog;
  keepLog(folder);
  let server = await startServer(context, watchdog);
  const lost = new AbortController();

  /** Each run has its own. It takes over the temporary folder, which the former one leaves. Throws if the service stops. */
  async function renewWatchdog(): Promise<void> {
    await watchdog.end(true);
    watchdog = new Watchdog({ ...folder, adopt: temporary });
    signal.throwIfAborted();
  }

  async function settleAs(origin: Origin): Promise<Origin> {
    try {
      const isNew = origin !== 'kept' && !folder.isTemporary;
      await Promise.all([server.ready, isNew && sync(folder, context.binaries), sweep(context)]);
      if (isNew) markWhole(folder);
      watchdog.release();
      return origin;
    } catch (error) {
      if (signal.aborted || watchdog.failure) throw error;
      const { postgres } = context.binaries;
      context = { ...context, binaries: await prepareBinaries(folder.account, note) };
      const isMoved = context.binaries.postgres !== postgres;
      if (!isMoved && origin !== 'packed') throw error;
      if (!isMoved) {
        note(`the cluster that ships doesn't start, and one is made: ${(error as Error).message.split('\n')[0]}`);
        writeContent(folder, await makeContent(folder, note));
      }
      await renewWatchdog();
      server = await startServer(context, watchdog);
      return settleAs(isMoved ? origin : 'empty');
    }
  }

  async function keep(): Promise<void> {
    let stoppingPid: number | undefined;
    using _hastening = setInterval(() => (stoppingPid = hastenEnd(folder, stoppingPid)), lookMs).unref();
    for (;;) {
      await server.ended;
      if (signal.aborted) return;
      if (watchdog.failure) throw watchdog.failure;
      note(`PostgreSQL ended unasked and is started again; its log: ${folder.previousLog}`);
      // Once: the logs of the attempts don't explain why the server ended.
      attempt(() => keepLog(folder));
      await startAgain();
    }
  }

  /** Tries until it succeeds or the service stops. Notes each reason once. Throws where the watchdog ends too. */
  async function startAgain(): Promise<void> {
    for (let reported = ''; !signal.aborted;) {
      try {
        await renewWatchdog();
        watchdog.release();
        server = await startServer(context, watchdog);
        return await server.ready;
      } catch (error) {
        if (watchdog.failure && !signal.aborted) throw watchdog.failure;
        const { message } = error as Error;
        if (message !== reported && !signal.aborted) note(message);
        reported = message;
        await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
  }

  const ready = settleAs(firstOrigin);
  // It may fail before anybody waits for it.
  const kept = ready.then(() => keep().catch((error: unknown) => lost.abort(error))).catch(() => undefined);
  async function stop(): Promise<void> {
    stopping.abort();
    // A full disk must not keep the server from ending.
    attempt(() => lock.record({ ending: true }));
    await watchdog.end();
    await kept;
    // The one that took its place meanwhile.
    await watchdog.end();
    // The server and the folder of a watchdog that was killed.
    await endFormerServer(folder, process.pid, note);
    if (lost.signal.aborted && temporary !== undefined)
      asAccount(folder.account, () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
    await lock[Symbol.asyncDispose]();
  }
  let stopped: Promise<void> | undefined;
  return {
    ready,
    /** Aborts when the watchdog was killed: nothing would end PostgreSQL with the service, so the service is to end. */
    lost: lost.signal,
    /** Ends the server and waits for its end. May be called again. */
    stop: () => (stopped ??= stop()),
  };
}
