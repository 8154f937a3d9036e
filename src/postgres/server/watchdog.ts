// Starts watchdogs: shells that outlive the service, and end what it started (docs/decisions/0025).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { watchdogScript } from '../../base/files.ts';
import { type Account, asAccount } from '../account.ts';
import { bareEnvironment } from '../binaries.ts';
import { PassingError, UserError } from '../../base/failure.ts';

// The time until SIGQUIT for a server whose data is kept: 20 s, in units of 250 ms.
const keptTicks = 80;

function startWatchdog(account: Account | undefined, args: readonly string[]) {
  // The account may be unable to read the script's file.
  const script = readFileSync(watchdogScript, 'utf8');
  const child = spawn('/bin/sh', ['-c', 'eval "$WATCHDOG"', 'understudy-watchdog', ...args], {
    // Ctrl-C doesn't reach a detached process.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    cwd: '/',
    env: { ...bareEnvironment(), WATCHDOG: script },
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  const input = child.stdin as Writable;
  // The pipe breaks when the watchdog ends. `exited` reports that.
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
    /** How the watchdog ended, if `end` didn't end it. */
    failure: undefined as UserError | undefined,
    /** Resolves when the watchdog has ended. Unless it was killed, its command has ended too. */
    exited: untilExit(),
    /** Lets this process end while the watchdog runs. */
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

/** Runs a server. `ended` resolves when the server's last process or the watchdog has ended. */
export function serve(account: Account | undefined, command: readonly string[], log: string, isThrownAway: boolean) {
  const watchdog = startWatchdog(account, ['serve', String(isThrownAway ? 0 : keptTicks), log, ...command]);
  const pipe = watchdog.child.stdio[3] as Readable;
  const ended = Promise.race([once(pipe.resume(), 'close'), watchdog.exited]);
  return { watchdog, ended };
}

export type HeldFolder = Awaited<ReturnType<typeof holdFolder>>;

/** Makes a temporary folder in the first writable place, and removes it when this process ends. */
export async function holdFolder(account: Account | undefined, places: readonly string[]) {
  const watchdog = startWatchdog(account, ['hold', ...places]);
  const line = once(createInterface(watchdog.child.stdout as Readable), 'line') as Promise<string[]>;
  const [path = ''] = (await Promise.race([line, watchdog.exited])) ?? [];
  const { failure = new UserError('There is no place for temporary files: set TMPDIR to a folder.') } = watchdog;
  async function end() {
    await watchdog.end();
    // A killed watchdog leaves its folder.
    asAccount(account, () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  }
  if (path !== '') return { path, watchdog, [Symbol.asyncDispose]: end };
  await watchdog.end();
  throw failure;
}
