// Path patterns: what they match, and that matching takes time linear in the path.
import { test } from 'tap';
import { maxPathLength, pathPattern } from '../../src/traffic/path-pattern.ts';
import { startService } from '../support/service.ts';

await test('what * and ** match', async (t) => {
  for (const [pattern, path, expected] of [
    ['/api/users/*/notifications/', '/api/users/alice/notifications/', true],
    ['/api/users/*/notifications/', '/api/users/a/b/notifications/', false],
    ['/api/users/*', '/api/users/', true],
    ['/api/users/*', '/api/users/alice', true],
    ['/api/users/*', '/api/users/alice/', false],
    ['/api/**', '/api/users/alice/', true],
    ['**/notifications/', '/api/users/alice/notifications/', true],
    ['**/notifications/', '/api/users/alice/notifications/1/', false],
    ['/a**b*c/', '/a/x/b/y/bzc/', true],
    ['/a**b*c/', '/a/x/b/y/bz/c/', false],
    ['***', '/anything/at/all', true],
    ['/a.c', '/abc', false],
    ['', '', true],
    ['', '/', false],
    ['/*j%C3%BCrgen*', '/j%C3%BCrgen', true],
  ] as const)
    t.equal(pathPattern(pattern)(path), expected, `${pattern} ${path}`);
});

await test('every short pattern agrees with the definition', async (t) => {
  const letters = ['a', '/', '*'];
  const words = (length: number): string[] =>
    length === 0 ? [''] : words(length - 1).flatMap((word) => letters.map((letter) => word + letter));
  const patterns = [0, 1, 2, 3, 4, 5].flatMap(words);
  const paths = [0, 1, 2, 3, 4].flatMap(words).filter((path) => !path.includes('*'));
  const wrong = patterns.flatMap((pattern) => {
    const regex = new RegExp(`^${pattern.replaceAll(/\*+/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))}$`);
    return paths.filter((path) => pathPattern(pattern)(path) !== regex.test(path)).map((path) => [pattern, path]);
  });
  t.strictSame(wrong, []);
});

await test('each character of a path is read once', async (t) => {
  const reads = (length: number): number => {
    let count = 0;
    const path = { length, charCodeAt: (at: number) => (count++, at === 0 ? 0x2f : 0x61) };
    t.equal(pathPattern(`/${'**a'.repeat(60)}**b`)(path), false);
    return count;
  };
  t.equal(reads(500), 500);
  t.equal(reads(1000), 1000);
  t.equal(reads(10_000), maxPathLength, 'and of a very long one only the beginning');
});

await test('a pattern made to take long, as a filter and as a rule', async (t) => {
  const service = await startService(t);
  const base = '/_understudy/sandboxes/slow';
  const pattern = '/**a**a**a**a**a**a**b';
  await service.request('PUT', base);
  await service.request('GET', `/sandboxes/slow/api/${'a'.repeat(900)}`);
  t.strictSame((await service.request('GET', `${base}/requests?path=${pattern}`)).json, []);
  await service.request('PUT', `${base}/faults`, { json: { rules: [{ path: pattern, status: 418 }] } });
  t.equal((await service.request('GET', `/sandboxes/slow/api/${'a'.repeat(900)}`)).status, 404);
  t.equal((await service.request('GET', `/sandboxes/slow/api/${'a'.repeat(900)}b`)).status, 418);
  const long = `/${'*a'.repeat(100)}`;
  t.match(await service.request('GET', `${base}/requests?path=${long}`), { status: 400, text: /200 characters/ });
  const rules = [{ path: long, status: 418 }];
  t.match(await service.request('PUT', `${base}/faults`, { json: { rules } }), { status: 400, text: /200 characters/ });
});
