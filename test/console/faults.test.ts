// The pages of a sandbox's faults: the rules in force, usual ones, a form for one, and all as JSON.
import * as fc from 'fast-check';
import { test } from 'tap';
import { checkRule } from '../../src/console/traffic/faults/fault-form.ts';
import { ruleIn, ruleOf, textsOf as textsOfRule } from '../../src/console/traffic/faults/fault-fields.ts';
import { presets } from '../../src/console/traffic/faults/fault-presets.ts';
import { readConfiguration } from '../../src/process/config.ts';
import { adminOptions } from '../../src/process/service-options.ts';
import type { FaultInForce, FaultRule } from '../../src/traffic/fault-rules.ts';
import { createFaults } from '../../src/traffic/faults.ts';
import { type Service, startService } from '../support/service.ts';
import { openConsole, type Shown, textsOf } from './person.ts';

const path = 'console/default/faults/';
const api = '/_understudy/sandboxes/default/faults';
const inForce = async (service: Service) => (await service.request('GET', api)).json as FaultInForce[];
const statusOf = async (service: Service, at = '/api/') => (await service.request('GET', at)).status;
const effects = (page: Shown) => textsOf(page, '.effect');

/** The hidden or visible fields of a form. */
const fieldsOf = ({ elements }: Shown, action: string): Record<string, string>[] => {
  const forms = elements.filter(
    ({ name, attributes }) => name === 'form' && attributes.get('action')?.endsWith(action),
  );
  return forms.map((form) =>
    Object.fromEntries(
      elements.flatMap(({ name, attributes, text, parent }) => {
        let above = parent;
        while (above !== undefined && above !== form) above = above.parent;
        const field = attributes.get('name');
        if (above !== form || field === undefined || !['input', 'textarea', 'select'].includes(name)) return [];
        // A browser leaves the line break at the beginning of a textarea out.
        return [[field, name === 'textarea' ? text.replace(/^\n/, '') : (attributes.get('value') ?? '')]];
      }),
    ),
  );
};

await test('usual faults, by one click', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const page = await person.get(path);
  t.match(page.text, /No fault is in force/);
  const forms = fieldsOf(page, 'faults/new/');
  t.equal(forms.length, Object.keys(presets).length);
  for (const [index, [name, { rule }]] of Object.entries(presets).entries()) {
    const added = await person.post(`${path}new/`, forms[index]);
    t.equal(added.status, 303, name);
    t.match(added.headers['location'], `${service.url}/_understudy/${path}`);
    const [first] = await inForce(service);
    t.match({ ...first, delay_ms: rule.delay_ms }, { ...rule, struck: 0 }, `${name} stands first, as it was shown`);
    await person.post(`${path}remove/`);
    t.same(await inForce(service), []);
  }
});

await test('429 with Retry-After, and undone', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const [form = {}] = fieldsOf(await person.get(`${path}new/?preset=throttled`), 'faults/new/');
  t.match(form, { status: '429', path: '/api/**', expires_in_seconds: '300' }, 'to be edited first');
  await person.post(`${path}new/`, { ...form, path: '/api/users/**' });
  const struck = await service.request('GET', '/api/users/alice/');
  t.match(struck, { status: 429, headers: { 'retry-after': '5', 'content-type': 'application/json' } });
  t.match(struck.json, { errors: [{ code: 'throttled' }] });
  t.equal(await statusOf(service), 200, 'no other path');
  const page = await person.get(path);
  t.same(effects(page), ['429 Too Many Requests with Retry-After: 5']);
  t.match(page.text.replaceAll(/\s+/g, ' '), /struck once/);
  const [, key = ''] = /name="key" value="(\d+)"/.exec(page.text) ?? [];
  await person.post(`${path}remove/`, { key });
  t.equal((await service.request('GET', '/api/users/alice/', { as: 'alice' })).status, 200);
});

