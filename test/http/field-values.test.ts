// The values that each kind of field accepts: cases that the transcripts don't cover.
import { Type } from '@sinclair/typebox';
import { test } from 'tap';
import { checkFields } from '../../src/http/body/check-fields.ts';
import { textRules } from '../../src/http/body/read-value.ts';
import { readDateTime } from '../../src/http/body/read-date-time.ts';
import { writeMoment } from '../../src/http/body/read-date-time.ts';
import { parseJson } from '../../src/http/wire/python-text.ts';

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

await test('moments are accepted in the forms of the real system', async (t) => {
  t.equal(readDateTime('2026-11-21T04:39:58.871372Z'), '2026-11-21T04:39:58.871372Z');
  t.equal(readDateTime('2026-01-01 00:30+01:00'), '2025-12-31T23:30:00.000000Z');
  t.equal(readDateTime('2026-01-01T00:30:00,5-0130'), '2026-01-01T02:00:00.500000Z');
  t.equal(readDateTime('2026-01-01T00:00:00.1234567Z'), '2026-01-01T00:00:00.123456Z');
  t.equal(readDateTime('2026-W01-1x0230+02'), '2025-12-29T00:30:00.000000Z', 'the week’s Monday');
  t.equal(readDateTime('2026-W53'), '2026-12-28T00:00:00.000000Z');
  t.equal(readDateTime('20260102T030405Z'), '2026-01-02T03:04:05.000000Z');
  t.equal(readDateTime('٢٠٢٦-1-2 3:4 Z'), '2026-01-02T03:04:00.000000Z', 'single digits, of any script');
  t.equal(readDateTime('2030-𝟘𝟙-02 03:04'), '2030-01-02T03:04:00.000000Z', 'scripts whose digits adjoin');
  for (const text of [
    '2026-02-29',
    '2026-01-01T25:00',
    '2026-01-01T24:00',
    '0000-01-01',
    '2026',
    'now',
    '',
    '2025-W53',
    '2026-01-01T00:00+24:00',
  ])
    t.equal(readDateTime(text), undefined, text);
  t.equal(writeMoment('2026-01-02T03:04:05.000000'), '2026-01-02T03:04:05Z');
  t.equal(writeMoment('2026-01-02T03:04:05.000001'), '2026-01-02T03:04:05.000001Z');
});
