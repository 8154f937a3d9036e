// The forms of browsable pages: a control for each kind of field, entered values, errors by field, the body as text.
import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { test } from 'tap';
import { nullable } from '../../src/http/operation.ts';
import { optionsOnly } from '../../src/http/options.ts';
import {
  answering,
  baseUrl,
  created,
  creating,
  listUrl,
  operation,
  type Page,
  pathsWith,
  renderPage,
  scope,
} from './example.ts';
import { type Element, parse } from '../support/markup.ts';

const pageOf = (page: Page = {}): Element[] => parse(renderPage(page));

/** The page with a form of these fields. */
const withFields = (properties: TProperties, values: object = {}, more: Page = {}): Element[] =>
  pageOf({ paths: pathsWith(answering(), creating(properties, values)), ...more });

/** A 400 response to the form. Each fault is the name of a field, or null for the whole form, and a message. */
const refusing = (...faults: readonly (readonly [string | null, string])[]): Page => ({
  method: 'POST',
  status: 400,
  sent: '{}',
  json: JSON.stringify({
    type: 'validation_error',
    errors: faults.map(([attr, detail]) => ({ code: 'invalid', detail, attr })),
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
    ['POST'],
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

await test('the form of a DELETE has no field for a body', async (t) => {
  const paths = pathsWith(answering(), operation('DELETE', listUrl, 'Delete it'));
  const elements = pageOf({ headers: { allow: 'GET, DELETE' }, paths });
  t.equal(elements.filter(({ name }) => name === 'textarea').length, 0);
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

await test('errors are shown at their fields', async (t) => {
  const fields = { full_name: Type.String(), a: Type.String(), b: Type.String() };
  const refused = refusing(
    ['a', 'Too long.'],
    ['a', 'Too odd.'],
    ['b', 'Too odd.'],
    ['non_field_errors', 'Not unique.'],
  );
  const elements = withFields(fields, {}, refused);
  const control = fieldIn(elements, 'a');
  t.equal(control.attributes.get('aria-invalid'), 'true');
  const described = control.attributes.get('aria-describedby')?.split(' ');
  t.same(
    described?.map((id) => elements.find(({ attributes }) => attributes.get('id') === id)?.text),
    ['Too long.Too odd.'],
  );
  t.notOk(fieldIn(elements, 'full_name').attributes.has('aria-invalid'));
  const ofForm = elements.find(({ attributes }) => attributes.get('class') === 'of-form wrong');
  t.equal(ofForm?.text.trim(), 'Not unique.');
  t.ok(
    elements.some(
      ({ name, attributes }) => name === 'details' && attributes.has('open') && attributes.get('class') === 'block',
    ),
  );
});

await test('the fields of an object are folded, unless one is faulty', async (t) => {
  const theme = { type: 'string', required: false, read_only: false };
  const profile = Type.Object({}, { [optionsOnly]: { children: { theme } } });
  const groupOf = (more: Page) =>
    withFields({ profile }, {}, more).find(({ attributes }) => attributes.get('class') === 'group');
  t.equal(groupOf({})?.attributes.has('open'), false);
  t.equal(groupOf(refusing(['profile.theme', 'Too odd.']))?.attributes.has('open'), true);
});

await test('without scripts the page refers to its curl lines', async (t) => {
  const hint = pageOf().find(({ name }) => name === 'noscript');
  t.match(hint?.text, 'The curl lines send the same.');
});

await test('each element that the script focuses can take the focus', async (t) => {
  const takes = (page: Page) =>
    pageOf(page)
      .filter(({ name, attributes }) => name === 'div' && attributes.get('tabindex') === '-1')
      .map(({ attributes }) => attributes.get('class'));
  t.same(takes(refusing([null, 'Not unique.'])), ['notice block refuses', 'of-form wrong']);
  t.same(takes({ method: 'POST', status: 201, json: '{}' }), ['notice block succeeds']);
});

await test('the hint to choose a user is shown only if sending needs one', async (t) => {
  const hasHint = (more: Page) =>
    pageOf(more).some(({ text: shown }) => shown === 'To send this, choose a user in the header of the page.');
  t.ok(hasHint({ visitor: { choices: [] } }));
  t.notOk(hasHint({ visitor: { choices: [] }, anonymous: 'write' }));
  t.notOk(hasHint({ visitor: { username: 'alice', choices: [] } }));
});
