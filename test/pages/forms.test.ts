// The forms of browsable pages: fields by kind, values that were entered, faults at their fields, and the body as text.
import { test } from 'tap';
import { renderPage } from '../../src/pages/browsable/browsable-page.ts';
import type { BrowsablePage, Form, FormField } from '../../src/pages/browsable/page-contents.ts';
import { baseUrl, example, post } from './example.ts';
import { type Element, parse } from '../support/markup.ts';

const text: FormField = {
  name: 'full_name',
  kind: 'text',
  label: 'Full name',
  isRequired: false,
  isNullable: false,
  value: undefined,
  faults: [],
};

const withForm = (form: Partial<Form>, more: Partial<BrowsablePage> = {}): Element[] =>
  parse(renderPage({ ...example, ...more, forms: [{ ...post, ...form }] }));

const fieldIn = (elements: readonly Element[], key: string): Element =>
  elements.find(({ attributes }) => attributes.get('data-key') === key) as Element;

const controlOf = (field: Partial<FormField>): Element =>
  fieldIn(withForm({ fields: [{ ...text, ...field }] }), field.name ?? text.name);

const optionsOf = (elements: readonly Element[], select: Element) =>
  elements
    .filter(({ name, parent }) => name === 'option' && parent === select)
    .map(({ text: label, attributes }) => [attributes.get('value'), label, attributes.has('selected')]);

await test('a form sends the JSON text to the API’s own URL, by its script', async (t) => {
  const elements = withForm({}, { visitor: { username: 'alice', choices: [] } });
  const form = elements.find(({ attributes }) => attributes.get('class') === 'send');
  const sends = ['data-method', 'action', 'data-headers'].map((name) => form?.attributes.get(name));
  t.same(sends, ['POST', `${baseUrl}/api/users/alice/notifications/`, '{"Content-Type":"application/json"}']);
  const body = elements.find(({ name }) => name === 'textarea');
  t.equal(body?.text, `\n${post.body}`, 'of which browsers drop the first line break');
  const scripts = elements.filter(({ name }) => name === 'script').map(({ attributes }) => attributes.get('src'));
  t.same(
    scripts.map((src) => src?.split('/').at(-1)),
    ['send-form.js', 'page.js'],
  );
  const names = elements.filter(({ attributes, parent }) => attributes.has('name') && inForm(parent));
  t.same(names, [], 'no field would be sent beside the body');
  t.equal(parse(renderPage({ ...example, forms: [] })).filter(({ name }) => name === 'script').length, 1);
});

function inForm(element: Element | undefined): boolean {
  return element !== undefined && (element.attributes.get('class') === 'send' || inForm(element.parent));
}

await test('a sandbox that the URL does not name is in a header', async (t) => {
  const headersOf = (more: Partial<BrowsablePage>) =>
    withForm({}, { sandbox: 'ci', ...more })
      .find(({ attributes }) => attributes.has('data-headers'))
      ?.attributes.get('data-headers');
  t.match(headersOf({}), '"X-Understudy-Sandbox":"ci"');
  const inPath = { baseUrl: `${baseUrl}/sandboxes/ci`, path: '/api/users/' };
  t.notMatch(headersOf(inPath), 'Sandbox');
});

await test('a form without a body has no fields', async (t) => {
  const elements = withForm({ method: 'DELETE', body: undefined, fields: [] });
  t.equal(elements.filter(({ name }) => name === 'textarea').length, 0);
  t.equal(elements.find(({ attributes }) => attributes.has('data-headers'))?.attributes.get('data-headers'), '{}');
});

await test('each kind of field gets its own control', async (t) => {
  const elements = withForm({});
  t.same(optionsOf(elements, fieldIn(elements, 'scope')), [
    ['10', 'Watched (10)', true],
    ['20', 'Administered (20)', false],
  ]);
  t.equal(controlOf({ value: 'Alice "A"' }).attributes.get('value'), 'Alice "A"');
  t.equal(controlOf({ value: null }).attributes.get('value'), '');
  t.equal(controlOf({ kind: 'number', value: 3 }).attributes.get('inputmode'), 'numeric');
  t.ok(controlOf({ kind: 'checkbox', value: true }).attributes.has('checked'));
  t.notOk(controlOf({ kind: 'checkbox', value: false }).attributes.has('checked'));
  t.equal(controlOf({ kind: 'json', value: { a: [1] } }).text, `\n${JSON.stringify({ a: [1] }, null, 2)}`);
});

