// The links in answers: their base, and those around a page.
import assert from 'node:assert/strict';
import { test, type Test } from 'tap';
import { hostAndPort } from '../../src/http/base-url.ts';
import { answerPage, lastPage, maxPage, readPageRequest } from '../../src/http/paginate.ts';
import { head, sendRaw } from '../support/raw.ts';
import { type Service, type ServiceOptions, startService } from '../support/service.ts';

// Carol's second entry has a target: a target's URL and a page's URL both carry the base.
const path = '/api/users/carol/notifications/?page_size=2';

async function basesOf(service: Service, headers: Record<string, string>, of = path): Promise<string[]> {
  const { json } = await service.request('GET', of, { headers });
  const { next, results } = json as { next: string; results: { project: string | null }[] };
  return [next.split('/api/')[0] ?? '', results[1]?.project?.split('/api/')[0] ?? ''];
}

async function assertBase(t: Test, options: ServiceOptions, cases: [Record<string, string>, string][]): Promise<void> {
  const service = await startService(t, options);
  for (const [headers, base] of cases) {
    const expected = base === 'own' ? service.url : base;
    t.same(await basesOf(service, headers), [expected, expected], JSON.stringify(headers));
  }
}

await test('Host counts; forwarded headers are ignored unless a proxy is trusted', async (t) =>
  assertBase(t, {}, [
    [{}, 'own'],
    [{ host: 'understudy:8000' }, 'http://understudy:8000'],
    [{ host: 'Example.org' }, 'http://Example.org'],
    [{ host: '[::1]:9000' }, 'http://[::1]:9000'],
    [
      {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
        'x-forwarded-prefix': '/evil',
        'x-original-url': '/evil',
        'x-rewrite-url': '/evil',
      },
      'own',
    ],
  ]));

await test('with a trusted proxy the last value counts, not those of the client', async (t) =>
  assertBase(t, { trustProxy: 1 }, [
    [{}, 'own'],
    [{ 'x-forwarded-host': 'api.example.org', 'x-forwarded-proto': 'https' }, 'https://api.example.org'],
    [
      { 'x-forwarded-host': 'forged.example, api.example.org', 'x-forwarded-proto': 'http, https' },
      'https://api.example.org',
    ],
    [{ 'x-forwarded-host': 'api.example.org', 'x-forwarded-proto': 'javascript' }, 'http://api.example.org'],
  ]));

await test('with two trusted proxies the last value but one counts', async (t) =>
  assertBase(t, { trustProxy: 2 }, [
    [{ 'x-forwarded-host': 'api.example.org', 'x-forwarded-proto': 'https' }, 'https://api.example.org'],
    [
      { 'x-forwarded-host': 'forged.example, api.example.org, inner', 'x-forwarded-proto': 'http, https, http' },
      'https://api.example.org',
    ],
  ]));

await test('the public URL overrides all', async (t) =>
  assertBase(t, { publicUrl: 'https://staging.example.org/weblate', trustProxy: 1 }, [
    [{}, 'https://staging.example.org/weblate'],
    [{ host: 'elsewhere' }, 'https://staging.example.org/weblate'],
    [{ 'x-forwarded-host': 'elsewhere' }, 'https://staging.example.org/weblate'],
  ]));

await test('an invalid Host is rejected', async (t) => {
  const service = await startService(t, { trustProxy: 1 });
  const hosts = [
    'a b',
    'a/b',
    'a?x',
    'a\\b',
    'a"b',

    '..//',
    '<script>',
    'user@host',
    'host:port',
    'host:123456',
    'a:99999',
    '1.2.3.4.5',
    '[:]',
    '[::1',
    'ä',
  ];
  // The page makes URLs of it.
  const docs = '/api/docs/';
  t.equal((await service.request('GET', docs, { headers: { host: '1.2.3.4.5', accept: 'text/html' } })).status, 400);
  for (const name of ['host', 'x-forwarded-host'])
    for (const value of name === 'host' ? [...hosts, 'a,b'] : hosts) {
      const { status, json } = await service.request('GET', path, {
        headers: { [name]: Buffer.from(value).toString('latin1') },
      });
      const error = { code: 'bad_request', detail: 'Invalid Host header.', attr: null };
      t.same([status, json], [400, { type: 'client_error', errors: [error] }], `${name} ${JSON.stringify(value)}`);
    }
});

await test('requests without Host or with an absolute request line get the right base', async (t) => {
  const service = await startService(t);
  const baseOf = async (text: string) => {
    const { body } = await sendRaw(service, text);
    return (JSON.parse(body) as { next: string }).next.split('/api/')[0];
  };
  t.equal(await baseOf(`GET ${path} HTTP/1.0\r\n\r\n`), service.url, 'HTTP/1.0 without Host: where we listen');
  t.equal(hostAndPort('::1', 80), '[::1]:80');
  const absolute = head(`GET http://evil.example${path}`, 'Host: here.test');
  t.equal(await baseOf(absolute), 'http://here.test', 'an absolute request line is ignored');
  const two = await sendRaw(service, head(`GET ${path}`, 'Host: a.test', 'Host: b.test'));
  t.notMatch(two.body, 'b.test', 'of two Hosts the first counts');
});

await test('a sandbox keeps its prefix in every URL', async (t) => {
  const service = await startService(t);
  const base = `${service.url}/sandboxes/default`;
  t.same(await basesOf(service, {}, `/sandboxes/default${path}`), [base, base]);
});

