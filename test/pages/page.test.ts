// The browsable page: its content, structure and labels; and the template tag that builds every page.
import { STATUS_CODES } from 'node:http';
import { test } from 'tap';
import { pageNumbers } from '../../src/pages/browsable/navigation.ts';
import { baseUrl, example, type Page, renderPage } from './example.ts';
import { type Element, parse } from '../support/markup.ts';
import { escapeHtml, Html, html } from '../../src/pages/html.ts';

const within = (element: Element, name: string): boolean =>
  element.name === name || (element.parent !== undefined && within(element.parent, name));
const labelled = (elements: Element[], label: string) =>
  elements.find(({ attributes }) => attributes.get('aria-label') === label);
const byClass = (elements: Element[], name: string) =>
  elements.filter(({ attributes }) => (attributes.get('class') ?? '').split(' ').includes(name));

await test('the document and its landmarks', async (t) => {
  const document = renderPage();
  t.match(document, /^<!doctype html>/);
  const elements = parse(document);
  const named = (name: string) => elements.filter((element) => element.name === name);
  t.equal(named('html')[0]?.attributes.get('lang'), 'en');
  t.equal(named('title')[0]?.text, 'Notifications · alice · users · default · Understudy');
  t.same(
    ['header', 'main', 'footer', 'h1'].map((name) => named(name).length),
    [1, 1, 1, 1],
  );
  const labels = named('nav').map(({ attributes }) => attributes.get('aria-label'));
  t.same(labels, ['Sections', 'Where you are', 'Formats', 'Pages', 'Pages, again']);
  t.equal(new Set(labels).size, labels.length, 'landmarks of one kind bear different names');
  t.match(named('header')[0]?.text, /Understudy\s+0\.1\.0/);
  t.match(named('footer')[0]?.text, /Stand-in for Weblate 2026\.10\.1, not affiliated/);

  const skip = named('a')[0];
  t.equal(skip?.attributes.get('href'), '#main', 'the first link skips to the content');
  t.equal(named('main')[0]?.attributes.get('id'), 'main');
  const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? []);
  t.equal(new Set(ids).size, ids.length, 'no id stands twice');
  for (const { attributes } of elements) {
    const reference = attributes.get('aria-labelledby');
    if (reference !== undefined) t.ok(ids.includes(reference), `${reference} exists`);
  }
  for (const scrolling of named('pre').filter(({ attributes }) => attributes.has('role')))
    t.equal(scrolling.attributes.get('tabindex'), '0');
});

await test('request line, status and header lines are shown exactly', async (t) => {
  const elements = parse(renderPage());
  t.equal(byClass(elements, 'request')[0]?.text, 'GET /api/users/alice/notifications/?page=5');
  t.equal(byClass(elements, 'status')[0]?.text, '200 OK');
  t.equal(
    labelled(elements, 'Headers')?.text,
    'Allow: GET, POST, HEAD, OPTIONS\nContent-Type: application/json\nVary: Accept',
  );
});

await test('the body is the JSON, indented by two', async (t) => {
  const shown = labelled(parse(renderPage()), 'Body');
  t.equal(shown?.text, JSON.stringify(JSON.parse(example.json), null, 2));
  const bodies = ['text', 1.5e-7, null, true, [], {}, [[]], 'a "quoted": 1 \\ "', { 'a": 1': '\u0000\n' }, -0.5];
  for (const body of bodies) {
    const page = renderPage({ json: JSON.stringify(body) });
    t.equal(labelled(parse(page), 'Body')?.text, JSON.stringify(body, null, 2));
  }
});

await test('an empty body is described in words', async (t) => {
  const elements = parse(renderPage({ method: 'DELETE', status: 204, json: null }));
  t.equal(labelled(elements, 'Body'), undefined);
  t.ok(elements.some(({ text }) => text === 'No body.'));
});

await test('the status is a class, and an error’s status is in the title', async (t) => {
  const kinds = { 201: 'succeeds', 302: 'redirects', 404: 'refuses', 503: 'fails' };
  for (const [status, kind] of Object.entries(kinds)) {
    const elements = parse(renderPage({ status: Number(status) }));
    t.equal(byClass(elements, 'answer')[0]?.attributes.get('class'), `answer ${kind}`);
    const title = elements.find(({ name }) => name === 'title')?.text;
    t.equal(title?.startsWith(`${status} ${STATUS_CODES[status]} · `), Number(status) >= 400);
  }
});

