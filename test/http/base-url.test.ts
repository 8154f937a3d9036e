// The base of the URLs in answers: from Host, forwarded headers, the public URL and a sandbox's prefix.
import { type Test, test } from 'tap';
import { hostAndPort } from '../../src/http/base-url.ts';
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
