// The service's side of the watchdog: a shell that outlives the service, to end what it started
// (docs/decisions/0025). One for each run of the server.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { watchdogScript } from '../../base/files.ts';
import type { Account } from '../account.ts';
import { otherPlaces } from '../folder.ts';
import { bareEnvironment } from '../binaries.ts';
import { PassingError, UserError } from '../../base/errors.ts';

// How long a kept server may take to shut down before it gets SIGQUIT, in units of 250 ms: 20 s.
const keptTicks = 80;

interface WatchdogOptions {
  /** For people who list the processes. */
  readonly path: string;
  /** For root alone. */
  readonly account: Account | undefined;
  /** Where a temporary folder may be, the best first; none for no such folder. */
  readonly places?: readonly string[];
  /** The temporary folder of a watchdog that ended. */
  readonly adopt?: string | undefined;
}

export class Watchdog implements AsyncDisposable {
  /** Resolves when the watchdog has ended, and all that it ran with it, unless it was killed. */
  readonly #exited: Promise<void>;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #answers: AsyncIterator<string>;
  readonly #folder: Promise<string>;
  /** How it ended; undefined while it runs. */
  failure: UserError | undefined;

  constructor({ path, account, places = [], adopt }: WatchdogOptions) {
    // The account may not be able to read the script's file. Detached: Ctrl-C doesn't reach it.
    const script = readFileSync(watchdogScript, 'utf8');
    const child = spawn('/bin/sh', ['-c', 'eval "$WATCHDOG"', 'understudy-watchdog', path, ...places], {
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
      cwd: '/',
      env: { ...bareEnvironment(), WATCHDOG: script },
      ...(account && { uid: account.uid, gid: account.gid }),
    });
    this.#child = child;
    this.#input = child.stdin as Writable;
    // Its end shows in `#exited`.
    this.#input.on('error', () => undefined);
    this.#exited = this.#untilExit();
    this.#answers = createInterface(child.stdout as Readable)[Symbol.asyncIterator]();
    this.#folder = this.#nextAnswer();
    // It may fail before anybody waits for it.
    this.#folder.catch(() => undefined);
    if (adopt !== undefined) this.#write(`adopt ${adopt}`);
  }

  /** The temporary folder that it made. Throws UserError where no place takes one. */
  async makeFolder(): Promise<string> {
    const folder = await this.#folder;
    if (folder === '') throw new UserError('There is no place for temporary files: set TMPDIR to a folder.');
    return folder;
  }

  /** Starts the server by a command. `ended` resolves when the last of its processes has ended, or the watchdog. */
  async serve(command: readonly string[], log: string, isThrownAway: boolean) {
    await this.#folder;
    if ([...command, log].some((word) => word.includes('\n')))
      throw new UserError(`PostgreSQL doesn't run in a folder with a line break in its name.\n${otherPlaces}`);
    const pipe = this.#child.stdio[3] as Readable;
    const closed = once(pipe.resume(), 'close').then(() => undefined);
    for (const word of command) this.#write(`:${word}`);
    this.#write(`serve ${isThrownAway ? 0 : keptTicks} ${log}`);
    const pid = Number(await this.#nextAnswer());
    return { pid, ended: Promise.race([closed, this.#exited]) };
  }

  /** From here on it doesn't keep this process from ending. */
  release(): void {
    this.#child.unref();
    for (const stream of this.#child.stdio) (stream as { unref?(): void } | null)?.unref?.();
  }

  /** Ends the watchdog and what it runs; leaves the temporary folder to another watchdog if that continues. */
  async end(leaves = false): Promise<void> {
    this.#child.ref();
    if (leaves) this.#write('leave');
    this.#input.end();
    await this.#exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }

  async #untilExit(): Promise<void> {
    const how = await once(this.#child, 'exit').then(
      () => 'was ended from outside',
      (error: Error) => `did not start: ${error.message}`,
    );
    this.failure = new PassingError(`The watchdog of the embedded PostgreSQL ${how}.`);
  }

  #write(line: string): void {
    this.#input.write(`${line}\n`);
  }

  async #nextAnswer(): Promise<string> {
    const { value, done } = await this.#answers.next();
    if (!done) return value;
    await this.#exited;
    throw this.failure;
  }
}
