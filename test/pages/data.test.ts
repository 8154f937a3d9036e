// An answer's data on browsable pages: tables, lists of fields, names for codes, links.
import { test } from 'tap';
import { renderPage } from '../../src/pages/browsable/browsable-page.ts';
import type { BrowsablePage } from '../../src/pages/browsable/page-contents.ts';
import { baseUrl, example } from './example.ts';
import { type Element, parse } from '../support/markup.ts';

const list = `${baseUrl}/api/users/alice/notifications/`;
const named = (elements: readonly Element[], ...names: string[]) => elements.filter(({ name }) => names.includes(name));
const linksIn = (elements: readonly Element[], within: string) =>
  named(elements, 'a')
    .filter(({ parent }) => parent?.name === within)
    .map(({ text, attributes }) => [text, attributes.get('href')]);

await test('a list is a table', async (t) => {
  const elements = parse(renderPage(example));
  const cells = named(elements, 'th', 'td').map(({ text }) => text.replace(/\s+/g, ' '));
  t.same(cells.slice(0, 6), ['scope', 'notification', 'id', 'frequency', 'project', 'component']);
  t.same(cells.slice(6), ['Administered 20', 'NewAlertNotificaton', '7', '1', 'null', 'null']);
  t.equal(named(elements, 'caption')[0]?.text.trim(), '3 in all');
  t.same(linksIn(elements, 'td'), [['7', `${list}7/`]], 'the id leads to the entry');
});

const listOf = (...results: readonly object[]): BrowsablePage => ({
  ...example,
  body: { count: results.length, next: null, previous: null, results },
  shape: {},
});

await test('an entry is linked by its own URL, else by its encoded key', async (t) => {
  const page = { ...listOf({ username: 'a/é' }), entryKey: 'username', path: '/api/users/' };
  t.same(linksIn(parse(renderPage(page)), 'td'), [['a/é', `${baseUrl}/api/users/a%2F%C3%A9/`]]);
  const url = `${baseUrl}/api/users/bob/`;
  t.same(linksIn(parse(renderPage({ ...page, ...listOf({ id: 1, url }), path: page.path })), 'td'), [
    ['1', url],
    ['/api/users/bob/', url],
  ]);
  const sandbox = `${baseUrl}/sandboxes/ci`;
  const inSandbox = { ...listOf({ id: 7 }), baseUrl: sandbox, path: '/api/groups/' };
  t.same(linksIn(parse(renderPage(inSandbox)), 'td'), [['7', `${sandbox}/api/groups/7/`]]);
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
  const shape = {
    profile: { children: { theme: { choices: [{ value: 'auto', display_name: 'Sync with system' }] } } },
  };
  const elements = parse(renderPage({ ...example, body, shape }));
  const fields = named(elements, 'dt').map(({ text }) => text);
  t.same(fields, ['url', 'elsewhere', 'groups', 'empty', 'profile', 'theme', 'flag']);
  const values = named(elements, 'dd').map(({ text }) => text.trim().replace(/\s+/g, ' '));
  t.equal(values[0], '/api/users/bob/', 'short');
  t.same(linksIn(elements, 'dd'), [['/api/users/bob/', body.url]], 'only addresses under the base are links');
  t.same(values.slice(2, 4), ['/api/groups/2/ none', 'none']);
  t.match(values[4], 'theme Sync with system auto');
});

await test('many nested fields are folded', async (t) => {
  const profile = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`field_${i}`, i]));
  const summaries = named(parse(renderPage({ ...example, body: { profile }, shape: {} })), 'summary');
  t.ok(summaries.some(({ text }) => text === '7 fields'));
});

await test('data whose fields are not known are shown as JSON alone', async (t) => {
  const elements = parse(renderPage({ ...example, shape: undefined }));
  t.equal(named(elements, 'table', 'dl').length, 0);
});
