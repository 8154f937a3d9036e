// Query strings read like Python's parse_qsl and written like quote_plus; Python generated the expected values.
import { test } from 'tap';
import { parsePairs, parseQuery, replaceQuery } from '../../src/http/wire/query-string.ts';

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