await test('the others keep their counts', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const rules = [
    { name: 'a', path: '/api/a/', status: 500 },
    { name: 'b', path: '/api/b/', status: 500, next: 5 },
  ];
  await service.request('PUT', api, { json: { rules } });
  for (const at of ['/api/a/', '/api/b/', '/api/b/']) await statusOf(service, at);
  const struck = async () => (await inForce(service)).map(({ name, struck: count }) => `${name} ${count}`);
  await person.post(`${path}new/`, { status: '404', path: '/api/c/' });
  t.same(await struck(), ['1 0', 'a 1', 'b 2'], 'a new rule comes first');
  const keys = [...(await person.get(path)).text.matchAll(/name="key" value="(\d+)"/g)].map(([, key]) => key ?? '');
  const [form = {}] = fieldsOf(await person.get(`${path}${keys[1]}/`), `faults/${keys[1]}/`);
  t.match(form, { name: 'a', path: '/api/a/', status: '500' });
  await person.post(`${path}${keys[1]}/`, { ...form, status: '502' });
  t.same(await struck(), ['1 0', 'a 0', 'b 2'], 'an edited one stays where it is');
  t.equal(await statusOf(service, '/api/a/'), 502);
  await person.post(`${path}remove/`, { key: keys[0] ?? '' });
  t.same(await struck(), ['a 1', 'b 2']);
  t.equal((await person.get(`${path}${keys[0]}/`)).status, 404);
  await person.post(`${path}${keys[1]}/`, { ...form, status: '503' });
  t.same(await struck(), ['a 0', 'a 1', 'b 2'], 'one that has ended is added anew');
  for (let n = 0; n < 3; n++) await statusOf(service, '/api/b/');
  t.same(await struck(), ['a 0', 'a 1'], 'its count went on');
});

await test('errors at their fields', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const sent = {
    name: 'x',
    method: 'get',
    path: 'api',
    status: 'abc',
    delay_min: '9',
    delay_max: '1',
    headers: 'no colon',
  };
  const page = await person.post(`${path}new/`, sent);
  t.equal(page.status, 400);
  for (const [field, message] of [
    ['method', 'Must be a method in capitals, such as GET.'],
    ['path', /^Must begin with \//],
    ['status', 'Must be a status from 200 to 599.'],
    ['delay_min', 'Must be milliseconds from 0 to 60000, or a range {min, max}.'],
    ['headers', 'Must map names of headers to ASCII values.'],
  ] as const)
    t.match(textsOf(page, `#${field}-fault`), [message], field);
  t.match(fieldsOf(page, 'faults/new/')[0], sent, 'what was entered stays');
  const idle = await person.post(`${path}new/`, { path: '/api/' });
  t.same(textsOf(idle, '.wrong'), ['Does nothing: it needs delay_ms, status or connection.']);
  const both = await person.post(`${path}new/`, { status: '500', connection: 'cut' });
  t.same(textsOf(both, '#connection-fault'), ['Takes either status or connection.']);
  t.same(await inForce(service), []);

  const rules = Array.from({ length: 50 }, () => ({ status: 500 }));
  await service.request('PUT', api, { json: { rules } });
  t.match(textsOf(await person.post(`${path}new/`, { status: '404' }), '.wrong'), [
    /Must be a list of at most 50 rules/,
  ]);
});

