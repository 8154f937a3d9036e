// The pages of docs/reference/ say what the code and the recordings say: errors, differences, the control API, commands.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import manifest from '../../package.json' with { type: 'json' };
import { type Command } from '../../src/cli/command.ts';
import { apiError, catalogue, type ErrorName } from '../../src/base/errors.ts';
import { loadTranscripts } from '../transcripts/engine/load.ts';
import { runCommand } from '../support/run-command.ts';
import { startService, transcriptsFolder } from '../support/service.ts';
import { plain, readTable, type Row } from '../support/tables.ts';
import { rules } from '../differential/rules.ts';
import { follow } from '../follow/follow.ts';
import { variables } from '../follow/weblate/machine.ts';
import { verify } from '../transcripts/commands/verify.ts';
import { pages, root } from '../support/pages.ts';

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
      .map(([name, entry]) => ({ name, type: apiError(name as ErrorName).type, ...entry }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );
  for (const row of documented) t.ok((row['when'] ?? '').length > 10, `${row['name']} says when`);
});

await test('the recordings that the page names have the documented errors', async (t) => {
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

await test('differences.md counts the steps that differences.json names', async (t) => {
  const file: Record<string, object> = JSON.parse(readFileSync(join(transcriptsFolder, 'differences.json'), 'utf8'));
  const counted: Record<string, number> = {};
  for (const row of readTable('reference/differences.md', 'steps'))
    for (const [, scenario = '', count] of (row['steps'] ?? '').matchAll(/`([^`]+)`(?: (\d+))?/g))
      counted[scenario] = (counted[scenario] ?? 0) + Number(count ?? 1);
  const inFile = Object.entries(file).map(([scenario, steps]) => [
    scenario,
    scenario === '*' ? 1 : Object.keys(steps).length,
  ]);
  t.same(counted, Object.fromEntries(inFile), 'docs/reference/differences.md counts the steps of differences.json');
});

await test('each rule of the differential run is a row, with a reason', async (t) => {
  const described = ['steps', 'beyond'].flatMap((table) => readTable('reference/differences.md', table));
  t.equal(
    described.every((row) => (row['why'] ?? '') !== ''),
    true,
  );
  for (const { row } of rules)
    t.ok(
      described.some(({ what }) => what === row),
      row,
    );
});

await test('control-api.md lists the operations of the document, and no others', async (t) => {
  const service = await startService(t, { seed: null });
  const { json } = await service.request('GET', '/_understudy/schema/');
  const { paths } = json as { paths: Record<string, Record<string, unknown>> };
  const methods = ['get', 'put', 'post', 'patch', 'delete'];
  const served = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => methods.includes(key))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  t.ok(served.length > 10);
  t.same(
    new Set(readTable('reference/control-api.md', 'requests').map((row) => plain(row['request']))),
    new Set(served),
  );
});

const isCommand = (value: unknown): value is Command =>
  typeof value === 'object' && value !== null && 'usage' in value && 'run' in value;

const folder = join(root, 'src/cli/commands');
const files = globSync('*.ts', { cwd: folder });
const modules: object[] = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<object>));
const commands = modules.flatMap((module) => Object.values(module).filter(isCommand));
const sections = new Map(
  (pages.get('docs/reference/cli.md') ?? '')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0] ?? '', section]),
);

const optionsIn = (text: string): Set<string> => new Set(text.match(/--[a-z]+(?:-[a-z]+)*/g));
/** First cells that name options. */
const optionCells = (section: string): string =>
  [...section.matchAll(/^\| (`--.*?`) \| /gm)].map(([, cell]) => cell).join(' ');
// Text in backquotes shows another command.
const withoutQuotes = (usage: string): string => usage.replaceAll(/`[^`]*`/g, '');

await test('cli.md has a section for each command, and no other', async (t) => {
  t.ok(commands.length > 5);
  t.same(new Set(sections.keys()), new Set(commands.map(({ name }) => name)));
});

await test('each command can be run by its name', (t) => {
  const main = readFileSync(join(root, 'src/cli/main.ts'), 'utf8');
  const listed = [...main.matchAll(/^ {2}(\w+): \(\) => import\('\.\/commands\/([\w-]+\.ts)'\)/gm)];
  t.same(new Set(listed.map(([, , file]) => file)), new Set(files), 'add it to src/cli/main.ts');
  t.same(new Set(listed.map(([, name]) => name)), new Set(commands.map(({ name }) => name)));
  t.end();
});

/** With that of its subcommands, if it has some. */
async function usageOf(command: Command): Promise<string> {
  const subcommands = [...command.usage.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
  const ran = await Promise.all(subcommands.map((name) => runCommand(command, [name, '--help'])));
  return [command.usage, ...ran.map(({ stdout }) => stdout)].join();
}

await test('each section of cli.md lists the options that --help names', async (t) => {
  for (const command of commands) {
    const { name } = command;
    const usage = withoutQuotes(await usageOf(command));
    t.same(optionsIn(optionCells(sections.get(name) ?? '')), optionsIn(usage), name);
  }
});

await test('the page on the real system names the options and variables of npm run follow', (t) => {
  const page = pages.get('docs/how-to/compare-with-the-real-system.md') ?? '';
  for (const option of optionsIn(follow.usage)) t.ok(page.includes(option), option);
  for (const [name, value] of Object.entries(variables)) t.ok(page.includes(`| \`${name}\` | \`${value}\` |`), name);
  t.end();
});

await test('the page on the real system lists the options of npm run verify', async (t) => {
  const page = pages.get('docs/how-to/compare-with-the-real-system.md') ?? '';
  t.same(optionsIn(optionCells(page)), optionsIn(verify.usage));
});

await test('what is by hand though a library does it is in one table, with its reason, and none of those libraries is there', (t) => {
  const byHand = readTable('decisions/0026-libraries-weighed.md', 'by-hand');
  const named = byHand.map((row) => row['what']);
  for (const what of ['metrics', 'bundling', 'threads', 'arguments']) t.ok(named.includes(what), what);
  const { dependencies, devDependencies } = manifest;
  const present = new Set(Object.keys({ ...dependencies, ...devDependencies }));
  for (const { what = '', libraries = '', 'by hand': code = '', why = '' } of byHand) {
    t.ok(why.length > 10, `${what} says why`);
    t.ok(existsSync(join(root, /^`([^`]+)`/.exec(code)?.[1] ?? '-')), `${what}: ${code}`);
    t.same(
      libraries.split(', ').filter((library) => present.has(library)),
      [],
      what,
    );
  }
  t.end();
});
