// A pipelined pg connection, opened when needed and again after a loss. A loss fails the statements in
// flight, but reads are sent once more. Statements are sent without waiting for the answers before them.
import { Socket } from 'node:net';
import { Client, type ClientConfig, Query, type QueryResult } from 'pg';
import type { NamedQuery } from './prepare.ts';
import { codeOf } from '../base/failure.ts';
import { DatabaseUnavailable, isLockTimeout, isUnavailable } from './sqlstates.ts';
import { watchOldest } from './watch-oldest.ts';

/** For the metrics: statements sent and failed since the start, and those in flight now. */
export type StatementFigures = Record<'sent' | 'failed' | 'inFlight', number>;

// After these errors, the next statements would fail too: the named statement is gone, its result type
// changed, the server ends, or it is read-only and the writable server may be elsewhere.
const spoilingStates = new Set(['26000', '0A000', '57P01', '57P02', '57P03', '57P05', '25006']);
// If the oldest statement has waited this long, new ones are refused: answers come in order.
const maxWaitMs = 2000;
// The pause after a failed attempt to connect.
const pauseMs = 100;

interface PipelinedOptions {
  readonly figures: StatementFigures;
  /** Whether to send statements once more after a loss: right for reads, never for writes. */
  readonly resend: boolean;
  /** The longest wait for an answer. Then the connection is closed, and all statements fail. */
  readonly giveUpMs: number;
}

interface Link {
  readonly client: Client;
  readonly socket: Socket;
}

interface Waiting {
  readonly sinceMs: number;
  /** Undefined while the connection opens. */
  link: Link | undefined;
}

export type PipelinedClient = ReturnType<typeof openPipelined>;

export function openPipelined(config: () => Promise<ClientConfig>, { figures, resend, giveUpMs }: PipelinedOptions) {
  // The oldest is first.
  const waiting = new Set<Waiting>();
  let opening: Promise<Link> | undefined;
  let current: Link | undefined;
  let failed: { readonly error: DatabaseUnavailable; readonly atMs: number } | undefined;
  let isClosed = false;
  const oldest = () => waiting.values().next().value;
  const watch = watchOldest(giveUpMs, oldest, ({ link }) => link?.socket.destroy());

  /**
   * Throws DatabaseUnavailable if there is no connection, if it is lost before the answer, or if the
   * oldest statement has waited too long.
   */
  async function executeQuery<R>(statement: NamedQuery<R>) {
    const sinceMs = performance.now();
    const [first] = waiting;
    if (first !== undefined && sinceMs - first.sinceMs > maxWaitMs)
      throw new DatabaseUnavailable(`a statement has been waiting for more than ${maxWaitMs} ms`);
    const sent: Waiting = { sinceMs, link: undefined };
    waiting.add(sent);
    watch();
    figures.sent++;
    figures.inFlight++;
    try {
      return (await send(statement, sent, resend)) as { rows: R[] };
    } catch (error) {
      figures.failed++;
      throw isUnavailable(error) && !(error instanceof DatabaseUnavailable) ? new DatabaseUnavailable(error) : error;
    } finally {
      figures.inFlight--;
      waiting.delete(sent);
    }
  }

  async function send(statement: NamedQuery, sent: Waiting, mayResend: boolean): Promise<QueryResult> {
    const link = current ?? (await open());
    sent.link = link;
    try {
      return await sendOn(link.client, statement);
    } catch (error) {
      if (spoilingStates.has(codeOf(error))) leave(link);
      // The next statements would wait for the same lock in turn. Closing ends them: a waiting server
      // notices it (client_connection_check_interval).
      if (isLockTimeout(error) && waiting.size > 1) link.socket.destroy();
      const hasTime = performance.now() - sent.sinceMs < maxWaitMs;
      if (!mayResend || current === link || !hasTime) throw error;
      return await send(statement, sent, false);
    }
  }

  /** The next statements get a new connection. */
  function renew() {
    if (current !== undefined) leave(current);
  }

  async function close() {
    isClosed = true;
    const link = current ?? (await opening?.catch(() => undefined));
    await link?.client.end().catch(() => undefined);
  }

  // Statements that come while the connection opens share one attempt.
  async function open() {
    if (isClosed) throw new DatabaseUnavailable('the connection was closed');
    if (failed !== undefined && performance.now() - failed.atMs < pauseMs) throw failed.error;
    return (opening ??= connect().finally(() => (opening = undefined)));
  }

  async function connect(): Promise<Link> {
    const socket = new Socket();
    // pg knows `pipeline`; its types don't yet.
    const options: ClientConfig & { pipeline: true } = { ...(await config()), pipeline: true, stream: () => socket };
    const client = new Client(options);
    const link = { client, socket };
    client.on('error', () => leave(link));
    client.on('end', () => leave(link));
    try {
      await client.connect();
    } catch (cause) {
      client.end().catch(() => undefined);
      // Requests get 503, whatever the cause.
      const error = new DatabaseUnavailable(cause);
      failed = { error, atMs: performance.now() };
      throw error;
    }
    failed = undefined;
    current = link;
    return link;
  }

  // Sends nothing more on the link. Statements in flight still get answers, or pg's error.
  function leave(link: Link) {
    if (current !== link) return;
    current = undefined;
    if (!isClosed) link.client.end().catch(() => undefined);
  }

  return { executeQuery, renew, close };
}

/**
 * Passes a callback: with pg's promise, the garbage collector keeps statements and rows too long
 * (docs/decisions/0008). Makes a Query: pg would copy a plain object, property by property.
 */
const sendOn = (client: Client, { name, sql, parameters }: NamedQuery): Promise<QueryResult> =>
  new Promise((resolve, reject) => {
    const query = new Query(sql, parameters as unknown[], (error, result) => (error ? reject(error) : resolve(result)));
    client.query(Object.assign(query, { name }));
  });
