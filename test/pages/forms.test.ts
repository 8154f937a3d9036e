// The forms of browsable pages: a control for each kind of field, entered values, errors by field, the body as text; and the curl
// commands, parsed by a real shell, and sent.
import { execFileSync } from 'node:child_process';
import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { test } from 'tap';
import { nullable } from '../../src/http/operation.ts';
import { optionsOnly } from '../../src/http/options.ts';
import { curlLine, type CurlRequest } from '../../src/pages/curl.ts';
import { absoluteUrl } from '../../src/pages/links.ts';
import { type Element, parse } from '../support/markup.ts';
import { startService } from '../support/service.ts';
import { answering, baseUrl, created, creating, listUrl, type Page, pathsWith, renderPage, scope } from './example.ts';

const pageOf = (page: Page = {}): Element[] => parse(renderPage(page));

/** The page with a form of these fields. */
const withFields = (properties: TProperties, values: object = {}, more: Page = {}): Element[] =>
  pageOf({ paths: pathsWith(answering(), creating(properties, values)), ...more });

/** A 400 response to the form. Each error is the name of a field, or null for the whole form, and a message. */
const refusing = (...errors: readonly (readonly [string | null, string])[]): Page => ({
  method: 'POST',
  status: 400,
  sent: '{}',
  json: JSON.stringify({
    type: 'validation_error',
    errors: errors.map(([attr, detail]) => ({ code: 'invalid', detail, attr })),
  }),
});

const fieldIn = (elements: readonly Element[], key: string): Element =>
  elements.find(({ attributes }) => attributes.get('data-key') === key) as Element;

const controlOf = (schema: TSchema, value: unknown): Element =>
  fieldIn(withFields({ field: schema }, { field: value }), 'field');

const optionsOf = (elements: readonly Element[], select: Element) =>
  elements
    .filter(({ name, parent }) => name === 'option' && parent === select)
    .map(({ text: label, attributes }) => [attributes.get('value'), label, attributes.has('selected')]);

await test('the script of a form sends the JSON text to the URL of the API', async (t) => {
  const elements = pageOf({ visitor: { username: 'alice', choices: [] } });
  const form = elements.find(({ attributes }) => attributes.get('class') === 'send');
  t.equal(form?.attributes.get('action'), `${baseUrl}/api/users/alice/notifications/`);
  t.same(
    elements.flatMap(({ attributes }) => attributes.get('data-method') ?? []),
    ['POST', 'OPTIONS'],
  );
  const body = elements.find(({ name }) => name === 'textarea');
  t.equal(body?.text, `\n${JSON.stringify(created, null, 2)}`, 'browsers drop the first line break of a textarea');
  const scripts = elements.filter(({ name }) => name === 'script').map(({ attributes }) => attributes.get('src'));
  t.same(
    scripts.map((src) => src?.split('/').at(-1)),
    ['send-form.js', 'page.js'],
  );
  const names = elements.filter(({ attributes, parent }) => attributes.has('name') && inForm(parent));
  t.same(names, [], 'no field has a name, so the browser sends none beside the body');
  t.equal(pageOf({ headers: { allow: 'GET' } }).filter(({ name }) => name === 'script').length, 1);
});

function inForm(element: Element | undefined): boolean {
  return element !== undefined && (element.attributes.get('class') === 'send' || inForm(element.parent));
}

await test('a form is sent to its sandbox, even if a header chose the sandbox', async (t) => {
  const actionOf = (more: Page) =>
    pageOf({ sandbox: 'ci', ...more })
      .find(({ attributes }) => attributes.get('class') === 'send')
      ?.attributes.get('action');
  const url = `${baseUrl}/sandboxes/ci${listUrl.replace(':username', 'alice')}`;
  t.equal(actionOf({}), url);
  t.equal(actionOf({ baseUrl: `${baseUrl}/sandboxes/ci`, prefix: '/sandboxes/ci' }), url);
});

await test('each kind of field gets its own control', async (t) => {
  const elements = pageOf();
  t.same(optionsOf(elements, fieldIn(elements, 'scope')), [
    ['10', 'Watched (10)', true],
    ['20', 'Administered (20)', false],
  ]);
  t.equal(controlOf(Type.String(), 'Alice "A"').attributes.get('value'), 'Alice "A"');
  t.equal(controlOf(nullable(Type.String()), null).attributes.get('value'), '');
  t.equal(controlOf(Type.Integer(), 3).attributes.get('inputmode'), 'numeric');
  t.ok(controlOf(Type.Boolean(), true).attributes.has('checked'));
  t.notOk(controlOf(Type.Boolean(), false).attributes.has('checked'));
  t.equal(controlOf(Type.Unknown(), { a: [1] }).text, `\n${JSON.stringify({ a: [1] }, null, 2)}`);
});

await test('a select shows a missing, an unknown and a null value', async (t) => {
  const of = (schema: TSchema, values: object) => {
    const elements = withFields({ scope: schema }, values);
    return optionsOf(elements, fieldIn(elements, 'scope'));
  };
  t.same(of(scope, {})[0], ['', 'not sent', true]);
  t.same(of(scope, { scope: 15 }).at(-1), ['15', '15', true]);
  t.same(of(nullable(scope), { scope: null })[0], ['null', 'null', true]);
});

await test('a field has a label and a description', async (t) => {
  const field = nullable(Type.String({ title: 'Full name', description: 'At most 150 characters.' }));
  const elements = withFields({ full_name: field });
  const control = fieldIn(elements, 'full_name');
  const label = elements.find(({ attributes }) => attributes.get('for') === control.attributes.get('id'));
  t.match(label?.text.replace(/\s+/g, ' '), 'full_name required');
  const help = elements.find(({ attributes }) => attributes.get('id') === control.attributes.get('aria-describedby'));
  t.equal(help?.text, 'At most 150 characters. Empty means null.');
});

await test('the fields of an object are folded, unless one has an error', async (t) => {
  const theme = { type: 'string', required: false, read_only: false };
  const profile = Type.Object({}, { [optionsOnly]: { children: { theme } } });
  const groupOf = (more: Page) =>
    withFields({ profile }, {}, more).find(({ attributes }) => attributes.get('class') === 'group');
  t.equal(groupOf({})?.attributes.has('open'), false);
  t.equal(groupOf(refusing(['profile.theme', 'Too odd.']))?.attributes.has('open'), true);
});

await test('the hint to choose a user is shown only if sending needs one', async (t) => {
  const hasHint = (more: Page) =>
    pageOf(more).some(({ text: shown }) => shown === 'To send this, choose a user in the header of the page.');
  t.ok(hasHint({ visitor: { choices: [] } }));
  t.notOk(hasHint({ visitor: { choices: [] }, anonymous: 'write' }));
  t.notOk(hasHint({ visitor: { username: 'alice', choices: [] } }));
});

// The curl commands on pages, parsed by a real shell, and sent: a PUT takes the shown object's own values, and so succeeds.

/** The arguments after `curl` as a shell parses the line. */
function shellWords(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
  const output = execFileSync('sh', ['-c', script], {
    env: { TOKEN: 'secret', UNDERSTUDY_ADMIN_TOKEN: 'admin' },
    encoding: 'utf8',
  });
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
    [{ method: 'GET', url, token: '$UNDERSTUDY_ADMIN_TOKEN' }, [url, '-H', 'Authorization: Token admin']],
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
