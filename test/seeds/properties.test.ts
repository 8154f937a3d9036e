// Fails if a property of a seed is lost on its way.
import { test } from 'tap';
import { applySeed } from '../../src/seeds/load/apply.ts';
import { initialValues, type Kind, kindNames, propertiesOf } from '../../src/model/kinds.ts';
import { parseSeed } from '../../src/seeds/format/read-seeds.ts';
import { startService } from '../support/service.ts';
import { select } from '../support/sandbox-database.ts';
import { second, values } from './whole-seed.ts';

const whole = JSON.stringify({
  now: '2026-03-01T00:00:00.000000Z',
  ...Object.fromEntries(kindNames.map((kind) => [kind, [{ id: 5, ...values[kind] }]])),
  subscriptions: [
    { id: 5, ...values.subscriptions },
    { id: 6, ...second },
  ],
  next_id: Object.fromEntries(kindNames.map((kind) => [kind, 9])),
});
/** The same things with what identifies them alone. */
const bare = JSON.stringify({
  projects: [{ id: 5, slug: 'p' }],
  components: [{ id: 5, project: 'p', slug: 'c' }],
  groups: [{ id: 5, name: 'g', defining_project: 'p' }],
  users: [{ id: 5, username: 'u', groups: [] }],
  subscriptions: [
    { id: 5, ...values.subscriptions, frequency: 'daily' },
    { id: 6, ...second, frequency: 'daily' },
  ],
});

await test('every property of every kind survives every way of a seed', async (t) => {
  for (const kind of kindNames) {
    const initial = initialValues(kind, String(values[kind]['slug'] ?? values[kind]['username']));
    for (const [name] of propertiesOf(kind)) {
      const isGiven = name in values[kind] || name in second;
      t.ok(isGiven, `${kind}.${name}: give it a value in test/seeds/whole-seed.ts`);
      if (name in initial)
        t.strictNotSame(values[kind][name], initial[name], `${kind}.${name} is not what it is by itself`);
    }
  }
  const service = await startService(t);
  const at = (path: string) => `/_understudy/sandboxes/${path}`;
  const exported = async (name: string) => (await service.request('GET', at(`${name}/seed?format=json`))).text;
  const send = async (method: string, path: string, body?: string) => {
    const more = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
    const answered = await service.request(method, at(path), more);
    t.ok(answered.status < 300, answered.text);
  };

  await send('PUT', 'one', `{"seed": ${whole}}`);
  const expected = await exported('one');
  const { users, ...others } = JSON.parse(expected) as Record<Kind, Record<string, unknown>[]>;
  const { subscriptions, ...user } = users[0] as { subscriptions: Record<string, unknown>[] };
  const found: Record<Kind, unknown> = { ...others, users: [user], subscriptions };
  const { user: _user, ...ofUser } = values.subscriptions;
  const { user: _alsoUser, ...alsoOfUser } = second;
  for (const kind of kindNames)
    t.match(
      found[kind],
      kind === 'subscriptions'
        ? [
            { id: 5, ...ofUser },
            { id: 6, ...alsoOfUser },
          ]
        : [{ id: 5, ...values[kind] }],
      `the export has every property of ${kind} (src/seeds/export/queries.ts)`,
    );

  await send('PUT', 'one/snapshots/kept');
  const db = service.database.load;
  const [row] = await select(db, `select id from understudy.sandboxes where name = 'one'`);
  const change = (mode: 'merge' | 'replace', text: string) =>
    applySeed(db, { ...parseSeed({ text, file: mode }), sandboxId: Number(row?.['id']), mode, seedName: 'test' });
  const spoil = async () => {
    await select(db, `delete from understudy.users where sandbox_id = ${Number(row?.['id'])}`);
    await select(db, `delete from understudy.projects where sandbox_id = ${Number(row?.['id'])}`);
  };

  await spoil();
  await send('POST', 'one/reset');
  t.equal(await exported('one'), expected, 'reset: sync_rows in src/database/sandbox-rows.ts');
  await spoil();
  await send('POST', 'one/snapshots/kept/restore');
  t.equal(await exported('one'), expected, 'restore: copy_rows and sync_rows in src/database/sandbox-rows.ts');
  await send('PUT', 'two', '{"from": "one"}');
  t.equal(await exported('two'), expected, 'a copy: copy_rows in src/database/sandbox-rows.ts');
  await send('PUT', 'three', `{"seed": ${expected}}`);
  t.equal(await exported('three'), expected, 'the export, loaded: src/seeds/format/normalise.ts');
  await change('replace', bare);
  t.not(await exported('one'), expected);
  await change('merge', whole);
  t.equal(await exported('one'), expected, 'merged into what was there: src/seeds/load/load-rows.ts');
});
