// The curl commands on pages, parsed by a real shell, and sent: a PUT takes the shown object's own values, and so succeeds.
import { execFileSync } from 'node:child_process';
import { test } from 'tap';
import { curlLine, type CurlRequest } from '../../src/pages/curl.ts';
import { absoluteUrl } from '../../src/pages/links.ts';
import { answering, baseUrl, created, type Page, pathsWith, renderPage } from './example.ts';
import { parse } from '../support/markup.ts';
import { startService } from '../support/service.ts';

/** The arguments after `curl` as a shell parses the line. */
function shellWords(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
  const output = execFileSync('sh', ['-c', script], { env: { TOKEN: 'secret' }, encoding: 'utf8' });
  return output.split('\0').slice(0, -1);
}

function linesOf(page: Page): string[] {
  return parse(renderPage(page))
    .filter(({ attributes }) => attributes.get('class') === 'block copy')
    .map(({ text }) => text);
}

await test('a line is a complete curl command', async (t) => {
  const url = `${baseUrl}/api/`;
  const json = ['-H', 'Content-Type: application/json'];
  const cases: [CurlRequest, string[]][] = [
    [{ method: 'GET', url }, [url]],
    [{ method: 'HEAD', url }, ['-I', url]],
    [{ method: 'DELETE', url, token: '$TOKEN' }, ['-X', 'DELETE', url, '-H', 'Authorization: Token secret']],
    [{ method: 'GET', url, token: 'wlu_1' }, [url, '-H', 'Authorization: Token wlu_1']],
    [{ method: 'POST', url, body: "@it's $TOKEN" }, ['-X', 'POST', url, ...json, '--data-raw', "@it's $TOKEN"]],
  ];
  for (const [request, words] of cases) t.same(shellWords(curlLine(request)), words);
});

await test('the shell neither runs nor expands anything in an address or a token', async (t) => {
  const path = `/api/users/'$(touch /tmp/x)'\`id\`/";id;'/[1-3]{a,b}/\n\\/`;
  const words = shellWords(curlLine({ method: 'GET', url: baseUrl + path, token: "a'; id; '$TOKEN" }));
  t.same(words, [
    '--globoff',
    `${baseUrl}/api/users/'$(touch%20/tmp/x)'\`id\`/";id;'/[1-3]{a,b}/%0A\\/`,
    '-H',
    "Authorization: Token a'; id; '$TOKEN",
  ]);
});

await test('a page has a line for its own request, and for each form', async (t) => {
  const url = `${baseUrl}/api/users/alice/notifications/`;
  const token = ['-H', 'Authorization: Token secret'];
  t.same(linesOf({}).map(shellWords), [
    [`${url}?page=5`],
    [
      '-X',
      'POST',
      url,
      ...token,
      '-H',
      'Content-Type: application/json',
      '--data-raw',
      JSON.stringify(created, null, 2),
    ],
  ]);
  const get = { headers: { allow: 'GET' }, search: 'format=api' };
  t.same(linesOf({ ...get, visitor: { username: 'alice', choices: [] } }).map(shellWords), [[url, ...token]]);
  const alice = { username: 'alice', token: 'wlu_1', choices: [] };
  t.same(linesOf({ ...get, visitor: alice }).map(shellWords), [[url, '-H', 'Authorization: Token wlu_1']]);
  const sent = { method: 'POST', sent: '{"a": "it\u2019s"}', status: 201, json: '{}', paths: pathsWith(answering()) };
  t.same(linesOf({ ...sent, ...get, method: 'POST' }).map(shellWords), [
    ['-X', 'POST', url, ...token, '-H', 'Content-Type: application/json', '--data-raw', sent.sent],
  ]);
});

await test('an anonymous line has a token where the service wants one', async (t) => {
  const hasToken = (anonymous: 'read' | 'write' | 'strict') =>
    linesOf({ headers: { allow: 'GET, POST' }, anonymous }).map((line) => line.includes('$TOKEN'));
  t.same(hasToken('read'), [false, true]);
  t.same(hasToken('write'), [false, false]);
  t.same(hasToken('strict'), [true, true]);
});

await test('a line names the sandbox in its address, also where a header named it', async (t) => {
  const get = { headers: { allow: 'GET' }, path: '/api/', search: '', sandbox: 'ci' };
  const inPath = { ...get, baseUrl: `${baseUrl}/sandboxes/ci`, prefix: '/sandboxes/ci' };
  t.same(linesOf(inPath).map(shellWords), [[`${baseUrl}/sandboxes/ci/api/`]]);
  t.same(linesOf(get).map(shellWords), [[`${baseUrl}/sandboxes/ci/api/`]]);
});

await test('the absolute address of a path', async (t) => {
  t.equal(absoluteUrl(baseUrl, '/api/?a=1'), `${baseUrl}/api/?a=1`);
  t.equal(absoluteUrl('https://x.example/proxy', '/api/'), 'https://x.example/proxy/api/');
  t.equal(new URL(absoluteUrl(baseUrl, '@evil.example/')).host, '127.0.0.1:8000');
});

const headers = { accept: 'text/html' };

await test('the PUT line of each page succeeds', async (t) => {
  const service = await startService(t);
  const entries = Array.from({ length: 10 }, (_, i) => `/api/users/alice/notifications/${i + 1}/`);
  for (const path of [...entries, '/api/users/alice/', '/api/users/dave/']) {
    const page = (await service.request('GET', path, { as: 'admin', headers })).text;
    const [, line = ''] = /aria-label="Send PUT by curl"><code[^>]*>(.*?)<\/code>/s.exec(page) ?? [];
    const body = /--data-raw '(.*)'$/s.exec(line.replaceAll('&#34;', '"').replaceAll('&#39;', "'"))?.[1] ?? '';
    const answer = await service.request('PUT', path, { as: 'admin', json: JSON.parse(body) });
    t.equal(answer.status, 200, `${path} ${body} ${answer.text}`);
  }
});