// Generated with Python's int().
const integers: [string, number | null][] = [
  ['1', 1],
  [' 1', 1],
  ['+1', 1],
  ['-1', -1],
  ['0', 0],
  ['00', 0],
  ['02', 2],
  ['1_000', 1000],
  ['1__0', null],
  ['_1', null],
  ['1_', null],
  ['\u00B2', null],
  ['1e3', null],
  ['0x10', null],
  ['\u00A01', 1],
  ['\t1\n', 1],
  ['1 2', null],
  ['+ 1', null],
  ['++1', null],
  ['True', null],
  ['\u0663_\u0664', 34],
  ['1\0', null],
  ['\u180E1', null],
  ['\uFEFF1', null],
  ['\u00851', 1],
];

await test('page and page_size are read as numbers within bounds', async (t) => {
  for (const [text, value] of integers) {
    const { page, size } = readPageRequest({ page: text, page_size: text });
    t.equal(page, value === null || value < 1 ? maxPage : value, `page ${JSON.stringify(text)}`);
    t.equal(size, value === null || value < 1 ? 50 : Math.min(value, 1000), `page_size ${JSON.stringify(text)}`);
  }
  t.same(readPageRequest({}), { page: 1, size: 50 });
  t.same(readPageRequest({ page: '', page_size: '' }), { page: 1, size: 50 });
  t.same(readPageRequest({ page: 'last' }), { page: 0, size: 50 });
  t.same(readPageRequest({ page: 'LAST' }), { page: maxPage, size: 50 });
  const huge = '9'.repeat(400);
  const { page, size } = readPageRequest({ page: huge, page_size: huge });
  t.ok(page !== undefined && page * size <= 2_147_483_647, 'fits what the database counts with');
});

await test('digits of every script count', async (t) => {
  // Ten digits of each script, in order of value.
  const digits = Array.from({ length: 0x1_10_00 * 16 }, (_, point) => point)
    .filter((point) => point < 0xd8_00 || point > 0xdf_ff)
    .map((point) => String.fromCodePoint(point))
    .filter((character) => /^\p{Nd}$/u.test(character));
  t.ok(digits.length >= 600);
  t.equal(digits.length % 10, 0);
  const wrong = digits.filter((digit, i) => readPageRequest({ page: `1${digit}` }).page !== 10 + (i % 10));
  t.same(wrong, []);
});

const url = 'http://h/api/x/';
const place = { sandbox: 'default', prefix: '', path: '/api/x/' };

/** The links around a page. */
function links(query: string, page: number, size: number, total: number) {
  const { json } = answerPage({ baseUrl: 'http://h', place: { ...place, search: query } }, { page, size }, total, '{}');
  const { count, next, previous, results } = JSON.parse(json ?? '');
  assert.deepEqual({ count, results }, { count: total, results: [{}] });
  return { next, previous };
}

await test('links keep the query and change the page', async (t) => {
  t.same(links('', 1, 50, 50), { next: null, previous: null });
  t.same(links('', 1, 50, 51), { next: `${url}?page=2`, previous: null });
  t.same(links('page=2', 2, 50, 51), { next: null, previous: url }, 'the first page needs no number');
  t.same(links('page=2&x=%C3%BC*', 2, 1, 3), { next: `${url}?page=3&x=%C3%BC%2A`, previous: `${url}?x=%C3%BC%2A` });
  t.same(links('page=last&page_size=1', lastPage, 1, 3), { next: null, previous: `${url}?page=2&page_size=1` });
});

await test('only the first page and pages with entries exist', async (t) => {
  t.same(links('', 1, 10, 0), { next: null, previous: null }, 'the first of an empty list');
  t.same(links('', 2, 10, 11), { next: null, previous: url });
  t.same(
    [0, 1, 10, 11, 20, 21].map((total) => links('', lastPage, 10, total).previous),
    [null, null, null, url, url, `${url}?page=2`],
    'the last one',
  );
  for (const [page, size, total] of [
    [2, 10, 10],
    [2, 10, 0],
    [3, 10, 20],
    [maxPage, 10, 5],
    [maxPage, 1, maxPage],
  ] as const)
    t.throws(() => links('', page, size, total), { status: 404, message: 'Invalid page.' });
});

await test('an unknown path names the nearest one, and a hidden user the setting that hides it', async (t) => {
  const service = await startService(t, { anonymous: 'strict' });
  const hints: Record<string, string> = {
    '/api/users/alice/notification/': 'Did you mean /api/users/alice/notifications/?',
    '/api/user/': 'Did you mean /api/users/?',
    '/api/users/alice/': 'UNDERSTUDY_ANONYMOUS=strict hides users from requests without a token.',
    '/api/users/nobody/notifications/': 'UNDERSTUDY_ANONYMOUS=strict hides users from requests without a token.',
  };
  for (const [unknown, hint] of Object.entries(hints)) {
    const { status, headers, text } = await service.request('GET', unknown);
    t.match(
      { status, headers, text },
      { status: 404, headers: { 'x-understudy-hint': hint }, text: /"Not found\."/ },
      unknown,
    );
  }
  const { json } = await service.request('GET', '/_understudy/sandboxes/default/requests');
  t.match(json, { requests: Object.values(hints).map((hint) => ({ hint })) });
  for (const unknown of ['/api/users/nobody/', `/api/user${'s'.repeat(300)}/`]) {
    const { status, headers } = await service.request('GET', unknown, { as: 'alice' });
    t.match([status, headers['x-understudy-hint']], [404, undefined], unknown);
  }
});
