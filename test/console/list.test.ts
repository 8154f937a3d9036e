// The list of sandboxes: what it says of each, and that it stays usable with a thousand. And the page of a sandbox's fault rules: those
// in force, presets, and all as JSON.
import { describeMoment } from '../../src/pages/parts.ts';
import { sql } from 'kysely';
import { t as file, test } from 'tap';
import { presets } from '../../src/pages/console/traffic/faults-page.ts';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import type { FaultInForce, FaultRule } from '../../src/traffic/fault-rules.ts';
import { openConsole, type Shown, textsOf } from '../support/person.ts';
import { type Service, startService } from '../support/service.ts';

/** The cells of each row, by their column's name. */
function rowsOf({ elements }: Shown): Map<string, Record<string, string>> {
  const rows = new Map<string, Record<string, string>>();
  for (const { name, text, attributes, parent } of elements) {
    const cell = text.replaceAll(/\s+/g, ' ').trim();
    if (name === 'th' && attributes.get('scope') === 'row') rows.set(cell, {});
    const label = attributes.get('data-label');
    if (name === 'td' && label !== undefined && parent !== undefined) {
      const row = [...rows.values()].at(-1);
      if (row !== undefined) row[label] = cell;
    }
  }
  return rows;
}

const shared = await startService(file);

await test('the list says of each sandbox what it is and when it ends', async (t) => {
  const person = openConsole(shared);
  await shared.request('PUT', '/_understudy/sandboxes/used', { json: { expires_in_seconds: 7200 } });
  await shared.request('PUT', '/_understudy/sandboxes/idle', { json: { from: 'empty' } });
  await shared.request('PUT', '/_understudy/sandboxes/idle/snapshots/one');
  let before = rowsOf(await person.get(''));
  // A use is noted after the answer.
  for (let n = 0; n < 500 && before.get('idle')?.['Last use'] === 'not used yet'; n++)
    before = rowsOf(await person.get(''));
  t.same([...before.keys()], ['default', 'idle', 'used']);
  t.match(before.get('default'), {
    Seed: 'documented',
    Snapshots: '0',
    'Last use': 'none in the journal',
    Expires: 'never',
  });
  t.match(before.get('idle'), {
    Seed: 'empty',
    Snapshots: '1',
    'Last use': /^just now /,
    Expires: /^in 24 hours \d{4}-/,
  });
  t.match(before.get('used'), { 'Last use': 'not used yet', Expires: /^in 2 hours / });

  await shared.request('GET', '/sandboxes/used/api/users/');
  await shared.request('GET', '/api/users/');
  const now = rowsOf(await person.get(''));
  t.match(now.get('used')?.['Last use'], /^just now \d{4}-\d\d-\d\d \d\d:\d\d UTC$/, 'by the journal');
  t.match(now.get('default')?.['Last use'], /^just now /);
  await shared.request('GET', '/sandboxes/used/api/users/nobody/');
  await shared.request('PUT', '/_understudy/sandboxes/used/faults', { json: { rules: [{ status: 503, next: 2 }] } });
  for (let n = 0; n < 2; n++) await shared.request('GET', '/sandboxes/used/api/');
  const counted = await person.get('');
  t.match(rowsOf(counted).get('used'), { '4xx': '1', '5xx': '2' });
  t.match(rowsOf(counted).get('default'), { '4xx': '0', '5xx': '0' });
  t.match(counted.text, `href="${shared.url}/_understudy/console/used/journal/?status=5xx"`);

  // Another service renewed it, as a use does: only the expiry tells when.
  await sql`update understudy.sandboxes set expires_at = now() + interval '1 hour', created_at = now() - interval '3 hours'
    where name in ('used', 'idle')`.execute(shared.database.load);
  await sql`update understudy.sandboxes set lifetime_seconds = 7200 where name = 'idle'`.execute(shared.database.load);
  const later = await startService(t, { databaseUrl: shared.databaseUrl });
  t.match(rowsOf(await openConsole(later).get('')).get('idle')?.['Last use'], /^60 minutes ago /);
});

await test('users are counted on the page of the sandbox, and by the API', async (t) => {
  await sql`insert into understudy.users (sandbox_id, id, username, date_joined)
    select s.id, 1000 + n, 'user-' || n, now() from understudy.sandboxes s, generate_series(1, 1000) n where s.name = 'default'`.execute(
    shared.database.load,
  );
  t.match((await openConsole(shared).get('console/default/')).text, '<dd>1008</dd>');
  t.match((await shared.request('GET', '/_understudy/sandboxes/default')).json, {
    user_count: 1008,
    subscription_count: 163,
    clock: null,
    undo: null,
  });
});

