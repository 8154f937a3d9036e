// Export: the text makes the same sandbox again, byte for byte in its rows, ids and counters.
import { text as textOf } from 'node:stream/consumers';
import { test } from 'tap';
import { createExports } from '../../src/seeds/export/export-sandbox.ts';
import { seedFile } from '../../src/seeds/load/seed-name.ts';
import { checkAlone, parseSeed } from '../../src/seeds/format/read-seeds.ts';
import { readSeedFile } from '../support/read-seed-file.ts';
import { applySeed } from '../../src/seeds/load/apply.ts';
import { openForTest, transcriptsFolder } from '../support/service.ts';
import { addSandbox, dump, load, openMigrated, select } from '../support/sandbox-database.ts';

const odd = `
users:
  - username: "yes"
    full_name: "Null: # , [x] {y} 'quoted' \\"twice\\" \\u2028 \\u0085\\u009f\\u202e\\u2066\\ufeff\\uffff \\\\"
    email: odd@example.com
    is_bot: true
    date_joined: 2020-02-29T01:02:03.000004Z
    date_expires: 2030-01-01
    profile: { languages: [cs, "no"], nested: { a: 1.5, b: null, "": [] } }
    groups: [5, Only]
  - { username: "1e3", id: 77, is_active: false, groups: [] }
  - { username: "on", is_superuser: true }
  - { username: anonymous, is_internal: false }
groups:
  - { id: 5, name: Twin, automatic: true, projects: [b, a] }
  - { id: 6, name: Twin, roles: [3, 1], permissions: [user.view], project_selection: 1 }
  - { name: Only, defining_project: b, language_selection: 1 }
projects: [{ slug: a, private: true, web: 'https://example.com/?a=1#b' }, { slug: b, name: "B: b" }]
components: [{ project: b, slug: c, name: "- c" }]
subscriptions:
  - { user: "1e3", notification: LockNotification, component: b/c, frequency: none }
  - { user: "yes", notification: LockNotification, project: a, id: 500, frequency: monthly }
next_id: { users: 1000, components: 50 }
`;

await test('export', async (suite) => {
  const { db, url } = await openMigrated(suite);
  const database = openForTest(url);
  suite.teardown(() => database.close());
  const exportSeed = createExports(database.openConnection);
  async function exportOf(id: number, format: 'yaml' | 'json'): Promise<string> {
    await select(db, `update understudy.sandboxes set name = 'exported-${id}' where id = ${id}`);
    return textOf(await exportSeed(`exported-${id}`, format));
  }
  const withoutTokens = async (id: number) => ({ ...(await dump(db, id)), tokens: [] });

  const seeds: [string, (id: number) => Promise<unknown>][] = [
    ['odd texts', (id) => load(db, id, odd)],
    ['nothing', (id) => load(db, id, 'groups: []')],
    [
      'the documented seed',
      async (id) =>
        applySeed(db, { sandboxId: id, seeds: [await readSeedFile(seedFile('documented'))], mode: 'replace' }),
    ],
    [
      'the transcripts’ seed',
      async (id) =>
        applySeed(db, {
          sandboxId: id,
          seeds: [await readSeedFile(`${transcriptsFolder}/seed.json`)],
          mode: 'replace',
        }),
    ],
  ];
  for (const [name, fill] of seeds)
    for (const format of ['yaml', 'json'] as const)
      await suite.test(`${name} as ${format}`, async (t) => {
        const id = await addSandbox(db);
        await fill(id);
        await select(db, `delete from understudy.subscriptions where sandbox_id = ${id} and id % 7 = 3`);
        const text = await exportOf(id, format);
        t.strictSame(checkAlone(parseSeed({ text, file: 'exported' })).errors, []);
        const again = await addSandbox(db);
        await load(db, again, text, { mode: 'replace' });
        t.strictSame(await withoutTokens(again), await withoutTokens(id));
        t.equal(await exportOf(again, format), text, 'and its export is the same text');
        // Characters that YAML parsers may reject, or editors show as others. (JSON has them unescaped.)
        if (format === 'yaml') t.notMatch(text, /[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\uffff]/u);
      });

  await suite.test('tokens are left out, and it says so', async (t) => {
    const id = await addSandbox(db);
    await load(db, id, 'users: [{ username: ada, token: secret-of-ada }]');
    const text = await exportOf(id, 'yaml');
    t.match(text, /Tokens are stored as hashes and can not be exported/);
    t.notMatch(text, /secret-of-ada|token:/);
  });

  await suite.test('an unknown sandbox is an error', async (t) => {
    await t.rejects(exportSeed('nowhere', 'yaml'), { message: 'No sandbox is named "nowhere".' });
  });
});
