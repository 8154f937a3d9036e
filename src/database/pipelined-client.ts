// One pipelined pg connection that is opened when it is needed and opened anew when it was lost. A lost connection rejects all
// that was in flight; whether that may be sent again only the caller knows.
import { Client, type ClientConfig as PgConfig } from 'pg';
import type { SharedClient } from './dialect/pipelined-driver.ts';
import { DatabaseUnavailable, isUnavailable } from './errors.ts';

type Statement = Parameters<SharedClient['query']>[0];
type Result = Awaited<ReturnType<SharedClient['query']>>;

// pg knows the option; its types don't yet.
export type ClientConfig = PgConfig & { pipeline?: boolean };

// A named statement that fails so will fail for ever on its connection: it was deallocated, or its result type changed.
const poisonedStatements = new Set(['26000', '0A000']);
const cancelled = '57014';

export class PipelinedClient implements SharedClient {
  readonly #config: ClientConfig;
  readonly #resend: boolean;
  #opening: Promise<Client> | undefined;
  #client: Client | undefined;
  #closed = false;

  /** @param resend whether a statement whose connection was lost is sent once more: right for reads, never for writes */
  constructor(config: ClientConfig, resend: boolean) {
    this.#config = { ...config, pipeline: true };
    this.#resend = resend;
  }

  /** Sends one statement. Throws DatabaseUnavailable where the connection can't be had or is lost before the answer. */
  async query(statement: Statement): Promise<Result> {
    try {
      return await this.#send(statement, this.#resend);
    } catch (error) {
      throw isUnavailable(error) ? new DatabaseUnavailable(error) : error;
    }
  }

  async #send(statement: Statement, mayResend: boolean): Promise<Result> {
    const client = this.#client ?? (await this.#open());
    try {
      return await client.query(statement);
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (typeof code === 'string' && poisonedStatements.has(code)) this.#drop(client);
      if (!mayResend || this.#client === client || code === cancelled) throw error;
      return await this.#send(statement, false);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client ?? (await this.#opening?.catch(() => undefined));
    await client?.end().catch(() => undefined);
  }

  // Everybody who needs the connection while it opens waits for the same attempt.
  #open(): Promise<Client> {
    if (this.#closed) throw new DatabaseUnavailable('the connection was closed');
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #connect(): Promise<Client> {
    const client = new Client(this.#config);
    client.on('error', () => this.#drop(client));
    client.on('end', () => this.#drop(client));
    try {
      await client.connect();
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    return client;
  }

  // What is in flight on it still gets its answer, or pg's error where the connection is gone.
  #drop(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    if (!this.#closed) client.end().catch(() => undefined);
  }
}
