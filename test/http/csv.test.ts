// CSV as the real system writes it: cases that the transcript format__query doesn't cover.
import { test } from 'tap';
import { toCsv } from '../../src/http/wire/csv.ts';

await test('rows and columns', async (t) => {
  t.equal(toCsv({ count: 0, results: [] }), '');
  t.equal(toCsv([]), '');
  t.equal(toCsv({ b: 1, a: null, c: true, d: false, e: 1.5 }), 'a,b,c,d,e\r\n,1,True,False,1.5\r\n');
  t.equal(toCsv({ results: [{ a: 1 }, { b: 2 }] }), 'a,b\r\n1,\r\n,2\r\n', 'columns of all rows');
  t.equal(toCsv({ a: { b: [1, { c: 2 }] } }), 'a.b.0,a.b.1.c\r\n1,2\r\n');
});

await test('quotes', async (t) => {
  t.equal(
    toCsv({ a: 'x,y', b: 'say "it"', c: 'two\nlines', d: ' ', e: "'" }),
    `a,b,c,d,e\r\n"x,y","say ""it""","two\nlines", ,'\r\n`,
  );
  t.equal(toCsv({ 'a,b': 1 }), '"a,b"\r\n1\r\n');
});
