// CSV, texts as Python formats them, query strings, and bytes that are no text, beyond the recordings wire/*.
import { test } from 'tap';
import { toCsv } from '../../src/http/wire/csv.ts';
import { prefersHtml } from '../../src/http/wire/negotiate.ts';
import { parseJson, pythonText, pythonType } from '../../src/http/wire/python-text.ts';
import { parsePairs, parseQuery, replaceQuery } from '../../src/http/wire/query-string.ts';
import { startService } from '../support/service.ts';

await test('an empty CSV has no Content-Type', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const answer = await service.request('GET', '/api/users/carol/notifications/?format=csv', { as: 'carol' });
  t.match(answer, { status: 200, text: '' });
  t.notOk('content-type' in answer.headers);
});

await test('bytes that are no text of their charset are reported with their position', async (t) => {
  const service = await startService(t, { seed: 'transcripts', anonymous: 'strict' });
  const detailOf = async (type: string, bytes: string) => {
    const { json } = await service.request('POST', '/api/users/carol/notifications/', {
      as: 'carol',
      headers: { 'content-type': type },
      body: Buffer.from(bytes, 'latin1'),
    });
    return (json as { errors: { detail: string }[] }).errors[0]?.detail;
  };
  const faults: [bytes: string, fault: string][] = [
    ['\xff', `'utf-8' codec can't decode byte 0xff in position 0: invalid start byte`],
    ['{"a":"\xc3"}', `'utf-8' codec can't decode byte 0xc3 in position 6: invalid continuation byte`],
    ['{"a":"\xe2\x82"}', `'utf-8' codec can't decode bytes in position 6-7: invalid continuation byte`],
    ['{"a":"\xed\xa0\x80"}', `'utf-8' codec can't decode byte 0xed in position 6: invalid continuation byte`],
    ['{"a":"\xe2', 'Unterminated string starting at: line 1 column 6 (char 5)'],
  ];
  for (const [bytes, fault] of faults)
    t.equal(await detailOf('application/json', bytes), `JSON parse error - ${fault}`, JSON.stringify(bytes));
  t.equal(await detailOf('application/x-www-form-urlencoded', 'notification=\xff'), '"ÿ" is not a valid choice.');
});

await test('CSV has the columns of all rows', async (t) => {
  t.equal(toCsv({ count: 0, results: [] }), '');
  t.equal(toCsv([]), '');
  t.equal(toCsv({ b: 1, a: null, c: true, d: false, e: 1.5 }), 'a,b,c,d,e\r\n,1,True,False,1.5\r\n');
  t.equal(toCsv({ results: [{ a: 1 }, { b: 2 }] }), 'a,b\r\n1,\r\n,2\r\n', 'columns of all rows');
  t.equal(toCsv({ a: { b: [1, { c: 2 }] } }), 'a.b.0,a.b.1.c\r\n1,2\r\n');
});

await test('CSV quotes commas, quotes and line ends', async (t) => {
  t.equal(
    toCsv({ a: 'x,y', b: 'say "it"', c: 'two\nlines', d: ' ', e: "'" }),
    `a,b,c,d,e\r\n"x,y","say ""it""","two\nlines", ,'\r\n`,
  );
  t.equal(toCsv({ 'a,b': 1 }), '"a,b"\r\n1\r\n');
});

await test('clients that name HTML in Accept are found', async (t) => {
  t.ok(prefersHtml('text/html,*/*;q=0.8'));
  for (const accept of [undefined, '*/*', 'application/json', '', 'image/png'])
    t.notOk(prefersHtml(accept), String(accept));
});

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

await test('pairs are read as by parse_qsl with blank values', async (t) => {
  const expected: [string, [string, string][]][] = [
    ['', []],
    [
      'a=1&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=1&a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['=a', [['', 'a']]],
    ['&&a=1&', [['a', '1']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a=1;b=2', [['a', '1;b=2']]],
    ['a=%20+x', [['a', '  x']]],
    ['+=+', [[' ', ' ']]],
    ['%61=b', [['a', 'b']]],
    ['a=%00', [['a', '\0']]],
    ['a=%', [['a', '%']]],
    ['a=%zz', [['a', '%zz']]],
    ['a=%2', [['a', '%2']]],
    ['a=%41%zz%42', [['a', 'A%zzB']]],
    ['a=ü', [['a', 'ü']]],
    ['a=%C3%BC', [['a', 'ü']]],
    ['a=%F0%9F%98%80', [['a', '😀']]],
    ['a=%FF', [['a', '\uFFFD']]],
    ['a=%C3', [['a', '\uFFFD']]],
    ['a=%E4%B8%AD%FF%41', [['a', '中\uFFFDA']]],
    ['a=%ED%A0%80', [['a', '\uFFFD\uFFFD\uFFFD']]],
  ];
  for (const [query, pairs] of expected) t.same(parsePairs(query), pairs, JSON.stringify(query));
});

await test('the last value of a name counts, and no name is special', async (t) => {
  t.same({ ...parseQuery('page=2&page=3') }, { page: '3' });
  const values = parseQuery('__proto__=x&constructor=y&toString=z');
  t.equal(values['__proto__'], 'x');
  t.equal(Object.keys(values).length, 3);
  t.equal(parseQuery('')['toString'], undefined);
});

await test('values are written as by quote_plus', async (t) => {
  const expected: [string, string][] = [
    ['abc', 'abc'],
    ['a b', 'a+b'],
    ['a+b', 'a%2Bb'],
    ['a/b', 'a%2Fb'],
    ['a&b=c', 'a%26b%3Dc'],
    ['~', '~'],
    ['*', '%2A'],
    ['-_.', '-_.'],
    ["!'()", '%21%27%28%29'],
    ['ü', '%C3%BC'],
    ['😀', '%F0%9F%98%80'],
    ['%', '%25'],
    ['\0', '%00'],
    ['\n', '%0A'],
    ['@:,;$', '%40%3A%2C%3B%24'],
    ['"<>\\^`{|}[]', '%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D'],
    ['\uFFFD', '%EF%BF%BD'],
    ['\uD800', '%EF%BF%BD'],
  ];
  for (const [text, quoted] of expected) t.equal(replaceQuery('', 'k', text), `k=${quoted}`, JSON.stringify(text));
});

await test('one key is set or removed, and the keys are sorted by code point', async (t) => {
  t.equal(
    replaceQuery('b=2&a=1&page=7&B=0&ä=3&a=0&𐀀=5&\uFFFD=4&page=8', 'page', '3'),
    'B=0&a=1&a=0&b=2&page=3&%C3%A4=3&%EF%BF%BD=4&%F0%90%80%80=5',
    'characters beyond the first plane sort last, unlike in UTF-16',
  );
  t.equal(replaceQuery('page=1', 'page', null), '');
  t.equal(replaceQuery('ab=1&a=2', 'page', null), 'a=2&ab=1');
});

await test('a link’s query takes a sort key for each pair, and none for each comparison', async (t) => {
  const query = Array.from({ length: 700 }, (_, i) => `k${(i * 7919) % 700}`).join('&');
  const keys = t.capture(Buffer, 'from', Buffer.from.bind(Buffer));
  t.equal(replaceQuery(query, 'page', '2').split('&').length, 701);
  t.equal(keys().length, 701);
});
