// The databases of test files: empty or cloned from a template, which is prepared once however many ask at the same moment.
import tap from 'tap';
import { createDatabaseFromTemplate, createTestDatabase } from '../support/database.ts';
import { query } from '../support/postgres-folders.ts';

await tap.test('an empty database, dropped when its test is over', async (t) => {
  let url = '';
  await t.test('a test gets it', async (owner) => {
    url = await createTestDatabase(owner);
    owner.same(await query(url, `select count(*)::int from pg_class where relnamespace = 'public'::regnamespace`), [0]);
  });
  await t.rejects(query(url, 'select 1'), { code: '3D000' });
});

await tap.test('a template is prepared once, and each caller gets a database', async (t) => {
  let prepared = 0;
  // A name of this process's own, so that no other one has prepared the template.
  const name = `numbers ${process.pid}`;
  const prepare = async (url: string): Promise<void> => {
    prepared++;
    await query(url, 'create table numbers as select 1 as number');
  };
  const urls = await Promise.all([1, 2, 3, 4].map(() => createDatabaseFromTemplate(t, name, prepare)));
  t.equal(prepared, 1);
  t.equal(new Set(urls).size, 4);
  await query(urls[0] ?? '', 'insert into numbers values (2)');
  t.same(await query(urls[0] ?? '', 'select number from numbers order by number'), [1, 2]);
  t.same(await query(urls[1] ?? '', 'select number from numbers order by number'), [1]);
});

await tap.test('a preparation that fails leaves no template', async (t) => {
  const name = `failing ${process.pid}`;
  await t.rejects(
    createDatabaseFromTemplate(t, name, () => Promise.reject(new Error('not today'))),
    { message: 'not today' },
  );
  const url = await createDatabaseFromTemplate(t, name, (draft) => query(draft, 'create table there ()'));
  t.same(await query(url, `select to_regclass('there') is not null`), [true]);
});
