// One pipelined pg connection that is opened when it is needed and opened anew when it was lost. A lost connection rejects all
// that was in flight; whether that may be sent again only the caller knows.
import { Client, type ClientConfig as PgConfig } from 'pg';
import type { SharedClient } from './dialect/pipelined-driver.ts';
import { codeOf, DatabaseUnavailable, isUnavailable, Overloaded } from './errors.ts';

type Statement = Parameters<SharedClient['query']>[0];
type Result = Awaited<ReturnType<SharedClient['query']>>;

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

export class PipelinedClient implements SharedClient {
  readonly #config: ClientConfig;
  readonly #resend: boolean;
  /** Oldest first. */
  readonly #waiting = new Set<{ readonly sinceMs: number }>();
  #opening: Promise<Client> | undefined;
  #client: Client | undefined;
  #failed: { readonly error: DatabaseUnavailable; readonly atMs: number } | undefined;
  #closed = false;

  /** @param resend whether a statement whose connection was lost is sent once more: right for reads, never for writes */
  constructor(config: ClientConfig, resend: boolean) {
    this.#config = { ...config, pipeline: true };
    this.#resend = resend;
  }

  /**
   * Sends one statement. Throws DatabaseUnavailable where the connection can't be had or is lost before the answer, Overloaded
   * where it was not sent because others wait too long.
   */
  async query(statement: Statement): Promise<Result> {
    const nowMs = performance.now();
    const oldest = this.#waiting.values().next().value;
    if (oldest !== undefined && nowMs - oldest.sinceMs > maxWaitMs)
      throw new Overloaded(`a statement has been waiting for more than ${maxWaitMs} ms`);
    const waiting = { sinceMs: nowMs };
    this.#waiting.add(waiting);
    try {
      return await this.#send(statement, nowMs, this.#resend);
    } catch (error) {
      throw isUnavailable(error) && !(error instanceof DatabaseUnavailable) ? new DatabaseUnavailable(error) : error;
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  async #send(statement: Statement, sinceMs: number, mayResend: boolean): Promise<Result> {
    const client = this.#client ?? (await this.#open());
    try {
      return await client.query(statement);
    } catch (error) {
      const code = codeOf(error);
      if (spoilingStates.has(code)) this.#leave(client);
      const isPassing = this.#client !== client || passingStates.has(code);
      const hasTime = performance.now() - sinceMs < maxWaitMs;
      if (!mayResend || !isPassing || !hasTime) throw error;
      return await this.#send(statement, sinceMs, false);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client ?? (await this.#opening?.catch(() => undefined));
    await client?.end().catch(() => undefined);
  }

  // Everybody who needs the connection while it opens waits for the same attempt.
  async #open(): Promise<Client> {
    if (this.#closed) throw new DatabaseUnavailable('the connection was closed');
    if (this.#failed !== undefined && performance.now() - this.#failed.atMs < pauseMs) throw this.#failed.error;
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #connect(): Promise<Client> {
    const client = new Client(this.#config);
    client.on('error', () => this.#leave(client));
    client.on('end', () => this.#leave(client));
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
    this.#client = client;
    return client;
  }

  // Nothing more is sent on it. What is in flight still gets its answer, or pg's error where the connection is gone.
  #leave(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    if (!this.#closed) client.end().catch(() => undefined);
  }
}
