// Which rendering a request gets: cases that the transcripts format__* and order__format don't cover.
import { test } from 'tap';
import { negotiate, prefersHtml } from '../../src/http/wire/negotiate.ts';

await test('Accept chooses the format as in the real system', async (t) => {
  const expected: [string | undefined, string][] = [
    [undefined, 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['APPLICATION/JSON', 'json'],
    ['application/*', 'json'],
    ['text/*', 'api'],
    ['text/html', 'api'],
    ['text/csv', 'csv'],
    ['text/csv, text/html', 'api'],
    ['text/html, text/csv', 'api'],
    ['*/*, text/csv', 'csv'],
    ['text/*, application/json', 'json'],
    ['text/html;q=0.9, application/json;q=0.1', 'json'],
    ['text/html;level=1, application/json', 'api'],
    ['application/xml, */*', 'json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'api'],
  ];
  for (const [accept, format] of expected) t.equal(negotiate(undefined, accept).format, format, String(accept));
  for (const accept of ['', 'application/xml', 'text/plain', 'json', ',', 'text', '/'])
    t.throws(() => negotiate(undefined, accept), { name: 'ApiError', status: 406 }, JSON.stringify(accept));
});

await test('format narrows what Accept may choose', async (t) => {
  t.equal(negotiate('csv', undefined).format, 'csv');
  t.equal(negotiate('csv', '*/*').format, 'csv');
  t.equal(negotiate('', undefined).format, 'json');
  t.equal(negotiate('', 'text/csv').format, 'csv');
  t.throws(() => negotiate('csv', 'application/json'), { name: 'ApiError', status: 406 });
  for (const format of ['xml', 'JSON', 'json ', 'constructor'])
    t.throws(() => negotiate(format, '*/*'), { name: 'ApiError', status: 404 }, format);
});

await test('Accept may ask for an indentation', async (t) => {
  const indents: [string, number][] = [
    ['application/json; indent=4', 4],
    ['application/json;indent=0', 0],
    ['application/json; indent=99', 8],
    ['application/json; indent=-1', 0],
    ['application/json; indent=x', 0],
    ['application/json; indent=1e3', 0],
  ];
  for (const [accept, indent] of indents) t.same(negotiate(undefined, accept), { format: 'json', indent }, accept);
});

await test('clients that name HTML in Accept are found', async (t) => {
  t.ok(prefersHtml('text/html,*/*;q=0.8'));
  for (const accept of [undefined, '*/*', 'application/json', '', 'image/png'])
    t.notOk(prefersHtml(accept), String(accept));
});