await test('the list stays usable with a thousand sandboxes', async (t) => {
  const service = await startService(t, {
    admin: adminOptions(readConfiguration({ UNDERSTUDY_MAX_SANDBOXES: '2000' })),
  });
  await sql`insert into understudy.sandboxes (name, expires_at, lifetime_seconds)
    select 'job-' || n, now() + make_interval(secs => 1000 + n), 1000 from generate_series(1, 999) n`.execute(
    service.database.load,
  );
  const person = openConsole(service);
  const first = await person.get('');
  t.equal(rowsOf(first).size, 200);
  t.match(first.text, /200 of 1000 sandboxes/);
  t.equal([...rowsOf(first).keys()][0], 'default', 'the first');
  const filtered = await person.get('?name=JOB-99');
  t.same([...rowsOf(filtered).keys()], ['job-99', ...Array.from({ length: 10 }, (_, n) => `job-99${n}`)]);
  t.match(filtered.text, 'value="job-99"', 'the filter is kept');
  for (const odd of ['?name=%00', '?name=%25', '?name=%3Cb%3E']) {
    const page = await person.get(odd);
    t.equal(page.status, 200, odd);
    t.notMatch(page.text, '<b>');
  }
  t.equal((await person.get('console/new/')).elements.filter(({ name }) => name === 'option').length > 1000, true);
});

await test('moments are written in words', async (t) => {
  const minute = 60_000;
  t.same(
    [1, 60, 119, 120, 47 * 60, 48 * 60].map((minutes) => describeMoment('1970-01-01T00:00:00Z', minutes * minute)),
    ['1 minute ago', '60 minutes ago', '119 minutes ago', '2 hours ago', '47 hours ago', '2 days ago'],
  );
  t.equal(describeMoment('1970-01-01T00:00:00Z', 30_000), 'just now');
  t.equal(describeMoment('1970-01-01T00:00:30Z', 0), 'within a minute');
  t.equal(describeMoment('1970-01-01T01:30:00Z', 0), 'in 90 minutes');
});

// The page of a sandbox's fault rules: those in force, presets, and all as JSON.

const path = 'console/default/faults/';
const api = '/_understudy/sandboxes/default/faults';
const inForce = async (service: Service) => (await service.request('GET', api)).json as FaultInForce[];
const preset = (name: string) => ({ rule: JSON.stringify(presets.find(({ title }) => title === name)?.rule) });
const statusOf = async (service: Service, at = '/api/') => (await service.request('GET', at)).status;
/** The text area's content. A browser drops its leading line break. */
const jsonIn = ({ elements }: Shown): string | undefined =>
  elements.find(({ attributes }) => attributes.get('id') === 'json')?.text.replace(/^\n/, '');

await test('adds a preset with one click', async (t) => {
  const person = openConsole(shared);
  const page = await person.get(path);
  t.match(page.text, /None: requests are answered normally/);
  for (const { title, rule } of presets) {
    const button = page.elements.find(({ attributes }) => attributes.get('aria-label') === `Add ${title}`);
    t.equal(button?.attributes.get('name'), 'rule');
    const added = await person.post(`${path}add/`, { rule: button?.attributes.get('value') ?? '' });
    t.equal(added.status, 303, title);
    t.match(added.headers['location'], `${shared.url}/_understudy/${path}`);
    const [first] = await inForce(shared);
    t.match({ ...first, delay_ms: rule.delay_ms }, { ...rule, struck: 0 }, title);
    await person.post(`${path}clear/`);
    t.same(await inForce(shared), []);
  }
});

