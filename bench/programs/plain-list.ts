// The list by the plain statement: user, total, page. No token is checked and nothing is hidden.
// Usage: plain-list.ts pool|pipelined
import { connect, entryOf, type Row, send, serve } from './serve.ts';

const text = `
  select t.total, s.id, s.notification, s.scope, s.frequency, s.target_path
  from understudy.users u
  cross join lateral (
    select count(*)::int4 as total from understudy.subscriptions x where x.sandbox_id = 1 and x.user_id = u.id) t
  left join lateral (
    select x.id, x.notification, x.scope, x.frequency, x.target_path
    from understudy.subscriptions x
    where x.sandbox_id = 1 and x.user_id = u.id
    order by x.id limit $2 offset $3) s on true
  where u.sandbox_id = 1 and u.username_key = $1
  order by s.id`;

const query = await connect(process.argv[2]);
const allow = 'GET, POST, HEAD, OPTIONS';

serve(async (request, response) => {
  const base = `http://${request.headers.host}`;
  const url = new URL(request.url ?? '/', base);
  const username = /^\/api\/users\/([^/]+)\/notifications\/$/.exec(url.pathname)?.[1];
  if (username === undefined) return send(response, 404, allow, { detail: 'Not found.' });
  const page = Number(url.searchParams.get('page') ?? 1);
  const size = Number(url.searchParams.get('page_size') ?? 50);
  const found = await query({
    name: 'list',
    text,
    values: [decodeURIComponent(username).toLowerCase(), size, (page - 1) * size],
  });
  const rows = found.rows as (Row & { total: number })[];
  const total = rows[0]?.total;
  if (total === undefined) return send(response, 404, allow, { detail: 'Not found.' });
  const link = (number: number) => `${base}${url.pathname}?page=${number}`;
  send(response, 200, allow, {
    count: total,
    next: page * size < total ? link(page + 1) : null,
    previous: page > 1 ? link(page - 1) : null,
    results: total === 0 ? [] : rows.map((row) => entryOf(row, base)),
  });
});
