// The seeds that ship, and the schema that is published with them.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { frequencies } from '../../src/model/notifications.ts';
import { applySeed } from '../../src/seeds/load/apply.ts';
import { startService } from '../support/service.ts';
import { checkAlone, parseSeed } from '../../src/seeds/format/read-seeds.ts';
import { readSeedFile } from '../support/read-seed-file.ts';
import type { Seed } from '../../src/seeds/format/seed-types.ts';
import { seedJsonSchema } from '../../packaging/write-json-schema.ts';

const folder = join(import.meta.dirname, '../../seeds');

await test('every shipped seed is valid by itself and names its schema', async (t) => {
  const files = (await readdir(folder)).filter((file) => !file.endsWith('.schema.json'));
  t.ok(files.includes('documented.yaml'));
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    t.strictSame(checkAlone(parseSeed({ text, file })).errors, [], file);
    t.ok(text.startsWith('# yaml-language-server: $schema=./seed.schema.json\n'), file);
  }
});

await test('the published schema is the one that the program checks by', async (t) => {
  t.equal(
    await readFile(join(folder, 'seed.schema.json'), 'utf8'),
    seedJsonSchema(),
    'after a change of the format: node packaging/write-json-schema.ts',
  );
});

await test('the empty seed holds nobody, and lets users come in every documented way', async (t) => {
  const service = await startService(t, { seed: 'empty', anonymous: 'write' });
  t.match((await service.request('GET', '/api/users/')).json, { count: 0, results: [] });
  const made = await service.request('PUT', '/_understudy/sandboxes/job', { json: { from: 'empty' } });
  t.match(made, { status: 201, json: { token: null, users: [] } });
  const json = { username: 'ada', full_name: 'Ada', email: 'ada@example.com' };
  const created = await service.request('POST', '/sandboxes/job/api/users/', { json });
  t.match(created, { status: 201, json: { id: 1, groups: [/\/groups\/2\/$/, /\/groups\/3\/$/] } });
  const { seeds } = parseSeed({
    text: 'users: [{ username: root, is_superuser: true, token: wlu_root }]',
    file: 'team.yaml',
  });
  await applySeed(service.database.load, { sandboxId: 1, seeds, mode: 'merge' });
  t.match(await service.request('GET', '/api/users/', { token: 'wlu_root' }), { status: 200, json: { count: 1 } });
});

// Specification, table 2.3.
const documented = [
  ['MentionCommentNotificaton', [0, 10]],
  ['LastAuthorCommentNotificaton', [10]],
  ['NewAnnouncementNotificaton', [10, 20]],
  ['MergeFailureNotification', [20]],
  ['ParseErrorNotification', [20]],
  ['NewTranslationNotificaton', [20]],
  ['NewComponentNotificaton', [20]],
  ['NewAlertNotificaton', [20]],
] as const;
const pairs = documented.flatMap(([name, scopes]) => scopes.map((scope) => `${name} ${scope} 1 null null`));

await test('the documented sample is what the specification shows', async (t) => {
  const seed = await readSeedFile(join(folder, 'documented.yaml'));
  const of = (user: string): Seed['subscriptions'] => seed.subscriptions.filter((s) => s.user === user);
  const shown = (user: string): string[] =>
    of(user).map(({ notification, scope, frequency = frequencies.instant, project, component }) =>
      [notification, scope, frequency, project, component].map(String).join(' '),
    );
  t.equal(pairs.length, 10);
  t.strictSame(shown('alice'), pairs);
  t.strictSame(
    shown('bob'),
    pairs.filter((pair) => !pair.startsWith('NewComponentNotificaton')),
  );
  t.ok(of('carol').some((s) => s.project === 'demo'));
  t.ok(of('carol').some((s) => s.component === 'demo/app'));
  t.equal(of('dave').length, 0);
  t.equal(of('erin').length, 137);
  t.strictSame(
    seed.users.filter((user) => user['is_superuser'] === true).map((user) => user.username),
    ['admin'],
  );
  t.match(seed.users[0], { id: 1, username: 'anonymous', is_active: false });
  t.ok(seed.users.some((user) => user.username === 'jürgen'));
  for (const { text } of seed.users.flatMap((user) => user.tokens))
    t.match(text, /^wlu_[a-z]+_public_sample_token_0+$/, 'says that it is a public sample');
});
