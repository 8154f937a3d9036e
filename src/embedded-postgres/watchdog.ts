// The service's side of the watchdog: starts it, asks it, and ends it by closing the channel.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Account } from './account.ts';
import { EmbeddedError } from './embedded-error.ts';

const script = fileURLToPath(new URL('watchdog.mjs', import.meta.url));

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
}

interface Tasks {
  takeLock: { input: { file: string; holderFile: string; service: number }; answer: { busy?: true } };
  run: { input: Command; answer: { code: number | null; signal: string | null; output: string } };
  read: { input: { file: string }; answer: { text: string } };
  serve: { input: Command & { log: string }; answer: { pid: number } };
}

type Message = { answer: unknown } | { fault: { message: string; code?: string } } | { ended: number };

/** A task that the watchdog could not do; `code` is the system's, such as `EACCES`. */
export class WatchdogFault extends Error {
  override readonly name = 'WatchdogFault';
  readonly code: string | undefined;
  constructor(fault: { message: string; code?: string }) {
    super(fault.message);
    this.code = fault.code;
  }
}

/**
 * What the children get of our environment: nothing that could reach into them, such as NODE_OPTIONS or PGDATA.
 * The C locale gives messages that can be recognised, and naming the time zone spares initdb the search for it.
 */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMPDIR } = process.env;
  const given = Object.entries({ PATH, SystemRoot, TEMP, TMPDIR }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), LC_ALL: 'C', TZ: 'UTC' };
}

export class Watchdog {
  /** Resolves when the watchdog is gone, and everything that it ran with it, unless it was killed itself. */
  readonly gone: Promise<void>;
  #isGone = false;
  readonly #child: ChildProcess;
  readonly #endings = new Map<number, PromiseWithResolvers<void>>();
  #asked: { resolve(answer: unknown): void; reject(reason: Error): void } | undefined;

  /**
   * @param label is shown in the list of processes and means nothing else
   * @param account given by root: as whom it runs, and all that it starts
   */
  constructor(label: string, account: Account | undefined) {
    const as = account ? [account.uid, account.gid].map(String) : [];
    // Detached: a session of its own, where Ctrl-C on the terminal doesn't reach it.
    this.#child = spawn(process.execPath, [script, label, ...as], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      cwd: parse(process.execPath).root,
      env: bareEnvironment(),
      windowsHide: true,
    });
    this.gone = new Promise((resolve) => {
      const finish = (): void => {
        this.#asked?.reject(new EmbeddedError('The watchdog of the embedded PostgreSQL was ended from outside.'));
        this.#isGone = true;
        resolve();
      };
      this.#child.once('exit', finish);
      this.#child.once('error', finish);
    });
    this.#child.on('message', (message: Message) => this.#hear(message));
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** One task at a time; throws WatchdogFault if it can't be done. */
  async ask<Name extends keyof Tasks>(task: Name, input: Tasks[Name]['input']): Promise<Tasks[Name]['answer']> {
    const asked = Promise.withResolvers<Tasks[Name]['answer']>();
    this.#asked = asked;
    this.#child.send({ task, ...input }, (error) => {
      if (error)
        asked.reject(new EmbeddedError('The watchdog of the embedded PostgreSQL did not start.', { cause: error }));
    });
    return asked.promise;
  }

  /** Resolves when the server of this process id has ended. */
  ended(pid: number): Promise<void> {
    return this.#ending(pid).promise;
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

  #ending(pid: number): PromiseWithResolvers<void> {
    const known = this.#endings.get(pid) ?? Promise.withResolvers<void>();
    this.#endings.set(pid, known);
    return known;
  }

  #hear(message: Message): void {
    if ('ended' in message) this.#ending(message.ended).resolve();
    else if ('fault' in message) this.#asked?.reject(new WatchdogFault(message.fault));
    else this.#asked?.resolve(message.answer);
  }
}
