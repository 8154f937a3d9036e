// Limits of bodies, and the values that each kind of field accepts. The recordings create/bodies and wire/* have the rest.
import { Type } from '@sinclair/typebox';
import { test } from 'tap';
import { across, checkValue, findErrors, must } from '../../src/base/check-value.ts';
import { ApiError } from '../../src/base/errors.ts';
import { checkFields, readFormFields } from '../../src/http/body/check-fields.ts';
import { decodeFields } from '../../src/http/body/decode.ts';
import { readDateTime } from '../../src/http/body/read-date-time.ts';
import { textRules } from '../../src/http/body/read-value.ts';
import { parseJson } from '../../src/http/wire/python-text.ts';
import { startService } from '../support/service.ts';

const path = '/api/users/alice/notifications/';
const [mostBytes, mostFields] = [65_536, 1000];

const multipart = (parts: string[]) =>
  `${parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--b--\r\n`;

await test('bodies beyond a limit are refused', async (t) => {
  const service = await startService(t);
  const post = async (type: string, body: string) => {
    const headers = { 'content-type': type };
    const { status, json } = await service.request('POST', path, { as: 'alice', headers, body });
    return { status, ...(json as { errors: { code: string; detail: string }[] }).errors[0] };
  };
  const inParts = (fields: number, more = '') =>
    multipart(Array.from({ length: fields }, (_, n) => `name="f${n}"${more}\r\n\r\n1`));
  const type = 'multipart/form-data; boundary=b';
  t.match(await post('application/json', `"${'x'.repeat(mostBytes)}"`), {
    status: 413,
    code: 'request_too_large',
    detail: 'Request body exceeds the limit of 65536 bytes.',
  });
  for (const answer of [
    await post('application/x-www-form-urlencoded', 'a=1&'.repeat(mostFields + 1)),
    await post(type, inParts(mostFields + 1)),
  ])
    t.match(answer, { status: 400, code: 'parse_error', detail: 'The form has more than 1000 fields.' });
  t.match(await post(type, inParts(mostFields)), { status: 400, code: 'required' });
  const long = inParts(1, `; x="${'x'.repeat(1024)}"`);
  t.match(await post(type, long), { status: 400, detail: /Request max total header size exceeded\.$/ });
});

const schema = Type.Object({
  text: Type.Optional(Type.String({ maxLength: 3, [textRules]: [{ pattern: '^[^x]', detail: 'No x first.' }] })),
  flag: Type.Optional(Type.Boolean()),
  number: Type.Optional(Type.Integer()),
  note: Type.Optional(Type.String({ minLength: 0 })),
  few: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 9 }), { maxItems: 2 })),
  moment: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
});
const read = (json: string) => {
  const { values, errors } = checkFields(schema, parseJson(json) as Record<string, unknown>, false);
  return errors.length > 0 ? errors.map(({ attr, code }) => `${attr} ${code}`).join(', ') : values;
};

await test('each kind of field accepts its values, and says what is wrong with others', async (t) => {
  const cases: readonly [string, unknown][] = [
    ['{"text":" a "}', { text: 'a' }],
    ['{"text":1}', { text: '1' }],
    ['{"text":1.0}', { text: '1.0' }],
    ['{"text":"😀😀😀"}', { text: '😀😀😀' }],
    ['{"text":"😀😀😀😀"}', 'text max_length'],
    ['{"text":"xxxx"}', 'text invalid, text max_length'],
    ['{"text":"  "}', 'text blank'],
    ['{"text":null}', 'text null'],
    ['{"text":false}', 'text invalid'],
    ['{"flag":"Yes"}', { flag: true }],
    ['{"flag":"oFF"}', { flag: false }],
    ['{"flag":" off "}', 'flag invalid'],
    ['{"flag":1.0}', { flag: true }],
    ['{"flag":0}', { flag: false }],
    ['{"flag":2}', 'flag invalid'],
    ['{"flag":""}', 'flag invalid'],
    ['{"flag":[true]}', 'flag invalid'],
    ['{"number":"+7.0"}', { number: 7 }],
    ['{"number":7.0}', { number: 7 }],
    ['{"number":"7x"}', 'number invalid'],
    ['{"number":{}}', 'number invalid'],
    ['{"number":" 1_0 .00 "}', { number: 10 }],
    ['{"number":"٣."}', { number: 3 }],
    ['{"number":"𝟛\\u0085"}', { number: 3 }],
    ['{"number":"3.\\u001c"}', { number: 3 }],
    ['{"number":1e1}', { number: 10 }],
    ['{"number":"\\u001c3"}', 'number invalid'],
    ['{"number":"3\\u001c"}', 'number invalid'],
    ['{"number":"\\ufeff3"}', 'number invalid'],
    ['{"number":"3.\\ufeff"}', 'number invalid'],
    ['{"number":"1e1"}', 'number invalid'],
    ['{"number":"."}', 'number invalid'],
    ['{"number":3.5}', 'number invalid'],
    ['{"number":true}', 'number invalid'],
    ['{"number":[3]}', 'number invalid'],
    ['{"note":" "}', { note: '' }],
    ['{"few":["1",9]}', { few: [1, 9] }],
    ['{"few":[0,10]}', 'few.0 min_value, few.1 max_value'],
    ['{"few":[1,2,3]}', 'few max_length'],
    ['{"few":{}}', 'few not_a_list'],
    ['{"moment":null}', { moment: null }],
    ['{"moment":"2126-01-02"}', { moment: '2126-01-02T00:00:00.000000Z' }],
    ['{"moment":"2026-01-02"}', 'moment min_value'],
    ['{"moment":"9999-12-31T23:00-02:00"}', 'moment overflow'],
    ['{"moment":20260102}', 'moment invalid'],
    ['{"__proto__":{"flag":1},"constructor":1}', {}],
    ['{}', {}],
  ];
  for (const [json, expected] of cases) t.same(read(json), expected, json);
});