await test('breadcrumbs, formats and pages are links', async (t) => {
  const elements = parse(renderPage());
  const links = elements.filter((element) => element.name === 'a' && within(element, 'nav') && within(element, 'main'));
  const list = `${baseUrl}/api/users/alice/notifications/`;
  const shown = links.map(({ text, attributes }) => [text, attributes.get('href'), attributes.get('aria-current')]);
  t.same(shown.slice(0, 12), [
    ['root', `${baseUrl}/api/`, undefined],
    ['users', `${baseUrl}/api/users/`, undefined],
    ['alice', `${baseUrl}/api/users/alice/`, undefined],
    ['Notifications', list, 'page'],
    ['json', `${list}?format=json&page=5`, undefined],
    ['csv', `${list}?format=csv&page=5`, undefined],
    ['api', `${list}?format=api&page=5`, 'true'],
    ...[1, 4, 5, 6, 9].map((n) => [String(n), `${list}?page=${n}`, n === 5 ? 'page' : undefined]),
  ]);
  t.same(shown.slice(12), shown.slice(7, 12), 'the pages stand again below the answer');
  t.equal(byClass(elements, 'gap').length, 4, 'the gaps around 4 to 6 are seen, each time');
  t.same(
    byClass(elements, 'method')
      .filter(({ name }) => name === 'li')
      .map(({ text }) => text),
    example.headers.allow.split(', '),
  );
  t.same(byClass(parse(renderPage({ pageSize: 9 })), 'pages'), [], 'none for a single page');
  t.same(byClass(parse(renderPage({ json: '{"count":9}' })), 'pages'), [], 'nor for what is no list');
});

function who(page: Page): string | undefined {
  return byClass(parse(renderPage(page)), 'who')[0]
    ?.text.trim()
    .replace(/\s+/g, ' ');
}

await test('the user and the sandbox of the request', async (t) => {
  t.equal(who({}), 'sandbox default Home of the service', 'the user is unknown where the database is unavailable');
  t.match(who({ visitor: { choices: [], returnTo: baseUrl } }), / no user /);
  const visitor = { username: 'alice', choices: [], returnTo: baseUrl };
  t.match(who({ visitor, baseUrl: `${baseUrl}/sandboxes/ci-1` }), /^sandbox ci-1 .* as alice /);
});

await test('page numbers leave out those in between', async (t) => {
  t.same(pageNumbers(1, 1), [1]);
  t.same(pageNumbers(2, 3), [1, 2, 3]);
  t.same(pageNumbers(1, 9), [1, 2, 9]);
  t.same(pageNumbers(4, 9), [1, 2, 3, 4, 5, 9]);
  t.same(pageNumbers(6, 9), [1, 5, 6, 7, 8, 9]);
  t.same(pageNumbers(12, 28), [1, 11, 12, 13, 28]);
  t.same(pageNumbers(28, 28), [1, 27, 28]);
});

await test('text is escaped, in elements and in attributes of either quote', async (t) => {
  t.equal(escapeHtml(`<a href="x" title='y'>&amp;`), '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;');
  t.equal(html`<p title="${'"'}">${'<b>'}</p>`.text, '<p title="&quot;">&lt;b&gt;</p>');
});

await test('markup of the tag stays markup, lists are joined, undefined is nothing', async (t) => {
  const items = ['a', '<'].map((item) => html`<b>${item}</b>`);
  const written = html`${items}${undefined}${[1, ['&', new Html('<br />')]]}`;
  t.equal(written.text, '<b>a</b><b>&lt;</b>1&amp;<br />');
});

await test('what HTML does not allow, or what turns the direction of writing, is replaced', async (t) => {
  t.equal(escapeHtml('a\0b\u001bc\u0085d\u202ee\u2066\t\n'), 'a\ufffdb\ufffdc\ufffdd\ufffde\ufffd\t\n');
});
