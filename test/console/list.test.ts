// The list of sandboxes: what it says of each, and that it stays usable with a thousand.
import { sql } from 'kysely';
import { test } from 'tap';
import { adminOptions, readConfiguration } from '../../src/service/config/config.ts';
import { describeMoment } from '../../src/pages/console/time-from-now.ts';
import { startService } from '../support/service.ts';
import { openConsole, type Shown } from '../support/person.ts';

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

await test('the list says of each sandbox what it is and when it ends', async (t) => {
  const service = await startService(t);
  const person = openConsole(service);
  await service.request('PUT', '/_understudy/sandboxes/used', { json: { expires_in_seconds: 7200 } });
  await service.request('PUT', '/_understudy/sandboxes/idle', { json: { from: 'empty' } });
  await service.request('PUT', '/_understudy/sandboxes/idle/snapshots/one');
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

  await service.request('GET', '/sandboxes/used/api/users/');
  await service.request('GET', '/api/users/');
  const now = rowsOf(await person.get(''));
  t.match(now.get('used')?.['Last use'], /^just now \d{4}-\d\d-\d\d \d\d:\d\d UTC$/, 'by the journal');
  t.match(now.get('default')?.['Last use'], /^just now /);
  await service.request('GET', '/sandboxes/used/api/users/nobody/');
  await service.request('PUT', '/_understudy/sandboxes/used/faults', { json: { rules: [{ status: 503, next: 2 }] } });
  for (let n = 0; n < 2; n++) await service.request('GET', '/sandboxes/used/api/');
  const counted = await person.get('');
  t.match(rowsOf(counted).get('used'), { '4xx': '1', '5xx': '2' });
  t.match(rowsOf(counted).get('default'), { '4xx': '0', '5xx': '0' });
  t.match(counted.text, `href="${service.url}/_understudy/console/used/journal/?status=5xx"`);

  // Another service renewed it, as a use does: only the expiry tells when.
  await sql`update understudy.sandboxes set expires_at = now() + interval '1 hour', created_at = now() - interval '3 hours'
    where name in ('used', 'idle')`.execute(service.database.load);
  await sql`update understudy.sandboxes set lifetime_seconds = 7200 where name = 'idle'`.execute(service.database.load);
  const later = await startService(t, { databaseUrl: service.databaseUrl });
  t.match(rowsOf(await openConsole(later).get('')).get('idle')?.['Last use'], /^60 minutes ago /);
});

await test('users are counted on the page of the sandbox, and by the API', async (t) => {
  const service = await startService(t);
  await sql`insert into understudy.users (sandbox_id, id, username, date_joined)
    select s.id, 1000 + n, 'user-' || n, now() from understudy.sandboxes s, generate_series(1, 1000) n where s.name = 'default'`.execute(
    service.database.load,
  );
  t.match((await openConsole(service).get('console/default/')).text, '<dd>1008</dd>');
  t.match((await service.request('GET', '/_understudy/sandboxes/default')).json, {
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
  t.match(first.text, /The first 200 of 1000 sandboxes: filter by a part of the name/);
  t.equal([...rowsOf(first).keys()][0], 'default', 'the first');
  const filtered = await person.get('?name=JOB-99');
  t.same([...rowsOf(filtered).keys()], ['job-99', ...Array.from({ length: 10 }, (_, n) => `job-99${n}`)]);
  t.match(filtered.text, 'value="job-99"', 'the filter is kept');
  for (const odd of ['?name=%00', '?name=%25', '?name=%3Cb%3E']) {
    const page = await person.get(odd);
    t.equal(page.status, 200, odd);
    t.notMatch(page.text, '<b>');
  }
  t.match((await person.get('?name=nothing-like-this')).text, 'No sandbox has a name like this');
  t.equal((await person.get('console/new/')).elements.filter(({ name }) => name === 'option').length > 1000, true);
});

await test('moments are written in words', async (t) => {
  const minute = 60_000;
  t.same(
    [1, 60, 119, 120, 47 * 60, 48 * 60].map((minutes) => describeMoment(new Date(0), minutes * minute)),
    ['1 minute ago', '60 minutes ago', '119 minutes ago', '2 hours ago', '47 hours ago', '2 days ago'],
  );
  t.equal(describeMoment(new Date(0), 30_000), 'just now');
  t.equal(describeMoment(new Date(30_000), 0), 'within a minute');
  t.equal(describeMoment(new Date(90 * minute), 0), 'in 90 minutes');
});
