// Path patterns: what they match, and that matching takes time linear in the path.
import * as fc from 'fast-check';
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

await test('long patterns agree with the definition too', async (t) => {
  const fits = (steps: readonly string[], path: string): boolean => {
    let reached = new Set([0]);
    const close = () => {
      for (const at of reached) if (steps[at]?.startsWith('*') === true) reached.add(at + 1);
    };
    close();
    for (const character of path) {
      const next = new Set<number>();
      for (const at of reached) {
        const step = steps[at];
        if (step === '**' || (step === '*' && character !== '/')) next.add(at);
        if (step === character) next.add(at + 1);
      }
      reached = next;
      close();
    }
    return reached.has(steps.length);
  };
  const pieces = fc.array(fc.constantFrom('a', 'b', '/', '*', '**'), { maxLength: 150 });
  const separated = pieces.map((all) => all.filter((one, at) => !one.startsWith('*') || !all[at - 1]?.startsWith('*')));
  // What a pattern may stand for, with one character changed or not.
  const property = fc.property(
    separated,
    fc.infiniteStream(fc.constantFrom('', 'a', 'b', '/', 'ab')),
    fc.nat(),
    (steps, fill, at) => {
      const path = steps.map((step) => (step.startsWith('*') ? fill.next().value : step)).join('');
      const changed = `${path.slice(0, at % (path.length + 1))}a${path.slice((at % (path.length + 1)) + 1)}`;
      return [path, changed].every((one) => pathPattern(steps.join(''))(one) === fits(steps, one));
    },
  );
  fc.assert(property, { numRuns: 500 });
  t.pass();
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
  const { json } = await service.request('GET', `${base}/requests?path=${pattern}`);
  t.strictSame(json, { dropped: 0, dropped_bodies: 0, requests: [] });
  await service.request('PUT', `${base}/faults`, { json: { rules: [{ match: { path: pattern }, status: 418 }] } });
  t.equal((await service.request('GET', `/sandboxes/slow/api/${'a'.repeat(900)}`)).status, 404);
  t.equal((await service.request('GET', `/sandboxes/slow/api/${'a'.repeat(900)}b`)).status, 418);
  const long = `/${'*a'.repeat(100)}`;
  t.match(await service.request('GET', `${base}/requests?path=${long}`), { status: 400, text: /200 characters/ });
  const rules = [{ match: { path: long }, status: 418 }];
  t.match(await service.request('PUT', `${base}/faults`, { json: { rules } }), { status: 400, text: /200 characters/ });
});
