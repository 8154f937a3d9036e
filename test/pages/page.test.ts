// The browsable page: its content, structure and labels, its data as tables, lists of fields and links; and the template tag that builds
// every page.
import { Type } from '@sinclair/typebox';
import { test } from 'tap';
import { createPathTable } from '../../src/http/path-table.ts';
import { escapeHtml, exact, Html, html } from '../../src/pages/html.ts';
import { type Element, parse } from '../support/markup.ts';
import { answering, baseUrl, example, list, operation, type Page, pathsWith, renderPage } from './example.ts';

const named = (elements: readonly Element[], ...names: string[]) => elements.filter(({ name }) => names.includes(name));
const within = (element: Element, name: string): boolean =>
  element.name === name || (element.parent !== undefined && within(element.parent, name));
const labelled = (elements: Element[], label: string) =>
  elements.find(({ attributes }) => attributes.get('aria-label') === label);
const byClass = (elements: Element[], name: string) =>
  elements.filter(({ attributes }) => (attributes.get('class') ?? '').split(' ').includes(name));

await test('the first link skips to the content; the frame names the version and what is stood in for', async (t) => {
  const elements = parse(renderPage());
  t.equal(named(elements, 'a')[0]?.attributes.get('href'), '#main');
  t.equal(named(elements, 'main')[0]?.attributes.get('id'), 'main');
  t.match(named(elements, 'header')[0]?.text, /Understudy\s+0\.1\.0/);
  t.match(named(elements, 'footer')[0]?.text, /Stand-in for Weblate 2026\.10\.1, not affiliated/);
});

