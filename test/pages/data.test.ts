// An answer's data on browsable pages: tables, lists of fields, names for codes, links.
import { Type } from '@sinclair/typebox';
import { test } from 'tap';
import { answering, baseUrl, list, operation, type Page, pathsWith, renderPage } from './example.ts';
import { type Element, parse } from '../support/markup.ts';

const url = `${baseUrl}/api/users/alice/notifications/`;
const named = (elements: readonly Element[], ...names: string[]) => elements.filter(({ name }) => names.includes(name));
const linksIn = (elements: readonly Element[], within: string) =>
  named(elements, 'a')
    .filter(({ parent }) => parent?.name === within)
    .map(({ text, attributes }) => [text, attributes.get('href')]);

await test('a list is a table', async (t) => {
  const elements = parse(renderPage());
  const cells = named(elements, 'th', 'td').map(({ text }) => text.replace(/\s+/g, ' '));
  t.same(cells.slice(0, 6), ['id', 'scope', 'notification', 'frequency', 'project', 'component'], 'its key first');
  t.same(cells.slice(6), ['7', 'Administered 20', 'NewAlertNotificaton', '1', 'null', 'null']);
  t.equal(named(elements, 'caption')[0]?.text.trim(), '9 in all');
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

await test('many nested fields are folded', async (t) => {
  const profile = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`field_${i}`, i]));
  const summaries = named(
    parse(renderPage({ json: JSON.stringify({ profile }), paths: pathsWith(answering(Type.Object({}))) })),
    'summary',
  );
  t.ok(summaries.some(({ text }) => text === '7 fields'));
});

await test('data whose fields are not known are shown as JSON alone', async (t) => {
  const elements = parse(renderPage({ paths: pathsWith(answering()) }));
  t.equal(named(elements, 'table', 'dl').length, 0);
});