await test('a choice that wasn’t made is empty, and an invalid one is listed', async (t) => {
  const of = (more: Partial<FormField>) => {
    const elements = withForm({ fields: post.fields.map((field) => ({ ...field, ...more })) });
    return optionsOf(elements, fieldIn(elements, 'scope'));
  };
  t.same(of({ value: undefined })[0], ['', 'not sent', true]);
  t.same(of({ value: 15 }).at(-1), ['15', '15', true]);
  t.same(of({ isNullable: true, value: null })[0], ['null', 'null', true]);
});

await test('a field has its limits and meaning as help', async (t) => {
  const field = { ...text, isRequired: true, isNullable: true, help_text: 'At most 150 characters.' };
  const elements = withForm({ fields: [field] });
  const control = fieldIn(elements, 'full_name');
  t.ok(control.attributes.has('required'));
  const label = elements.find(({ attributes }) => attributes.get('for') === control.attributes.get('id'));
  t.match(label?.text.replace(/\s+/g, ' '), 'full_name required');
  const help = elements.find(({ attributes }) => attributes.get('id') === control.attributes.get('aria-describedby'));
  t.equal(help?.text, 'At most 150 characters. Empty means null.');
});

await test('faults are at their fields, the first of which gets the focus', async (t) => {
  const faulty = { ...text, faults: ['Too long.', 'Too odd.'] };
  const fields = [text, { ...faulty, name: 'a' }, { ...faulty, name: 'b' }];
  const elements = withForm({ fields, faults: ['Not unique.'], isAnswered: true }, { method: 'POST', status: 400 });
  const focused = elements.filter(({ attributes }) => attributes.has('autofocus'));
  t.same(
    focused.map(({ attributes }) => attributes.get('data-key')),
    ['a'],
  );
  const control = fieldIn(elements, 'a');
  t.equal(control.attributes.get('aria-invalid'), 'true');
  const described = control.attributes.get('aria-describedby')?.split(' ');
  t.same(
    described?.map((id) => elements.find(({ attributes }) => attributes.get('id') === id)?.text),
    [faulty.faults.join('')],
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
  const groupOf = (field: FormField) =>
    withForm({ fields: [{ ...text, name: 'profile', kind: 'group', fields: [field] }] }).find(
      ({ attributes }) => attributes.get('class') === 'group',
    );
  const theme = { ...text, name: 'profile.theme' };
  t.notOk(groupOf(theme)?.attributes.has('open'));
  t.ok(groupOf({ ...theme, faults: ['Too odd.'] })?.attributes.has('open'));
});

await test('without a script the page says what works', async (t) => {
  const hint = withForm({}).find(({ name }) => name === 'noscript');
  t.match(hint?.text, 'The curl lines send the same.');
});

await test('without a faulty field the focus goes to the form’s faults, else to what happened', async (t) => {
  const focusedIn = (elements: readonly Element[]) =>
    elements.filter(({ attributes }) => attributes.has('autofocus')).map(({ attributes }) => attributes.get('class'));
  const notices = [{ text: 'Saved.' }];
  const answered = { method: 'POST', status: 400, notices };
  t.same(focusedIn(withForm({ faults: ['Not unique.'], isAnswered: true }, answered)), ['of-form wrong']);
  t.same(focusedIn(withForm({}, { ...answered, status: 201 })), ['notice block succeeds']);
  t.same(focusedIn(withForm({}, { notices })), [], 'a page that was opened begins at its top');
});

await test('a visitor without a user gets the hint to choose one', async (t) => {
  const hasHint = (more: Partial<BrowsablePage>) =>
    withForm({}, more).some(({ text: shown }) => shown === 'To send this, choose a user in the header of the page.');
  t.ok(hasHint({ visitor: { choices: [] } }));
  t.notOk(hasHint({ visitor: { choices: [] }, anonymous: 'write' }));
  t.notOk(hasHint({ visitor: { username: 'alice', choices: [] } }));
});
