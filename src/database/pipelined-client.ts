// One pipelined pg connection that is opened when it is needed and opened anew when it was lost. A lost connection rejects all
// that was in flight; whether that may be sent again only the caller knows.
import { Socket } from 'node:net';
import { Client, type ClientConfig as PgConfig } from 'pg';
import { ask } from './ask.ts';
import type { Result, Statement } from './dialect/connection.ts';
import type { SharedClient } from './dialect/pipelined-driver.ts';
import { codeOf, DatabaseUnavailable, isLockTimeout, isUnavailable, Overloaded } from './errors.ts';

// pg knows the option; its types don't yet.
export type ClientConfig = PgConfig & { pipeline?: boolean };

// What comes next on this connection would fail as well: the named statement was deallocated or its result type changed, the
// server ends, or it only reads and the one that writes may be elsewhere by now.
const spoilingStates = new Set(['26000', '0A000', '57P01', '57P02', '57P03', '57P05', '25006']);
// Told to a read that may succeed a moment later on the same connection.
const passingStates = new Set(['40001', '40P01']);
// Answers come in order, so who comes next waits at least as long as the oldest has.
const maxWaitMs = 2000;
// A server that refuses isn't asked by every request.
const pauseMs = 100;
// Through a pooler the number of the process is not the server's.
const endSessionMs = 250;

export interface PipelinedOptions {
  /** Whether a statement whose connection was lost is sent once more: right for reads, never for writes. */
  readonly resend: boolean;
  /** A connection that owes an answer for so long is given up with all that waits on it; 0 for never. */
  readonly giveUpMs: number;
  /** Ends another session of the server, by the number of its process. */
  readonly endSession?: (processId: number) => Promise<unknown>;
}

interface Link {
  readonly client: Client;
  readonly socket: Socket;
}

interface Waiting {
  readonly sinceMs: number;
}

export class PipelinedClient implements SharedClient {
  readonly #config: ClientConfig;
  readonly #options: PipelinedOptions;
  /** Oldest first. */
  readonly #waiting = new Set<Waiting>();
  #opening: Promise<Link> | undefined;
  #link: Link | undefined;
  #failed: { readonly error: DatabaseUnavailable; readonly atMs: number } | undefined;
  #closed = false;

  constructor(config: ClientConfig, options: PipelinedOptions) {
    this.#config = { ...config, pipeline: true };
    this.#options = options;
  }

  /**
   * Sends one statement. Throws DatabaseUnavailable where the connection can't be had or is lost before the answer, Overloaded
   * where it was not sent because others wait too long.
   */
  async query(statement: Statement): Promise<Result> {
    const nowMs = performance.now();
    const oldest = this.#oldest();
    if (oldest !== undefined && nowMs - oldest.sinceMs > maxWaitMs)
      throw new Overloaded(`a statement has been waiting for more than ${maxWaitMs} ms`);
    const waiting: Waiting = { sinceMs: nowMs };
    this.#waiting.add(waiting);
    try {
      return await this.#send(statement, waiting, this.#options.resend);
    } catch (error) {
      throw isUnavailable(error) && !(error instanceof DatabaseUnavailable) ? new DatabaseUnavailable(error) : error;
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  async #send(statement: Statement, waiting: Waiting, mayResend: boolean): Promise<Result> {
    const link = this.#link ?? (await this.#open());
    const { giveUpMs } = this.#options;
    const timer = giveUpMs === 0 ? undefined : setTimeout(() => link.socket.destroy(), giveUpMs).unref();
    try {
      return await ask(link.client, statement);
    } catch (error) {
      const code = codeOf(error);
      if (spoilingStates.has(code)) this.#leave(link);
      if (isLockTimeout(error) && this.#link === link && this.#waiting.size > 1) this.#endSession(link);
      const isPassing = this.#link !== link || passingStates.has(code);
      const hasTime = performance.now() - waiting.sinceMs < maxWaitMs;
      if (!mayResend || !isPassing || !hasTime) throw error;
      return await this.#send(statement, waiting, false);
    } finally {
      clearTimeout(timer);
    }
  }

  /** What is asked from now on goes out on a new connection. */
  renew(): void {
    if (this.#link !== undefined) this.#leave(this.#link);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const link = this.#link ?? (await this.#opening?.catch(() => undefined));
    await link?.client.end().catch(() => undefined);
  }

  #oldest(): Waiting | undefined {
    return this.#waiting.values().next().value;
  }

  // Everybody who needs the connection while it opens waits for the same attempt.
  async #open(): Promise<Link> {
    if (this.#closed) throw new DatabaseUnavailable('the connection was closed');
    if (this.#failed !== undefined && performance.now() - this.#failed.atMs < pauseMs) throw this.#failed.error;
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #connect(): Promise<Link> {
    const socket = new Socket();
    const client = new Client({ ...this.#config, stream: () => socket });
    const link = { client, socket };
    client.on('error', () => this.#leave(link));
    client.on('end', () => this.#leave(link));
    try {
      await client.connect();
    } catch (cause) {
      client.end().catch(() => undefined);
      // Whatever the reason, no request is to blame for it.
      const error = new DatabaseUnavailable(cause);
      this.#failed = { error, atMs: performance.now() };
      throw error;
    }
    this.#failed = undefined;
    this.#link = link;
    return link;
  }

  /**
   * What follows on the connection waits for the same lock, one statement after the other: they end together, with their session. It is
   * the server that ends it, so that what it did before is answered. Where it doesn't, we close the connection, and it notices that
   * while the statement waits (client_connection_check_interval).
   */
  #endSession(link: Link): void {
    this.#leave(link);
    const { processID } = link.client as Client & { processID: number };
    this.#options.endSession?.(processID).catch(() => undefined);
    setTimeout(() => link.socket.destroy(), endSessionMs).unref();
  }

  // Nothing more is sent on it. What is in flight still gets its answer, or pg's error where the connection is gone.
  #leave(link: Link): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    if (!this.#closed) link.client.end().catch(() => undefined);
  }
}
