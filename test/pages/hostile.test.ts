// Values from outside stay text: they add no element, attribute, foreign link or style to a page.
import { type TSchema, Type } from '@sinclair/typebox';
import { test } from 'tap';
import type { Test } from 'tap';
import type { Method } from '../../src/http/operation.ts';
import { renderForClients } from '../../src/pages/home/home.ts';
import { html } from '../../src/pages/html.ts';
import { renderLayout } from '../../src/pages/frame/layout.ts';
import { baseUrl, list, operation, type Page, renderPage } from './example.ts';
import { type Element, parse } from '../support/markup.ts';

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `' onmouseover='alert(1)' style='x`,
  '" autofocus onfocus="alert(1)',
  '</style><script>x</script>',
  '</code></pre><h1>x',
  '<!-- --><svg/onload=x>',
  'javascript:alert(1)',
  'data:text/html,<script>x</script>',
  '&lt;script&gt;&#60;',
  'a\u0000b\u001b[31m\u202eevil\u2066',
  '${x}`$(id)`',
  '\ud800',
];

const addresses = [
  ...hostile,
  'JAVASCRIPT:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'vbscript:x',
  '//evil.example/',
  '/\\evil.example/',
  'http://evil.example/api/',
  'https://127.0.0.1:8000/api/',
  'http://127.0.0.1:80001/api/',
  'http://127.0.0.1:8000@evil.example/',
  'http://127.0.0.1:8000.evil.example/',
  'http://user:secret@127.0.0.1:8000/api/',
  'blob:http://127.0.0.1:8000/x',
  `${baseUrl}/api/ onclick=x`,
];

/** Pages whose every value from outside is the given one. */
function filledWith(value: string): string[] {
  const described = { title: value, description: value };
  const choice = {
    ...described,
    anyOf: [
      { const: value, title: `named ${value}` },
      { const: `another ${value}`, title: value },
    ],
  } as unknown as TSchema;
  const fields = Type.Object({
    choice,
    text: Type.String(described),
    number: Type.Integer(described),
    json: Type.Unknown(described),
    checkbox: Type.Boolean(described),
  });
  const values = { choice: value, text: value, number: value, json: [value], checkbox: true };
  const answer = Type.Object({ [value]: choice });
  const path = `/api/${value}/`;
  const methods = ['GET', 'POST', 'DELETE', value] as Method[];
  const ofPath = methods.map((method) =>
    operation(method, path, value, {
      description: value,
      ...(method !== 'DELETE' && { body: fields }),
      example: values,
      response: { 200: method === 'GET' ? answer : list({}), 201: answer },
    }),
  );
  const page: Page = {
    path,
    search: `q=${value}`,
    headers: { [value]: value, allow: methods.join(', ') },
    paths: {
      find: (one) => (one === path || one === '/api/' ? ofPath : undefined),
      findNearest: () => value,
      findEntryKey: () => value,
      listBelow: () => [{ path: value, name: value }],
    },
    sandbox: value,
    visitor: { username: value, token: value, choices: [{ username: value, token: value, note: value }] },
  };
  const entry = { [value]: value, nested: [[value], { [value]: { [value]: value } }] };
  const errors = [...Object.keys(values), value, null].map((attr) => ({ code: value, detail: value, attr }));
  const refused = { status: 400, json: JSON.stringify({ type: 'validation_error', errors }) };
  const pages: Page[] = [
    { json: JSON.stringify(entry) },
    { json: JSON.stringify({ count: 100, results: [entry] }), method: 'OPTIONS' },
    { json: JSON.stringify({ count: 100, results: [entry] }), method: value },
    { json: JSON.stringify(entry), method: 'POST', status: 201 },
    { ...refused, method: value, sent: JSON.stringify(values) },
    { ...refused, method: 'POST', sent: value },
    { ...refused, method: 'DELETE' },
    {
      ...refused,
      status: 404,
      paths: {
        ...(page.paths as NonNullable<Page['paths']>),
        find: (one: string) => (one === '/api/' ? [] : undefined),
      },
    },
  ];
  return pages.map((more) => renderPage({ ...page, ...more }));
}

const allowedElements =
  /^(html|head|meta|title|link|script|body|header|main|footer|nav|section|div|p|h1|h2|h3|ul|ol|li|dl|dt|dd|a|span|strong|em|code|pre|details|summary|svg|circle|table|caption|thead|tbody|tr|th|td|form|label|input|select|option|textarea|button|noscript)$/;
const allowedAttributes =
  /^(lang|charset|name|content|rel|href|src|defer|class|id|tabindex|autofocus|role|scope|for|type|value|rows|required|selected|checked|open|hidden|novalidate|method|action|autocomplete|autocapitalize|spellcheck|inputmode|viewbox|fill-opacity|cx|cy|r|aria-(hidden|label|labelledby|describedby|invalid|current)|data-(copy|key|kind|label|null|method|request))$/i;
// Attributes that hold URLs.
const addressing = new Set(['href', 'src', 'action']);

