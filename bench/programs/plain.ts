// A plain program that lists the service's subscriptions. It creates, changes and deletes subscriptions in a
// copy of their table, in which an identity column makes the ids. It checks no token, hides nothing, and lets
// every client write. It uses a pool of connections or one pipelined client.
// Usage: plain.ts pool|pipelined
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, Pool } from 'pg';

interface Row {
  id: number;
  notification: string;
  scope: number;
  frequency: number;
  project: string | null;
  component: string | null;
}

const list = `
  select t.total, s.id, s.notification, s.scope, s.frequency, s.project, s.component
  from understudy.users u
  cross join lateral (
    select count(*)::int4 as total from understudy.subscriptions x where x.sandbox_id = 1 and x.user_id = u.id) t
  left join lateral (
    select x.id, x.notification, x.scope, x.frequency, x.project, x.component
    from understudy.subscriptions x
    where x.sandbox_id = 1 and x.user_id = u.id
    order by x.id limit $2 offset $3) s on true
  where u.sandbox_id = 1 and u.username_key = $1
  order by s.id`;
const columns = 's.id, s.notification, s.scope, s.frequency, s.project, s.component';
const create = `
  insert into plain.subscriptions as s (sandbox_id, user_id, notification, scope, frequency)
  select u.sandbox_id, u.id, $2, $3, $4 from understudy.users u where u.sandbox_id = 1 and u.username_key = $1
  returning ${columns}`;
const change = `
  update plain.subscriptions s set frequency = $3 from understudy.users u
  where u.sandbox_id = 1 and u.username_key = $1 and s.sandbox_id = 1 and s.id = $2 and s.user_id = u.id
  returning ${columns}`;
const remove = `
  delete from plain.subscriptions s using understudy.users u
  where u.sandbox_id = 1 and u.username_key = $1 and s.sandbox_id = 1 and s.id = $2 and s.user_id = u.id`;

type Statement = Readonly<{ name: string; text: string; values: unknown[] }>;

const config = { connectionString: process.env['DATABASE_URL'] };
// pg has the option `pipeline`; its types don't have it yet.
const pipelined = { ...config, pipeline: true };
const client = process.argv[2] === 'pool' ? new Pool({ ...config, max: 8 }) : new Client(pipelined);
if (client instanceof Client) await client.connect();
const query = (statement: Statement) => client.query<Row & { total: number }>(statement);

const allowList = 'GET, POST, HEAD, OPTIONS';
const allowOne = 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS';
const notFound = { detail: 'Not found.' };

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const base = `http://${request.headers.host}`;
  const url = new URL(request.url ?? '/', base);
  const match = /^\/api\/users\/([^/]+)\/notifications\/(?:(\d+)\/)?$/.exec(url.pathname);
  if (match === null) return send(response, 404, allowList, notFound);
  const username = decodeURIComponent(match[1] ?? '').toLowerCase();
  const id = Number(match[2]);
  if (request.method === 'GET') {
    const page = Number(url.searchParams.get('page') ?? 1);
    const size = Number(url.searchParams.get('page_size') ?? 50);
    const found = await query({ name: 'list', text: list, values: [username, size, (page - 1) * size] });
    const total = found.rows[0]?.total;
    if (total === undefined) return send(response, 404, allowList, notFound);
    const link = (number: number) => `${base}${url.pathname}?page=${number}`;
    return send(response, 200, allowList, {
      count: total,
      next: page * size < total ? link(page + 1) : null,
      previous: page > 1 ? link(page - 1) : null,
      results: total === 0 ? [] : found.rows.map((row) => entryOf(row, base)),
    });
  }
  if (request.method === 'DELETE') {
    const { rowCount } = await query({ name: 'delete', text: remove, values: [username, id] });
    if (rowCount !== 1) return send(response, 404, allowOne, notFound);
    response.writeHead(204, { allow: allowOne, vary: 'Accept' }).end();
    return;
  }
  const fields = JSON.parse(await readBody(request)) as Row;
  const isNew = request.method === 'POST';
  const { rows } = await query(
    isNew
      ? { name: 'create', text: create, values: [username, fields.notification, fields.scope, fields.frequency] }
      : { name: 'change', text: change, values: [username, id, fields.frequency] },
  );
  const [row] = rows;
  if (row === undefined) return send(response, 404, allowList, notFound);
  send(response, isNew ? 201 : 200, isNew ? allowList : allowOne, entryOf(row, base));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, allow: string, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    allow,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    vary: 'Accept',
  });
  response.end(text);
}

const entryOf = ({ id, notification, scope, frequency, project, component }: Row, base: string) => ({
  notification,
  id,
  scope,
  frequency,
  project: project === null ? null : `${base}/api/projects/${project}/`,
  component: component === null ? null : `${base}/api/components/${component}/`,
});

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    response.writeHead(500).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());
