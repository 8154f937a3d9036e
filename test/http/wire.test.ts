// Cases beyond the recordings wire/* and format/query: bytes that are no text, headers that must be absent, more CSV.
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { toCsv } from '../../src/http/wire/csv.ts';

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