await test('request line, status and header lines are shown exactly', async (t) => {
  const elements = parse(renderPage());
  t.equal(byClass(elements, 'request')[0]?.text, 'GET /api/users/alice/notifications/?page=5');
  t.equal(byClass(elements, 'status')[0]?.text, '200 OK');
  t.equal(
    labelled(elements, 'Headers')?.text,
    'allow: GET, POST, HEAD, OPTIONS\ncontent-type: application/json\nvary: Accept',
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

await test('breadcrumbs and the pages of a list are links', async (t) => {
  const elements = parse(renderPage());
  const links = elements.filter((element) => element.name === 'a' && within(element, 'nav') && within(element, 'main'));
  const first = `${baseUrl}/api/users/alice/notifications/`;
  const shown = links.map(({ text, attributes }) => [text, attributes.get('href'), attributes.get('aria-current')]);
  t.same(shown, [
    ['root', `${baseUrl}/api/`, undefined],
    ['users', `${baseUrl}/api/users/`, undefined],
    ['alice', `${baseUrl}/api/users/alice/`, undefined],
    ['Notifications', first, 'page'],
    ['First', `${first}?page=1`, undefined],
    ['Previous', `${first}?page=4`, undefined],
    ['Next', `${first}?page=6`, undefined],
    ['Last', `${first}?page=last`, undefined],
  ]);
  const labelsOf = (body: unknown) => labelled(parse(renderPage({ json: JSON.stringify(body) })), 'Pages')?.text.trim();
  t.equal(labelsOf({ count: 1, next: null, previous: null, results: [] }), undefined, 'none for a single page');
  t.equal(labelsOf({ count: 9, next: first }), undefined, 'nor for what is no list');
});

await test('a page is named by what it shows', async (t) => {
  const patterns = ['/api/users/', '/api/users/:username/', '/api/users/:username/groups/', '/api/c/:project/:name/'];
  const names = ['User List', 'User Instance', 'Groups', 'Component Instance'];
  const paths = createPathTable([
    ...patterns.map((url, place) => operation('GET', url, names[place] as string)),
    operation('GET', '/api/users/:username/notifications/:id/', 'Notifications details', {
      view: { name: 'Notifications details', noun: 'Subscription', description: '' },
    }),
  ]);
  const nameOf = (path: string) => parse(renderPage({ path, paths })).find(({ name }) => name === 'h1')?.text;
  t.equal(nameOf('/api/users/'), 'Users');
  t.equal(nameOf('/api/users/j%C3%A9r%C3%B4me/'), 'User jérôme');
  t.equal(nameOf('/api/users/alice/groups/'), 'Groups of alice');
  t.equal(nameOf('/api/users/alice/notifications/12/'), 'Subscription 12 of alice');
  t.equal(nameOf('/api/c/hello/site/'), 'Component hello/site');
  t.equal(nameOf('/api/nowhere/'), 'Not Found');
});

await test('markup of the tag stays markup, lists are joined, undefined is nothing', async (t) => {
  const items = ['a', '<'].map((item) => html`<b>${item}</b>`);
  const written = html`${items}${undefined}${[1, ['&', new Html('<br />')]]}`;
  t.equal(written.text, '<b>a</b><b>&#60;</b>1&#38;<br />');
});

await test('what HTML does not allow, or what turns the direction of writing, is replaced', async (t) => {
  t.equal(escapeHtml('a\0b\u001bc\u0085d\u202ee\u2066\t\n'), 'a\ufffdb\ufffdc\ufffdd\ufffde\ufffd\t\n');
});

await test('a value that a person edits is exactly the same, but for NUL', async (t) => {
  const value = `a\u001b\u0085\u202e\u2066\t"'<&\u{10ffff}\ud800`;
  const [input] = parse(html`<input value="${exact(value)}" />`.text);
  t.equal(input?.attributes.get('value'), value);
  t.match(
    html`${exact('\u202e\r')}`.text,
    /^&#8238;&#13;$/,
    'as a reference: a source of its own direction is unreadable',
  );
});

// An answer's data on browsable pages: tables, lists of fields, names for codes, links.

const url = `${baseUrl}/api/users/alice/notifications/`;
const linksIn = (elements: readonly Element[], parentName: string) =>
  named(elements, 'a')
    .filter(({ parent }) => parent?.name === parentName)
    .map(({ text, attributes }) => [text, attributes.get('href')]);

await test('a list is a table', async (t) => {
  const elements = parse(renderPage());
  const cells = named(elements, 'th', 'td').map(({ text }) => text.replace(/\s+/g, ' '));
  t.same(cells.slice(0, 6), ['id', 'scope', 'notification', 'frequency', 'project', 'component'], 'its key first');
  t.same(cells.slice(6), ['7', 'Administered 20', 'NewAlertNotificaton', '1', 'null', 'null']);
  t.equal(named(elements, 'caption')[0]?.text.trim(), '201–201 of 9, page 5 of 1');
  t.same(linksIn(elements, 'td'), [['7', `${url}7/`]], 'the id leads to the entry');
});

const listOf = (...results: readonly object[]): Page => ({
  json: JSON.stringify({ count: results.length, next: null, previous: null, results }),
  paths: pathsWith(answering(list({}))),
});

await test('the key of an entry is encoded, and an entry’s own URL comes first', async (t) => {
  const paths = pathsWith(operation('GET', '/api/users/', 'users', { response: { 200: list({}) } }));
  const page = { path: '/api/users/', paths };
  const byName = listOf({ username: 'a/é' });
  t.same(linksIn(parse(renderPage({ ...byName, ...page })), 'td'), [['a/é', `${baseUrl}/api/users/a%2F%C3%A9/`]]);
  const own = `${baseUrl}/api/users/bob/`;
  t.same(linksIn(parse(renderPage({ ...listOf({ id: 1, url: own }), ...page })), 'td'), [
    ['1', own],
    ['/api/users/bob/', own],
  ]);
  for (const username of ['.', '..', ''])
    t.same(linksIn(parse(renderPage({ ...listOf({ username }), ...page })), 'td'), [], 'a step within the path');
  const sandbox = `${baseUrl}/sandboxes/ci`;
  const path = '/api/users/bob/notifications/';
  const inSandbox = renderPage({ ...listOf({ id: 7 }), baseUrl: sandbox, path });
  t.same(linksIn(parse(inSandbox), 'td'), [['7', `${sandbox}${path}7/`]]);
});

await test('entries may differ in their fields', async (t) => {
  const cells = named(parse(renderPage(listOf({ a: 1 }, { b: '' }))), 'th', 'td').map(({ text }) => text);
  t.same(cells, ['a', 'b', '1', '', '', 'empty']);
  t.equal(named(parse(renderPage(listOf())), 'table').length, 0);
});

await test('an entry is a list of its fields', async (t) => {
  const body = {
    url: `${baseUrl}/api/users/bob/?format=api`,
    elsewhere: 'http://evil.example/',
    groups: [`${baseUrl}/api/groups/2/`, 'none'],
    empty: [],
    profile: { theme: 'auto' },
    flag: false,
  };
  const theme = Type.Union([Type.Literal('auto', { title: 'Sync with system' }), Type.Literal('dark')]);
  const paths = pathsWith(answering(Type.Object({ profile: Type.Object({ theme }) })));
  const elements = parse(renderPage({ json: JSON.stringify(body), paths }));
  const fields = named(elements, 'dt').map(({ text }) => text);
  t.same(fields, ['url', 'elsewhere', 'groups', 'empty', 'profile', 'theme', 'flag']);
  const values = named(elements, 'dd').map(({ text }) => text.trim().replace(/\s+/g, ' '));
  t.equal(values[0], '/api/users/bob/', 'short');
  t.same(linksIn(elements, 'dd'), [['/api/users/bob/', body.url]], 'only addresses under the base are links');
  t.same(values.slice(2, 4), ['/api/groups/2/ none', 'none']);
  t.match(values[4], 'theme Sync with system auto');
});
