// The service's side of the watchdogs: shells that outlive it, to end what it started (docs/decisions/0025).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { watchdogScript } from '../../base/files.ts';
import { type Account, asAccount } from '../account.ts';
import { bareEnvironment } from '../binaries.ts';
import { PassingError, UserError } from '../../base/failure.ts';

// How long a kept server may take to shut down before it gets SIGQUIT, in units of 250 ms: 20 s.
const keptTicks = 80;

function startWatchdog(account: Account | undefined, args: readonly string[]) {
  // The account may not be able to read the script's file. Detached: Ctrl-C doesn't reach it.
  const script = readFileSync(watchdogScript, 'utf8');
  const child = spawn('/bin/sh', ['-c', 'eval "$WATCHDOG"', 'understudy-watchdog', ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    cwd: '/',
    env: { ...bareEnvironment(), WATCHDOG: script },
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  const input = child.stdin as Writable;
  // The watchdog's end shows in `exited`.
  input.on('error', () => undefined);
  let isEnded = false;
  async function untilExit() {
    const how = await once(child, 'exit').then(
      () => 'was ended from outside',
      (error: Error) => `did not start: ${error.message}`,
    );
    if (!isEnded) watchdog.failure = new PassingError(`The watchdog of the embedded PostgreSQL ${how}.`);
  }
  const watchdog = {
    child,
    /** How the watchdog ended, if it did so by itself. */
    failure: undefined as UserError | undefined,
    /** Resolves when the watchdog has ended and, unless it was killed, what it runs has ended too. */
    exited: untilExit(),
    /** From here on it doesn't keep this process from ending. */
    release() {
      child.unref();
      for (const stream of child.stdio) (stream as { unref?(): void } | null)?.unref?.();
    },
    end() {
      isEnded = true;
      child.ref();
      input.end();
      return watchdog.exited;
    },
  };
  return watchdog;
}

/** Runs a server with a command. `ended` resolves when the server's last process has ended, or the watchdog. */
export function serve(account: Account | undefined, command: readonly string[], log: string, isThrownAway: boolean) {
  const watchdog = startWatchdog(account, ['serve', String(isThrownAway ? 0 : keptTicks), log, ...command]);
  const pipe = watchdog.child.stdio[3] as Readable;
  const ended = Promise.race([once(pipe.resume(), 'close'), watchdog.exited]);
  return { watchdog, ended };
}

export type HeldFolder = Awaited<ReturnType<typeof holdFolder>>;

/** Makes a temporary folder in the first of the places that takes one. The folder lives as long as this process. */
export async function holdFolder(account: Account | undefined, places: readonly string[]) {
  const watchdog = startWatchdog(account, ['hold', ...places]);
  const line = once(createInterface(watchdog.child.stdout as Readable), 'line') as Promise<string[]>;
  const [path = ''] = (await Promise.race([line, watchdog.exited])) ?? [];
  const { failure = new UserError('There is no place for temporary files: set TMPDIR to a folder.') } = watchdog;
  async function end() {
    await watchdog.end();
    // A watchdog that was killed leaves its folder.
    asAccount(account, () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  }
  if (path !== '') return { path, watchdog, [Symbol.asyncDispose]: end };
  await watchdog.end();
  throw failure;
}
