// docs/reference/errors.md, the catalogue and the recordings say the same, in every direction.
import { test } from 'tap';
import { catalogue } from '../../src/base/errors.ts';
import { loadTranscripts } from '../transcripts/engine/load.ts';
import { transcriptsFolder } from '../support/service.ts';
import { plain, readTable, type Row } from './tables.ts';

interface Recorded {
  readonly scenario: string;
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly detail: string;
  /** Whether we give the same answer (docs/reference/differences.md). */
  readonly isOurs: boolean;
}

const { scenarios, differences } = await loadTranscripts(transcriptsFolder);
const recorded: Recorded[] = scenarios.flatMap(({ name, steps }) =>
  steps.flatMap(({ title, response: { status, body } }) => {
    const { type, errors } = (body ?? {}) as { type?: string; errors?: { code: string; detail: string }[] };
    const isOurs = differences.steps[name]?.[title] === undefined;
    return (errors ?? []).map(({ code, detail }) => ({
      scenario: name,
      status,
      type: type ?? '',
      code,
      detail,
      isOurs,
    }));
  }),
);

/** Whether a text is one that `detail` with its `{}` stands for. */
const isLike = (detail: string, text: string) =>
  new RegExp(
    `^${detail
      .split('{}')
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
    'su',
  ).test(text);

const documented = readTable('reference/errors.md', 'catalogue');
const fields = readTable('reference/errors.md', 'fields');
const rows = [...documented, ...fields.map((field): Row => ({ ...field, status: '400' }))];

await test('each error of the catalogue is documented as it is, and no other', async (t) => {
  t.same(
    documented.map((row) => ({
      name: plain(row['name']),
      status: Number(row['status']),
      type: plain(row['type']),
      code: plain(row['code']),
      detail: plain(row['detail']),
    })),
    Object.entries(catalogue)
      .map(([name, entry]) => ({ name, ...entry }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );
  for (const row of documented) t.ok((row['when'] ?? '').length > 10, `${row['name']} says when`);
});

await test('the recordings that the page names say the same', async (t) => {
  for (const row of rows) {
    const detail = plain(row['detail']);
    const same = recorded.filter(
      (one) => one.code === plain(row['code']) && isLike(detail, one.detail) && one.status === Number(row['status']),
    );
    const names = new Set(same.map(({ scenario }) => scenario));
    if (row['recorded'] === 'ours') t.same([...names], [], `${detail}: ours alone`);
    else t.ok(names.has(plain(row['recorded'])), `${detail}: ${row['recorded']}`);
  }
});

await test('every recorded error that we give too is documented', async (t) => {
  const missing = recorded.filter(
    ({ status, code, detail, isOurs }) =>
      isOurs &&
      !rows.some(
        (row) =>
          Number(row['status']) === status && plain(row['code']) === code && isLike(plain(row['detail']), detail),
      ),
  );
  t.same(missing, []);
});

await test('the check itself', async (t) => {
  t.ok(isLike('Method "{}" not allowed.', 'Method "GET" not allowed.'));
  t.notOk(isLike('Not found.', 'Not found!'));
  t.ok(recorded.length > 100);
});