await test('an empty text of a form is kept if the field may be empty, else it is null or left out', (t) => {
  const form = Type.Object({
    blank: Type.Optional(Type.String({ minLength: 0 })),
    optional: Type.Optional(Type.String()),
    required: Type.String(),
    nullable: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  });
  const empty = { blank: '', optional: '', required: '', nullable: '' };
  t.strictSame(readFormFields(form, empty, true), { blank: '', required: '', nullable: null });
  t.end();
});

await test('moments are accepted in the forms of the real system', async (t) => {
  t.equal(readDateTime('2026-W01-1x0230+02'), '2025-12-29T00:30:00.000000Z', 'the week’s Monday');
  t.equal(readDateTime('2030-𝟘𝟙-02 03:04'), '2030-01-02T03:04:00.000000Z', 'scripts whose digits adjoin');
  for (const text of ['0000-01-01', '2026', '2025-W53']) t.equal(readDateTime(text), undefined, text);
});

const Item = Type.Object(
  {
    size: Type.Integer({ minimum: 1, maximum: 9 }),
    range: Type.Optional(
      Type.Union([Type.Literal('all'), Type.Object({ min: Type.Integer({ minimum: 0, maximum: 9 }) })]),
    ),
  },
  { [across]: ({ size }) => (size === 3 ? [{ code: 'same', detail: 'They differ.', attr: 'range' }] : []) },
);
const Whole = Type.Object({
  name: Type.Optional(Type.String({ [must]: 'be a name' })),
  shape: Type.Optional(Type.Object({ colour: Type.Optional(Type.String()) })),
  items: Type.Array(Item, { maxItems: 2 }),
});

function errorsOf(value: unknown): string[] {
  try {
    checkValue(Whole, value);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.lines.map(({ attr, code, detail }) => `${attr} ${code}: ${detail}`);
  }
}

await test('all errors of a value are reported at once, each with its place', async (t) => {
  const right = { name: 'a', items: [{ size: 1 }, { size: 2, range: { min: 1 } }] };
  t.equal(checkValue(Whole, right), right);
  t.strictSame(errorsOf(undefined), ['null invalid: Must be an object.']);
  t.strictSame(errorsOf([]), ['null invalid: Must be an object.']);
  t.strictSame(errorsOf({}), ['items required: This field is required.']);
  t.strictSame(errorsOf({ items: [], colour: 'red' }), ['colour unknown: Not a known key; did you mean shape.colour?']);
  t.strictSame(errorsOf({ nam: 1, name: 1, items: [5, { sizes: 1 }, 7] }), [
    'nam unknown: Not a known key; did you mean name?',
    'name invalid: Must be a name.',
    'items invalid: Must have at most 2 entries.',
  ]);
  t.strictSame(errorsOf({ items: [5, { zzz: 1, size: 0, range: 'x' }] }), [
    'items[0] invalid: Must be an object.',
    'items[1].zzz unknown: Not a known key; known keys: size, range.',
    'items[1].size invalid: Must be a whole number from 1 to 9, not 0.',
    'items[1].range invalid: Must be all or an object, not the text "x".',
  ]);
  t.strictSame(errorsOf({ items: [{ size: 1, range: { min: 10 } }] }), [
    'items[0].range.min invalid: Must be a whole number from 0 to 9, not 10.',
  ]);
  t.strictSame(errorsOf({ items: [{ size: 3, range: 'all' }] }), ['items[0].range same: They differ.']);
  t.strictSame(errorsOf({ items: [], constructor: 1 }).length, 1, 'what every object inherits is no known key');
});

await test('a form is parsed no further than to its thousandth field', async (t) => {
  const urlencoded = (count: number) => ({
    contentType: 'application/x-www-form-urlencoded',
    body: Buffer.from(Array.from({ length: count }, (_, n) => `k${n}=%41`).join('&')),
  });
  const inParts = (count: number) => ({
    contentType: 'multipart/form-data; boundary=b',
    body: Buffer.from(multipart(Array.from({ length: count }, (_, n) => `name=k${n}\r\n\r\n1`))),
  });
  for (const formOf of [urlencoded, inParts]) {
    t.equal(Object.keys(decodeFields(formOf(1000))).length, 1000);
    const long = formOf(5000);
    const unescaped = t.capture(Buffer, 'from', Buffer.from.bind(Buffer));
    const searched = t.capture(Buffer.prototype, 'indexOf', Buffer.prototype.indexOf);
    t.throws(() => decodeFields(long), { message: 'The form has more than 1000 fields.' });
    t.ok(unescaped().length + searched().length < 3000);
    unescaped.restore();
    searched.restore();
  }
});

await test('errors beyond a hundred are counted', async (t) => {
  const unknown = Object.fromEntries(Array.from({ length: 105 }, (_, n) => [`k${n}`, n]));
  const errors = errorsOf({ items: [], ...unknown });
  t.equal(errors.length, 101);
  t.equal(errors.at(-1), 'null invalid: and 5 more errors');
  t.match(findErrors(Whole, { items: [], ...unknown }, 100), { errors: { length: 100 }, count: 105 }, 'and not kept');
});