await test('all rules as JSON', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  const rules = [{ name: 'mine', status: 418, body: 'tea', headers: { 'X-A': 'b' } }, { delay_ms: { min: 1, max: 2 } }];
  t.equal((await person.post(`${path}json/`, { json: JSON.stringify({ rules, seed: 7 }) })).status, 303);
  t.match(await inForce(service), [rules[0], { name: '2', delay_ms: { min: 1, max: 2 } }]);
  const page = await person.get(path);
  const shown = JSON.parse(fieldsOf(page, 'faults/json/')[0]?.['json'] ?? '') as { rules: FaultRule[] };
  t.match(shown, { rules: [rules[0], { name: '2', ...rules[1] }] });
  const curl = page.elements.find(({ attributes }) => attributes.get('id')?.startsWith('copy-'))?.text ?? '';
  t.match(curl, `curl -X PUT '${service.url}${api}'`);
  const [, body = ''] = /--data-raw '(.*)'$/.exec(curl) ?? [];
  t.equal((await service.request('PUT', api, { json: JSON.parse(body) })).status, 200);
  t.match(await inForce(service), [rules[0], rules[1]]);

  for (const [json, message] of [
    ['{"rules":[', /^JSON parse error - /],
    ['{"rules":[{"status":1}]}', /^rules\[0\]\.status: Must be a status/],
    ['{"rule":[]}', /^rule: Not a known key; did you mean rules\?/],
  ] as const) {
    const wrong = await person.post(`${path}json/`, { json });
    t.equal(wrong.status, 400);
    t.match(textsOf(wrong, '#json-fault')[0], message);
    t.equal(fieldsOf(wrong, 'faults/json/')[0]?.['json'], json);
    t.match(wrong.text, '<details class="raw" open');
  }
  t.equal((await inForce(service)).length, 2);
});

await test('where an admin token is set', async (t) => {
  const token = 'correct-horse';
  const service = await startService(t, {
    admin: adminOptions(readConfiguration({ UNDERSTUDY_ADMIN_TOKEN: token })),
  });
  const person = openConsole(service);
  await person.post('sign-in/', { token });
  await person.get(path);
  t.equal(await statusOf(service), 200);
  t.equal((await person.post(`${path}new/`, { status: '500' })).status, 303);
  t.equal(await statusOf(service), 500);
  const page = await person.get(path);
  t.match(page.text, 'Authorization: Token $TOKEN');
  t.notMatch(page.text, token);
});

await test('what isn’t there', async (t) => {
  const person = openConsole(await startService(t));
  t.equal((await person.get('console/missing/faults/')).status, 404);
  t.equal((await person.post('console/missing/faults/new/', { status: '500' })).status, 404);
  t.equal((await person.get(`${path}1000000/`)).status, 404);
  t.equal((await person.get(`${path}new/?preset=__proto__`)).status, 200, 'an unknown preset is an empty form');
});

await test('a form holds any rule', async (t) => {
  const line = fc.stringMatching(/^[!-~](?:[ -~]{0,20}[!-~])?$/);
  const rules = fc.record(
    {
      name: line,
      method: fc.constantFrom('GET', 'PURGE'),
      path: line.map((text) => `/${text}`),
      user: fc.string({ minLength: 1 }).filter((text) => text.trim() === text && !text.includes('\0')),
      body: fc.oneof(fc.jsonValue(), fc.string(), fc.constant('5'), fc.constant('\nx\n')),
      headers: fc.dictionary(fc.stringMatching(/^[A-Za-z0-9-]{1,10}$/), line, { minKeys: 1 }),
      next: fc.integer({ min: 1, max: 1000 }),
      delay_ms: fc.oneof(
        fc.nat(60_000),
        fc.tuple(fc.nat(60_000), fc.nat(60_000)).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) })),
      ),
      expires_in_seconds: fc.integer({ min: 1, max: 86_400 }),
    },
    { requiredKeys: ['expires_in_seconds'] },
  );
  fc.assert(
    fc.property(rules, (given) => {
      const { faults, rule } = checkRule({ ...given, status: 500 }, []);
      if (faults.length > 0) throw new Error(JSON.stringify(faults));
      t.strictSame(ruleIn(textsOfRule(rule)), JSON.parse(JSON.stringify(rule)));
      const kept = createFaults();
      kept.set('mine', { rules: [rule] });
      const [started] = kept.list('mine');
      const again = checkRule(started && ruleOf(started), []);
      if (again.faults.length > 0) throw new Error(JSON.stringify(again.faults));
    }),
    { numRuns: 200 },
  );
});
