// No link into the API is dead, for each kind of caller, at the root and in a sandbox.
import { type Test, test } from 'tap';
import { type Ask, startService } from '../support/service.ts';

// Resources that aren't mirrored; the 404 names them.
const notMirrored = [
  /\/api\/languages\/[^/]+\/(\w+)\/$/,
  /\/api\/projects\/\w+\/(?!components\/)(\w+)\/$/,
  /\/api\/components\/\w+\/\w+\/(\w+)\/$/,
];
// Nor are its own pages, to which `web_url` leads, mirrored.
const page = /^\/(?:projects|languages)\//;
// Eight hundred languages are alike: one is enough.
const alike = /^\/(?:sandboxes\/default\/)?api\/languages\/(?:\?page=|(?!en\/).)/;

/** Follows all links and returns the paths. */
async function crawl(
  t: Test,
  request: (
    path: string,
    ask: Ask,
  ) => Promise<{ status: number; json: unknown; headers: Readonly<Record<string, string | undefined>> }>,
  url: string,
  start: string,
  ask: Ask,
): Promise<string[]> {
  const base = new URL(start, url).href.slice(0, -'/api/'.length);
  const seen = new Set([`${base}/api/`]);
  for (const link of seen) {
    const path = link.slice(url.length);
    const { status, json, headers } = await request(path, ask);
    const name = notMirrored.flatMap((pattern) => pattern.exec(link.replace(/\?.*/, ''))?.[1] ?? [])[0];
    if (name !== undefined) {
      t.same([status, headers['x-understudy-not-mirrored']], [404, name], path);
      continue;
    }
    // A group links to its projects, hidden or not (transcript groups__kept), and without a token only `write` shows such a group.
    if (ask.as === undefined && path.includes('/secret/')) {
      t.equal(status, 404, path);
      continue;
    }
    t.equal(status, 200, path);
    for (const found of urlsIn(json)) {
      t.ok(found.startsWith(`${base}/`), `${found} stays under the base`);
      if (![page, alike].some((one) => one.test(found.slice(base.length)))) seen.add(found);
    }
  }
  return [...seen].map((link) => link.slice(base.length));
}

function urlsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('http://127.0.0.1') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(urlsIn) : [];
}

await test('no link is dead', async (t) => {
  for (const [anonymous, as, expected] of [
    ['strict', 'admin', ['/api/users/j%C3%BCrgen/contributions/', '/api/groups/18/', '/api/components/secret/core/']],
    ['strict', 'alice', ['/api/groups/3/', '/api/components/demo/app/']],
    ['strict', undefined, ['/api/users/', '/api/groups/2/', '/api/components/demo/docs/']],
    ['read', undefined, ['/api/users/', '/api/projects/demo/components/']],
    ['write', undefined, ['/api/users/alice/notifications/', '/api/groups/9/']],
  ] as const) {
    const service = await startService(t, { seed: 'transcripts', anonymous });
    const { url } = service;
    const get = (path: string, ask: Ask) => service.request('GET', path, ask);
    const ask = as === undefined ? {} : { as };
    for (const start of ['/api/', '/sandboxes/default/api/']) {
      const paths = await crawl(t, get, url, start, ask);
      for (const path of expected) t.ok(paths.includes(path), `${start} as ${as}: ${path} was found`);
      const mayLink = as === 'admin' || anonymous === 'write';
      t.equal(!mayLink && paths.some((path) => path.includes('secret')), false, 'what is private is not linked');
    }
  }
});

await test('links keep the requested format', async (t) => {
  const service = await startService(t, { seed: 'transcripts' });
  for (const path of [
    '/api/',
    '/api/users/alice/',
    '/api/groups/9/',
    '/api/projects/secret/',
    '/api/components/secret/core/',
  ]) {
    const { json } = await service.request('GET', `${path}?format=json`, { as: 'admin' });
    const links = urlsIn(json).filter((link) => link.includes('/api/'));
    t.ok(links.length > 0 && links.every((link) => link.endsWith('/?format=json')), path);
  }
});
