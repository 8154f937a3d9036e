// Create, change and delete by the bare statement on a table whose ids come from an identity column. Every client may write.
// Usage: plain-writes.ts pipelined
import type { IncomingMessage } from 'node:http';
import { connect, entryOf, type Row, send, serve } from './serve.ts';

const columns = 's.id, s.notification, s.scope, s.frequency, s.target_path';
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

const query = await connect(process.argv[2]);
const allow = 'GET, POST, HEAD, OPTIONS';
const allowOne = 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS';

serve(async (request, response) => {
  const base = `http://${request.headers.host}`;
  const match = /^\/api\/users\/([^/]+)\/notifications\/(?:(\d+)\/)?$/.exec(request.url ?? '/');
  const username = decodeURIComponent(match?.[1] ?? '').toLowerCase();
  const id = Number(match?.[2]);
  if (request.method === 'DELETE') {
    const { rowCount } = await query({ name: 'delete', text: remove, values: [username, id] });
    if (rowCount === 1) response.writeHead(204, { allow: allowOne, vary: 'Accept' }).end();
    else send(response, 404, allowOne, { detail: 'Not found.' });
    return;
  }
  const fields = JSON.parse(await readBody(request)) as Row;
  const isNew = request.method === 'POST';
  const { rows } = await query(
    isNew
      ? { name: 'create', text: create, values: [username, fields.notification, fields.scope, fields.frequency] }
      : { name: 'change', text: change, values: [username, id, fields.frequency] },
  );
  const [row] = rows as Row[];
  if (row === undefined) send(response, 404, allow, { detail: 'Not found.' });
  else send(response, isNew ? 201 : 200, isNew ? allow : allowOne, entryOf(row, base));
});

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
