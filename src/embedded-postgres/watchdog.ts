// The service's side of the watchdog: starts it, sends it tasks, and ends it by closing the channel.
import { type ChildProcess, spawn } from 'node:child_process';
import { plainFile } from '../files.ts';
import { EmbeddedError, folderError, otherPlaces } from './embedded-error.ts';
import type { Folder } from './folder.ts';

const script = plainFile('embedded-postgres/watchdog.mjs');
const slowMs = 2000;

interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

interface Tasks {
  makeFolder: { input: { places: readonly string[] }; answer: { path: string } };
  takeLock: {
    input: { file: string; holderFile: string; service: number; isTemporary: boolean };
    answer: { heldBy?: number | 'unknown' };
  };
  takeShared: { input: { file: string; waitMs: number }; answer: { taken: boolean } };
  releaseShared: { input: object; answer: object };
  copy: { input: { from: string; to: string }; answer: { checksum: number } };
  run: { input: Command; answer: { code: number | null; signal: string | null; output: string } };
  serve: {
    input: Command & { log: string; copy?: { from: string; to: string; checksum: number } };
    answer: { pid: number };
  };
  stop: { input: object; answer: object };
}

type Message = { answer: unknown } | { error: { message: string; code?: string } } | { ended: true };

/**
 * What the watchdog and all that it starts get of our environment: nothing that could reach into them, such as
 * NODE_OPTIONS or PGDATA. In the C locale messages can be recognised; the time zone spares initdb its search for one.
 */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  return { ...(PATH && { PATH }), ...(TMPDIR && { TMPDIR }), LC_ALL: 'C', TZ: 'UTC' };
}

export class Watchdog {
  /** Resolves when the watchdog has ended, and all that it ran with it, unless it was killed. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #path: string;
  #onEnded: () => void = () => undefined;
  #task: { resolve(answer: unknown): void; reject(reason: Error): void } | undefined;

  /**
   * @param place with the path of its folder, or of the one that a temporary folder will lie in
   * @param account for root alone
   */
  constructor({ path, account }: Pick<Folder, 'path' | 'account'>) {
    this.#path = path;
    const as = account ? [account.uid, account.gid].map(String) : [];
    // The path is there for people who list the processes. Detached means a session of its own, which Ctrl-C doesn't
    // reach.
    this.#child = spawn(process.execPath, [script, path, ...as], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      cwd: '/',
      env: bareEnvironment(),
    });
    this.gone = new Promise((resolve) => {
      const finish = (): void => {
        this.#task?.reject(new EmbeddedError('The watchdog of the embedded PostgreSQL was ended from outside.'));
        resolve();
      };
      this.#child.once('exit', finish);
      this.#child.once('error', finish);
    });
    this.#child.on('message', (message: Message) => this.#receive(message));
  }

  get isGone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** One task at a time. Throws EmbeddedError where it fails. */
  async ask<Name extends keyof Tasks>(task: Name, input: Tasks[Name]['input']): Promise<Tasks[Name]['answer']> {
    const asked = Promise.withResolvers<Tasks[Name]['answer']>();
    this.#task = asked;
    this.#child.send({ task, ...input }, (cause) => {
      if (cause) asked.reject(new EmbeddedError('The watchdog of the embedded PostgreSQL did not start.', { cause }));
    });
    return asked.promise;
  }

  /** Takes the folder's lock. Throws EmbeddedError where another service keeps it. */
  async lock(folder: Folder, say: (line: string) => void): Promise<void> {
    const slow = setTimeout(() => say('waiting for the PostgreSQL of the previous service to end'), slowMs);
    const { lock: file, holder: holderFile, isTemporary } = folder;
    const input = { file, holderFile, service: process.pid, isTemporary };
    const { heldBy } = await this.ask('takeLock', input).finally(() => clearTimeout(slow));
    if (heldBy === undefined) return;
    throw new EmbeddedError(
      `The data folder ${folder.path} is in use by another service (process ${heldBy}).\nStop that one first. Or: ${otherPlaces}`,
    );
  }

  /** Starts the server. `ended` resolves when it ends, or the watchdog. */
  async serve(command: Tasks['serve']['input']): Promise<{ pid: number; ended: Promise<void> }> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEnded = resolve;
    const { pid } = await this.ask('serve', command);
    return { pid, ended: Promise.race([promise, this.gone]) };
  }

  /** From here on neither the watchdog nor its channel keeps this process from ending. */
  release(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** Ends what the watchdog runs, and the watchdog. */
  async end(): Promise<void> {
    this.#child.ref();
    if (this.#child.connected) this.#child.disconnect();
    await this.gone;
  }

  #receive(message: Message): void {
    if ('ended' in message) this.#onEnded();
    else if ('error' in message) this.#task?.reject(folderError(this.#path, Object.assign(new Error(), message.error)));
    else this.#task?.resolve(message.answer);
  }
}
