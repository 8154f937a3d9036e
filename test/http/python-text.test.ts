// Values formatted as Python's str() does, which generated the expected texts.
import { test } from 'tap';
import { parseJson, pythonText, pythonType } from '../../src/http/wire/python-text.ts';

const spelled: [json: string, text: string, type: string][] = [
  ['1', '1', 'int'],
  ['-0', '0', 'int'],
  ['0', '0', 'int'],
  ['1.0', '1.0', 'float'],
  ['-0.0', '-0.0', 'float'],
  ['1e3', '1000.0', 'float'],
  ['1E5', '100000.0', 'float'],
  ['1e16', '1e+16', 'float'],
  ['1e15', '1000000000000000.0', 'float'],
  ['123456789012345678901234567890', '123456789012345678901234567890', 'int'],
  ['9007199254740993', '9007199254740993', 'int'],
  ['1e-4', '0.0001', 'float'],
  ['1e-5', '1e-05', 'float'],
  ['1.5e-7', '1.5e-07', 'float'],
  ['0.1', '0.1', 'float'],
  ['1e400', 'inf', 'float'],
  ['-1e400', '-inf', 'float'],
  ['1e22', '1e+22', 'float'],
  ['123456.789', '123456.789', 'float'],
  ['5e-324', '5e-324', 'float'],
  ['1.7976931348623157e308', '1.7976931348623157e+308', 'float'],
  ['1.0000000000000001', '1.0', 'float'],
  ['2.5E+20', '2.5e+20', 'float'],
  ['true', 'True', 'bool'],
  ['false', 'False', 'bool'],
  ['null', 'None', 'NoneType'],
  ['"a"', 'a', 'str'],
  [`"it's"`, `it's`, 'str'],
  ['[]', '[]', 'list'],
  ['[1,"a",null,true]', `[1, 'a', None, True]`, 'list'],
  ['{}', '{}', 'dict'],
  ['{"a":{"b":[1.0]}}', `{'a': {'b': [1.0]}}`, 'dict'],
  [`["it's"]`, `["it's"]`, 'list'],
  [`["a'b\\"c"]`, `['a\\'b"c']`, 'list'],
  ['["a\\"b"]', `['a"b']`, 'list'],
  [
    '["\\u00fc","\\n","\\t","\\r","\\u0007","\\u007f","\\\\"]',
    `['ü', '\\n', '\\t', '\\r', '\\x07', '\\x7f', '\\\\']`,
    'list',
  ],
  [
    '["\\u00a0","\\u00ad","\\u200b","\\u2028","\\ue000","\\u3000","\\ufeff"," "]',
    `['\\xa0', '\\xad', '\\u200b', '\\u2028', '\\ue000', '\\u3000', '\\ufeff', ' ']`,
    'list',
  ],
  ['["\\ud83d\\ude00","\\udb40\\udc01","\\ud800"]', `['😀', '\\U000e0001', '\\ud800']`, 'list'],
];

await test('values are written as Python writes them, with the names of their types', async (t) => {
  for (const [json, text, type] of spelled) {
    t.equal(pythonText(parseJson(json)), text, json);
    t.equal(pythonType(parseJson(json)), type, json);
  }
});

await test('numbers without an unusual spelling stay numbers', async (t) => {
  t.same(parseJson('{"a":10,"b":[-3]}'), { a: 10, b: [-3] });
  t.throws(() => parseJson('{'), SyntaxError);
});

await test('faults of JSON up to 4 KiB are reported in Python’s words', async (t) => {
  const broken = (length: number) => () => parseJson(`["\u{1F600}",${'1,'.repeat((length - 9) / 2)}xx]`);
  t.throws(broken(4095), { message: 'Expecting value: line 1 column 4092 (char 4091)' });
  t.throws(broken(4097), { name: 'SyntaxError', message: /^Unexpected token 'x'/ });
});
