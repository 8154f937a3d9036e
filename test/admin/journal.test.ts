// What the journal keeps, which is bounded whatever the requests are.
import { test } from 'tap';
import { createJournal, type KeptEntry } from '../../src/admin/journal.ts';

const entry = (path: string, body: string | null = null): KeptEntry => ({
  at: '2026-11-21T00:00:00.000Z',
  method: 'GET',
  path,
  query: '',
  status: 200,
  duration_ms: 1,
  unmatched: false,
  fault: null,
  request_body: null,
  response_body: body,
  tokenHash: null,
});
const pathsOf = (entries: readonly KeptEntry[]) => entries.map(({ path }) => path);

await test('the last so many of a sandbox', async (t) => {
  const journal = createJournal(2);
  for (const path of ['/a', '/b', '/c']) journal.add('mine', entry(path));
  t.same(pathsOf(journal.list('mine')), ['/b', '/c']);
  journal.clear('mine');
  t.same(journal.list('mine'), []);
});

await test('a hundred sandboxes, of which the longest unused goes', async (t) => {
  const journal = createJournal(2);
  journal.list('default');
  for (let n = 0; n < 100; n++) {
    journal.add(`s${n}`, entry(`/${n}`));
    journal.add('s0', entry('/again'));
  }
  t.same(pathsOf(journal.list('s1')), [], 'unused for longest');
  t.same(pathsOf(journal.list('s0')), ['/again', '/again'], 'the first, but used since');
  t.ok(journal.isKept('default'), 'that of default stays');
});

await test('and so many characters in all', async (t) => {
  const journal = createJournal(200);
  const body = 'x'.repeat(2000);
  const fill = (name: string) => {
    for (let n = 0; n < 200; n++) journal.add(name, entry('/', body));
  };
  for (let n = 0; n < 50; n++) fill(`s${n}`);
  const kept = Array.from({ length: 50 }, (_, n) => journal.list(`s${n}`).length);
  t.equal(kept.at(-1), 200, 'the last ones are whole');
  t.equal(kept[0], 0, 'the first ones went');
  const characters = kept.reduce((all, length) => all + length * 2001, 0);
  t.ok(characters <= 16_000_000, `${characters} characters`);
  t.ok(characters > 15_000_000, 'and no more of them went than had to');
  for (let n = 0; n < 50; n++) journal.forget(`s${n}`);
  for (let n = 0; n < 39; n++) fill(`again${n}`);
  t.equal(journal.list('again0').length, 200, 'what was forgotten doesn’t count');
});
