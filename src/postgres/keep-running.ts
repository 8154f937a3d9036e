// Keeps a server running: restarts it on its socket, so that clients keep its URL.
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../base/attempt.ts';
import { asAccount } from './account.ts';
import { makeContent, markWhole, sync, writeContent } from './cluster.ts';
import type { Lock } from './lock.ts';
import { sweep } from './temporary-folder.ts';
import { endFormerServer, hastenEnd } from './server/postmaster.ts';
import { keepLog, type ServerContext, startServer } from './server/start-server.ts';
import { Watchdog } from './server/watchdog.ts';

/** What a server began with: a cluster that was there, the one that ships, or an empty one. */
export type Origin = 'kept' | 'packed' | 'empty';

const pauseMs = 200;
const lookMs = 3000;

/** What a start has opened: it ends with the server. */
export interface Opened extends Pick<ServerContext, 'folder' | 'sockets'> {
  readonly lock: Lock;
  readonly watchdog: Watchdog;
  /** The folder that the watchdog made and removes at its end. */
  readonly temporary: string | undefined;
}

/** Starts the server with this watchdog. Resolves when PostgreSQL is starting; `ready` when it takes connections. */
export async function keepRunning(context: ServerContext & Opened, firstOrigin: Origin) {
  const { folder, lock, note, temporary } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  let { watchdog } = context;
  keepLog(folder);
  let server = await startServer(context, watchdog);
  const lost = new AbortController();

  /** Each run has its own watchdog, which takes over the temporary folder. Throws if the service stops. */
  async function restart(): Promise<void> {
    await watchdog.end(true);
    watchdog = new Watchdog({ ...folder, adopt: temporary });
    signal.throwIfAborted();
    server = await startServer(context, watchdog);
  }

  async function settleAs(origin: Origin): Promise<Origin> {
    const isNew = origin !== 'kept' && !folder.isTemporary;
    try {
      await Promise.all([server.ready, isNew && sync(context), folder.isTemporary && sweep(folder, note)]);
    } catch (error) {
      if (signal.aborted || watchdog.failure || origin !== 'packed') throw error;
      note(`the cluster that ships doesn't start, and one is made: ${(error as Error).message.split('\n')[0]}`);
      writeContent(folder, await makeContent(folder, note));
      await restart();
      return settleAs('empty');
    }
    if (isNew) markWhole(folder);
    watchdog.release();
    return origin;
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
        await restart();
        watchdog.release();
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
    attempt(() => lock.announceEnd());
    await watchdog.end();
    await kept;
    // The one that took its place meanwhile.
    await watchdog.end();
    // The server and the folder of a watchdog that was killed.
    await endFormerServer(folder, note);
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
