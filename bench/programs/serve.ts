// What the plain programs have in common: node:http on a free port, and the database by a pool or by one pipelined client. Written
// to do this one thing fast and no more.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, Pool } from 'pg';

type Statement = Readonly<{ name: string; text: string; values: unknown[] }>;
export type Query = (statement: Statement) => Promise<{ rows: unknown[]; rowCount: number | null }>;

export async function connect(kind: string | undefined): Promise<Query> {
  const config = { connectionString: process.env['DATABASE_URL'] };
  if (kind === 'pool') {
    const pool = new Pool({ ...config, max: 8 });
    return (statement) => pool.query(statement);
  }
  // pg knows `pipeline`; its types don't yet.
  const pipelined = { ...config, pipeline: true };
  const client = new Client(pipelined);
  await client.connect();
  return (statement) => client.query(statement);
}

export function serve(handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>): void {
  const server = createServer((request, response) => {
    handler(request, response).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      response.writeHead(500).end();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
  process.once('SIGTERM', () => process.exit());
}

export function send(response: ServerResponse, status: number, allow: string, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    allow,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    vary: 'Accept',
  });
  response.end(text);
}

export interface Row {
  id: number;
  notification: string;
  scope: number;
  frequency: number;
  project: string | null;
  component: string | null;
}

/** An entry as the specification has it. */
export const entryOf = (row: Row, base: string) => ({
  notification: row.notification,
  id: row.id,
  scope: row.scope,
  frequency: row.frequency,
  project: row.project === null ? null : `${base}/api/projects/${row.project}/`,
  component: row.component === null ? null : `${base}/api/components/${row.component}/`,
});
