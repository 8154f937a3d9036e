// Keeps a server running: restarts it on the same socket, so its URL stays.
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../base/failure.ts';
import { makeContent, markWhole, sync, writeContent } from './cluster.ts';
import { sweep } from './temporary-folder.ts';
import { endFormerServer, hastenEnd } from './server/postmaster.ts';
import { keepLog, type ServerContext, startServer } from './server/start-server.ts';
import type { HeldFolder } from './server/watchdog.ts';

/** The cluster at the start: one that was there, the one that ships, or an empty one. */
type Origin = 'kept' | 'packed' | 'empty';

const pauseMs = 200;
const lookMs = 3000;

/** @param temporary a temporary data folder, or a folder for the socket alone */
export function keepRunning(context: ServerContext, firstOrigin: Origin, lock: DatabaseSync, temporary?: HeldFolder) {
  const { folder, note } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  const lost = new AbortController();
  keepLog(folder);
  let server = startServer(context);

  /** Without a watchdog, PostgreSQL would not end with the service, or a temporary folder would stay. */
  function failWithoutWatchdog() {
    const failure = server.watchdog.failure ?? temporary?.watchdog.failure;
    if (failure !== undefined) throw failure;
  }

  async function restart() {
    await server.watchdog.end();
    await endFormerServer(folder, note);
    signal.throwIfAborted();
    server = startServer(context);
  }

  async function settleAs(origin: Origin) {
    const isNew = origin !== 'kept' && !folder.isTemporary;
    try {
      await Promise.all([server.ready, isNew && sync(context), folder.isTemporary && sweep(folder, note)]);
    } catch (error) {
      failWithoutWatchdog();
      if (signal.aborted || origin !== 'packed') throw error;
      note(`the cluster that ships doesn't start, so another is made: ${(error as Error).message.split('\n')[0]}`);
      writeContent(folder, await makeContent(folder, note));
      await restart();
      return settleAs('empty');
    }
    if (isNew) markWhole(folder);
    server.watchdog.release();
    temporary?.watchdog.release();
    return origin;
  }

  async function keep() {
    let stoppingPid: number | undefined;
    using _hastening = setInterval(() => (stoppingPid = hastenEnd(folder, stoppingPid)), lookMs).unref();
    for (;;) {
      await Promise.race([server.ended, ...(temporary ? [temporary.watchdog.exited] : [])]);
      if (signal.aborted) return;
      failWithoutWatchdog();
      note(`PostgreSQL ended unasked and is started again; its log: ${folder.previousLog}`);
      // The logs of later attempts don't explain why the server ended.
      attempt(() => keepLog(folder));
      await startAgain();
    }
  }

  /** Tries until PostgreSQL runs or the service stops. Notes new failures. Throws if a watchdog was killed. */
  async function startAgain() {
    for (let reported = ''; !signal.aborted;) {
      try {
        await restart();
        server.watchdog.release();
        return await server.ready;
      } catch (error) {
        failWithoutWatchdog();
        const { message } = error as Error;
        if (message !== reported && !signal.aborted) note(message);
        reported = message;
        await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
  }

  const ready = settleAs(firstOrigin);
  // `ready` may fail before anybody waits for it.
  const kept = ready.then(() => keep().catch((error: unknown) => lost.abort(error))).catch(() => undefined);
  async function stop() {
    stopping.abort();
    await server.watchdog.end();
    await kept;
    // `keep` may have started another server.
    await server.watchdog.end();
    // The server of a killed watchdog still runs.
    await endFormerServer(folder, note);
    await temporary?.[Symbol.asyncDispose]();
    lock.close();
  }
  let stopped: Promise<void> | undefined;
  return {
    ready,
    /** Aborts when a watchdog was killed: then the service must end. */
    lost: lost.signal,
    stop: () => (stopped ??= stop()),
  };
}
