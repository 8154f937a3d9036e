// The support detects what a page must not do.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Test, test } from 'tap';
import { findFaults, openPage, skip, tabTo } from './support.ts';

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src *; img-src * data:";

/** A server whose `/` is the body given with each address: `/?<p>text</p>`. */
async function startPages(t: Test): Promise<(body: string) => string> {
  const server = createServer(({ url = '' }, response) => {
    const [path, body = ''] = url.split('?');
    if (path === '/throws.js') response.setHeader('content-type', 'text/javascript').end('throw new Error("thrown")');
    else if (path === '/bare.css') response.setHeader('content-type', 'text/css').end(':focus { outline: none }');
    else if (path === '/') {
      response.setHeader('content-type', 'text/html').setHeader('content-security-policy', policy);
      response.end(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>page</title>
        <link rel="icon" href="data:,"><main><h1>Page</h1>${decodeURIComponent(body)}</main></html>`);
    } else response.writeHead(path === '/fails' ? 500 : 404).end('No such page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return (body) => `http://127.0.0.1:${port}/?${encodeURIComponent(body)}`;
}

await test('each error of a page is reported', { skip }, async (t) => {
  const address = await startPages(t);
  const complaints: string[] = [];
  const watcher = { teardown: t.teardown.bind(t), fail: (complaint: string) => complaints.push(complaint) };
  const page = await openPage(watcher, { hosts: [address('')], expected: /\/expected$/ });
  const cases: [body: string, complaint: RegExp | undefined][] = [
    ['<p>calm</p>', undefined],
    ['<script src="/throws.js"></script>', /^script error: Error: thrown/],
    ['<script>1</script>', /^console error: .*Content Security Policy/],
    ['<p style="color: red">red</p>', /^console error: .*Content Security Policy/],
    ['<img alt="" src="http://example.com/a.png">', /^request to another host: http:\/\/example\.com\/a\.png$/],
    ['<img alt="" src="http://127.0.0.1:1/a.png">', /^request to another host: http:\/\/127\.0\.0\.1:1\/a\.png$/],
    ['<img alt="" src="/lacks.png">', /^404 for \S+\/lacks\.png$/],
    ['<img alt="" src="/expected">', undefined],
  ];
  for (const [body, complaint] of cases) {
    complaints.length = 0;
    await page.goto(address(body), { waitUntil: 'networkidle' });
    if (complaint === undefined) t.same(complaints, [], body);
    else t.match(complaints[0], complaint, body);
  }
  complaints.length = 0;
  await page.goto('/missing');
  t.same(complaints, [], 'a page that is an error');
  await page.goto('/fails');
  t.match(complaints[0], /^500 for /);
});

await test('faults of a page’s markup, layout and focus are found', { skip }, async (t) => {
  const address = await startPages(t);
  const page = await openPage(t, { hosts: [address('')], width: 390 });
  for (const [body, faults] of [
    ['<p>calm</p>', []],
    ['<img src="data:,">', ['image-alt: img']],
    ['<h1>Another</h1>', ['2 h1']],
    [`<p>${'w'.repeat(200)}</p>`, [/scrolls horizontally/]],
  ] as const) {
    await page.goto(address(body));
    t.match(await findFaults(page), faults, body.slice(0, 40));
  }
  const button = page.getByRole('button', { name: 'Send' });
  await page.goto(address('<a href="/">Home</a><button>Send</button>'));
  await tabTo(page, button);
  await page.goto(address('<link rel="stylesheet" href="/bare.css"><button>Send</button>'));
  await t.rejects(tabTo(page, button), { message: "the focus isn't visible: button Send" });
});
