// A pool of connections for transactions, shared out among sandboxes: one sandbox takes at most half of them, so
// that transactions of others go on while its own wait for a lock.
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { type Client, type ClientConfig, Pool, type PoolClient } from 'pg';
import { WaitQueue } from './wait-queue.ts';
import type { StatementFigures } from './pipelined-client.ts';
import { DatabaseUnavailable, isLockTimeout } from './sqlstates.ts';

interface PoolOptions {
  readonly size: number;
  /** How long a transaction waits for a connection before it is refused. */
  readonly maxWaitMs: number;
  /** A statement without an answer for so long fails, and its connection is closed. */
  readonly giveUpMs: number;
  readonly figures: StatementFigures;
}

export class SandboxPool {
  readonly #pool: Pool;
  readonly #options: PoolOptions;
  /** By connection. */
  readonly #inUse: (string | undefined)[] = [];
  readonly #clients = new Set<PoolClient>();
  readonly #queue: WaitQueue;

  constructor(config: ClientConfig, options: PoolOptions) {
    this.#pool = new Pool({ ...config, max: options.size, idleTimeoutMillis: 30_000 });
    // A client emits this when it loses its server, idle or in use. Without a listener it would end the process.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#pool.on('acquire', (client) => this.#clients.add(client));
    this.#pool.on('release', (_error, client) => this.#clients.delete(client));
    this.#options = options;
    this.#queue = new WaitQueue(options.maxWaitMs);
  }

  get figures() {
    return { connections: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#queue.length };
  }

  of(sandbox: string | undefined): PostgresPool {
    return { connect: () => this.#connect(sandbox), end: () => this.end(), options: {} };
  }

  /** Waits for no transaction: the server rolls them back. */
  async end(): Promise<void> {
    for (const client of this.#clients) void (client as unknown as Client).end();
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #connect(sandbox: string | undefined): Promise<PostgresPoolClient> {
    if (!this.#take(sandbox)) await this.#queue.wait(sandbox);
    try {
      return this.#wrap(await this.#pool.connect(), sandbox);
    } catch (error) {
      this.#giveBack(sandbox);
      // No request causes this, whatever the reason is.
      throw new DatabaseUnavailable(error);
    }
  }

  #wrap(client: PoolClient, sandbox: string | undefined): PostgresPoolClient {
    const { giveUpMs, figures } = this.#options;
    let lost: DatabaseUnavailable | undefined;
    const query = async (text: string, values: unknown[]) => {
      if (lost !== undefined) throw lost;
      const { promise: late, reject } = Promise.withResolvers<never>();
      const giveUp = () => {
        lost = new DatabaseUnavailable(`no answer for ${giveUpMs} ms`);
        reject(lost);
      };
      const timer = setTimeout(giveUp, giveUpMs);
      figures.sent++;
      figures.inFlight++;
      try {
        return await Promise.race([client.query(text, values), late]);
      } catch (error) {
        figures.failed++;
        if (isLockTimeout(error)) this.#queue.refuseLocked(sandbox);
        throw error;
      } finally {
        figures.inFlight--;
        clearTimeout(timer);
      }
    };
    // Kysely discards a client that can't roll back: its open transaction would be the next user's.
    const release = (discard?: boolean) => {
      client.release(lost ?? discard);
      this.#giveBack(sandbox);
    };
    // Kysely's other signature is for cursors, which the dialect isn't given.
    return { query, release } as unknown as PostgresPoolClient;
  }

  #take(sandbox: string | undefined): boolean {
    const { size } = this.#options;
    const ownCount = this.#inUse.filter((other) => other === sandbox).length;
    const share = sandbox === undefined ? size : Math.max(1, Math.floor(size / 2));
    if (this.#inUse.length >= size || ownCount >= share) return false;
    this.#inUse.push(sandbox);
    return true;
  }

  #giveBack(sandbox: string | undefined): void {
    this.#inUse.splice(this.#inUse.indexOf(sandbox), 1);
    this.#queue.admit((waiting) => this.#take(waiting));
  }
}