await test('other rules keep their counts', async (t) => {
  const person = openConsole(shared);
  const rules = [
    { name: 'a', match: { path: '/api/a/' }, status: 500 },
    { name: 'b', match: { path: '/api/b/' }, status: 500, next: 5 },
  ];
  await shared.request('PUT', api, { json: { rules } });
  for (const at of ['/api/a/', '/api/b/', '/api/b/']) await statusOf(shared, at);
  const struck = async () => (await inForce(shared)).map(({ name, struck: count }) => `${name} ${count}`);
  await person.post(`${path}add/`, preset('Cut in the middle'));
  t.same(await struck(), ['cut 0', 'a 1', 'b 2'], 'a new rule comes first');
  const keys = [...(await person.get(path)).text.matchAll(/name="key" value="([0-9a-f]{8}-\d+)"/g)].map(
    ([, key]) => key ?? '',
  );
  await person.post(`${path}remove/`, { key: keys[0] ?? '' });
  t.same(await struck(), ['a 1', 'b 2']);
  for (let n = 0; n < 3; n++) await statusOf(shared, '/api/b/');
  t.same(await struck(), ['a 1'], 'b reached its count of 5');
});

await test('shows which requests a rule applies to, and how many passed', async (t) => {
  const match = { method: 'get', path: '/api/users/*/', user: null, headers: { Accept: 'json' }, body: { a: 1 } };
  await shared.request('PUT', api, {
    json: {
      rules: [
        { status: 503, skip: 2, next: 3 },
        { match, delay_ms: 5 },
      ],
    },
  });
  await statusOf(shared);
  const text = (await openConsole(shared).get(path)).elements.map((element) => element.text).join(' ');
  const shown = text.replaceAll(/\s+/g, ' ');
  t.match(shown, '503 on any request, after the first 2, the next 3');
  t.match(shown, 'not hit yet, of 3, skipped 1, ends at');
  t.match(shown, 'GET /api/users/*/ without a token with headers {"Accept":"json"} {"a":1}');
  t.match(shown, 'delay on GET /api/users/*/');
});

await test('the page rejects a 51st rule', async (t) => {
  const rules = Array.from({ length: 50 }, () => ({ match: { path: '/api/a/' }, status: 500 }));
  await shared.request('PUT', api, { json: { rules } });
  const page = await openConsole(shared).post(`${path}add/`, preset('Slow answers'));
  t.equal(page.status, 409);
  t.match(page.text, /Fault rules are limited to 50 entries in a sandbox/);
  t.equal((await inForce(shared)).length, 50);
});

await test('all rules are edited as JSON', async (t) => {
  const person = openConsole(shared);
  const match = { method: 'POST', path: '/api/**', user: null, headers: { Accept: 'json' }, body: [1] };
  const rules = [
    { name: 'mine', status: 418, body: 'tea', headers: { 'X-A': 'b' }, match, skip: 2, next: 3 },
    { delay_ms: { min: 1, max: 2 }, connection: 'cut' },
  ];
  t.equal((await person.post(`${path}json/`, { json: JSON.stringify({ rules }) })).status, 303);
  t.match(await inForce(shared), [rules[0], { name: '2', ...rules[1] }]);
  const page = await person.get(path);
  const shown = JSON.parse(jsonIn(page) ?? '') as { rules: FaultRule[] };
  t.match(shown, { rules: [rules[0], { name: '2', ...rules[1] }] });
  t.match(await inForce(shared), [rules[0], rules[1]]);

  for (const [status, json, message] of [
    [400, '{"rules":[', /^JSON parse error - /],
    [400, '{"rules":[{"status":1}]}', /^rules\[0\]\.status: Must be a whole number from 200 to 599, not 1/],
    [409, `{"rules":[{"status":500,"body":"${'x'.repeat(2 ** 18)}"}]}`, /^Fault rules are limited to 262144 bytes/],
    [
      400,
      '{"rules":[{"status":500,"match":{"method":"POTS"}}]}',
      /method: No request has the method POTS; did you mean POST\?/,
    ],
    [400, '{"rule":[]}', /^rule: Not a known key; did you mean rules\?/],
  ] as const) {
    const wrong = await person.post(`${path}json/`, { json });
    t.equal(wrong.status, status);
    t.match(textsOf(wrong, '#json-error')[0], message);
    t.equal(jsonIn(wrong), json, 'keeps the sent text');
  }
  t.equal((await inForce(shared)).length, 2);
});

await test('unknown sandboxes are 404, and other rules refused', async (t) => {
  const person = openConsole(await startService(t));
  t.equal((await person.get('console/missing/faults/')).status, 404);
  t.equal((await person.post('console/missing/faults/add/', preset('Slow answers'))).status, 404);
  for (const rule of ['{}', '{"status":1}', '{"name":"x"', ''])
    t.equal((await person.post(`${path}add/`, { rule })).status, 400, rule);
});