/** Fails on what no page may have. */
function checkSafe(t: Test, document: string, base: string): void {
  const elements = parse(document);
  // The frame also links to the console, outside of sandboxes.
  const root = base.replace(/\/sandboxes\/.*/, '');
  for (const element of elements) {
    const { name, attributes, text } = element;
    if (!allowedElements.test(name)) t.fail(`<${name}>`);
    if (name === 'script') t.match([attributes.get('src'), text], [/\/assets\/[\w-]{16}\/[a-z-]+\.js$/, '']);
    for (const [attribute, value] of attributes) {
      if (!allowedAttributes.test(attribute)) t.fail(`${attribute}="${value}"`);
      if (addressing.has(attribute)) checkAddress(t, name, value, isIn(element, 'main') ? base : root);
    }
  }
  // oxlint-disable-next-line no-control-regex
  t.notMatch(document, /[\0-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]/);
}

function checkAddress(t: Test, name: string, value: string, base: string): void {
  if (value === '#main' || (name === 'link' && value.startsWith('data:image/svg+xml,'))) return;
  const url = URL.parse(value);
  const isUnder = url !== null && url.protocol === 'http:' && value.startsWith(`${base}/`) && url.username === '';
  if (!isUnder) t.fail(`<${name}> leads to ${value}`);
}

const isTrail = ({ attributes, parent }: Element): boolean =>
  attributes.get('aria-label') === 'Where you are' || (parent !== undefined && isTrail(parent));

const isIn = ({ name, parent }: Element, wanted: string): boolean =>
  name === wanted || (parent !== undefined && isIn(parent, wanted));

await test('hostile values stay text', async (t) => {
  // The value may add or remove links, and parts of the path; all other elements must be the same.
  const shapeOf = (document: string) =>
    parse(document)
      .filter((element) => !['a', 'span'].includes(element.name) && !isTrail(element))
      .map(({ name }) => name)
      .join(' ');
  const plain = filledWith('plain').map(shapeOf);
  for (const value of [...hostile, ...addresses]) {
    const documents = filledWith(value);
    for (const document of documents) checkSafe(t, document, baseUrl);
    for (const [place, document] of documents.entries())
      t.equal(shapeOf(document), plain[place], `page ${place}: ${JSON.stringify(value)}`);
  }
});

await test('a hostile value is shown as it is', async (t) => {
  const value = `<b>"it's" & co</b>`;
  const elements = parse(filledWith(value)[0] as string);
  t.equal(elements.find(({ name }) => name === 'h1')?.text, value);
  const shown = elements.find(({ attributes }) => attributes.get('aria-label') === 'Headers');
  t.ok(shown?.text.startsWith(`${value}: ${value}\n`));
});

await test('invisible and bidi characters are escaped in the JSON, which parses the same', async (t) => {
  const body = { name: 'a\u202eb\u200bc\u2028d\u0085e\ufefff', '\u2066': 1 };
  const shown = parse(renderPage({ json: JSON.stringify(body) })).find(
    ({ attributes }) => attributes.get('aria-label') === 'Body',
  );
  t.match(shown?.text, 'a\\u202eb\\u200bc\\u2028d\\u0085e\\ufefff');
  t.same(JSON.parse(shown?.text ?? ''), body);
});

function linksOf(body: unknown, base = baseUrl): unknown[] {
  return parse(renderPage({ baseUrl: base, json: JSON.stringify(body) }))
    .filter(({ name, parent }) => name === 'a' && parent?.attributes.get('class') === 'string')
    .map(({ attributes }) => attributes.get('href'));
}

await test('only addresses under the base are links', async (t) => {
  t.same(linksOf(addresses), []);
  const odd = `${baseUrl}/a/"><script>'?b=1&c=<>`;
  t.same(linksOf([`${baseUrl}/api/`, odd]), [`${baseUrl}/api/`, URL.parse(odd)?.href], 'encoded');
  t.same(linksOf([`see ${baseUrl}/api/`, '/api/', 'api']), [], 'only whole absolute URLs are links');
  const sandbox = `${baseUrl}/sandboxes/ci`;
  const outside = [
    `${baseUrl}/api/`,
    `${baseUrl}/sandboxes/ci-2/api/`,
    `${sandbox}/../other/api/`,
    `${sandbox}/%2e%2e/other/api/`,
  ];
  t.same(linksOf([...outside, `${sandbox}/api/`], sandbox), [`${sandbox}/api/`]);
  checkSafe(t, renderPage({ baseUrl: sandbox }), sandbox);
  for (const base of ['javascript:alert(1)', 'ftp://127.0.0.1', 'nonsense', '']) {
    const links = parse(renderPage({ baseUrl: base })).filter((one) => one.name === 'a' && isIn(one, 'main'));
    t.same(links, [], `no link under ${JSON.stringify(base)}`);
  }
});

await test('hostile values stay text on the home page', async (t) => {
  for (const value of [...hostile, ...addresses]) {
    const choices = [{ username: value, note: value, token: value }];
    const visitor = { username: value, choices };
    const main = renderForClients(`${baseUrl}/sandboxes/ci`, visitor, true);
    checkSafe(t, renderLayout({ title: 'Home', baseUrl, visitor, main }).content, baseUrl);
  }
});

await test('the policy allows files of our own and nothing else', async (t) => {
  const { headers } = renderLayout({ title: 'Home', baseUrl, main: html`` });
  const policy = headers['Content-Security-Policy'];
  t.equal(
    policy,
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  t.notMatch(renderPage(), /<style|<iframe|<script(?! src="http:\/\/127\.0\.0\.1:8000\/assets\/)/i);
  t.equal(headers['X-Content-Type-Options'], 'nosniff');
  t.equal(headers['Referrer-Policy'], 'same-origin');
});
