// The command `follow` without a Weblate, and its report, made from planted differences.
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { mirrors } from '../../src/base/version.ts';
import { readWorld } from '../generator/world.ts';
import { untilGone } from '../support/postgres-folders.ts';
import { runCommand } from '../support/run-command.ts';
import { listChanges, listMain, type Seen, seenByGenerator } from './changes.ts';
import { follow } from './follow.ts';
import { formatReleases, type Kept, operations, pageFile, readKept, replaceTables } from './page.ts';
import { formatReport } from './report.ts';
import { install } from './weblate/install.ts';
import { makeSettings } from './weblate/settings.ts';

await test('wrong usage ends with 2', async (t) => {
  const cases: [args: string[], message: RegExp][] = [
    [[], /missing --release NUMBER/u],
    [['--release', '../5.10'], /--release \.\.\/5\.10 is no number of a release/u],
    [['--release', '5.10', '--steps', 'many'], /--steps must be a whole number/u],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runCommand(follow, args);
    t.equal(code, 2);
    t.match(stderr, message);
  }
});

await test('each thing that the machine lacks has a line', async (t) => {
  const env = {
    PATH: '/nowhere',
    WEBLATE_FOLDER: t.testdir(),
    WEBLATE_PYTHON: '/nowhere/python3',
    WEBLATE_POSTGRES: 'postgres://weblate:secret@127.0.0.1:1/postgres',
    WEBLATE_REDIS: 'redis://127.0.0.1:1/1',
  };
  const { code, stdout, stderr } = await runCommand(follow, ['--release', '5.10.4'], { env });
  t.equal(code, 2);
  t.equal(stdout, '');
  t.equal(
    stderr,
    `follow: a real Weblate needs
  Python 3.12 or newer, with venv (/nowhere/python3: not found); WEBLATE_PYTHON can name another
  git (not found)
  PostgreSQL (127.0.0.1:1: ECONNREFUSED); WEBLATE_POSTGRES can name another
  Redis (127.0.0.1:1: ECONNREFUSED); WEBLATE_REDIS can name another
`,
  );
});

/** Installs a release with a script in place of Python. */
async function installWith(t: Test, script: string, signal = new AbortController().signal) {
  const scratch = t.testdir({ python: `#!/bin/sh\n${script}` });
  const [python, folder] = [join(scratch, 'python'), join(scratch, '5.10.4')];
  await chmod(python, 0o755);
  const io = { env: process.env, signal, note: () => {} };
  return { folder, start: () => install({ folder, release: '5.10.4', python }, io) };
}

await test('Ctrl-C ends what an installation has started', async (t) => {
  const interrupt = new AbortController();
  const script = 'echo $$ >pid\nsleep 600 & echo $! >>pid\nwait\n';
  const { folder, start } = await installWith(t, script, interrupt.signal);
  const installing = start();
  const readPids = async () =>
    (await readFile(join(folder, 'pid'), 'utf8').catch(() => '')).split('\n').slice(0, -1).map(Number);
  while ((await readPids()).length < 2) await wait(10);
  interrupt.abort(new Error('interrupted'));
  await t.rejects(installing, { message: 'interrupted' });
  for (const pid of await readPids()) await untilGone(pid);
  t.notOk(existsSync(join(folder, 'installed')));
});

await test('a failed installation shows the end of its output', async (t) => {
  const { folder, start } = await installWith(t, 'echo no room\nexit 3\n');
  await t.rejects(start(), { message: /python -m venv venv failed \(3\); its output ends\nno room$/u });
  await writeFile(join(folder, 'installed'), '');
  await t.resolves(start(), 'an installed release is not installed again');
});

await test('the settings are the example with the places of this machine', async (t) => {
  const example = `SITE_DOMAIN = ""
DEBUG: bool = True
DATA_DIR = os.path.join(BASE_DIR, "data")
CACHE_DIR = f"{DATA_DIR}/cache"
API_RATELIMIT_ANON = "100/day"
REST_FRAMEWORK = get_drf_settings(anon_throttle="100/day", user_throttle="5000/hour")
`;
  const place = {
    folder: '/f',
    port: 8123,
    database: new URL('postgres://me:p%40ss@db:5433/weblate_5_10_4'),
    redis: 'redis://127.0.0.1:6379/7',
  };
  t.equal(
    makeSettings(example, { ...place, limits: { anonymous: '2/day' } }),
    `SITE_DOMAIN = "localhost:8123"
DEBUG = False
DATA_DIR = "/f/data"
CACHE_DIR = f"{DATA_DIR}/cache"
API_RATELIMIT_ANON = "2/day"
REST_FRAMEWORK = get_drf_settings(anon_throttle="2/day", user_throttle="1000000/hour")
CELERY_TASK_ALWAYS_EAGER = True
API_RATELIMIT_USER = "1000000/hour"

DATABASES["default"].update({"NAME": "weblate_5_10_4", "USER": "me", "PASSWORD": "p@ss", "HOST": "db", "PORT": "5433"})
CACHES["default"]["LOCATION"] = "redis://127.0.0.1:6379/7"
`,
  );
});

/** A difference of the first step of a scenario, or of a generated request. */
function plant(
  method: string,
  path: string,
  [place, expected, received]: [string, string, string],
  scenario?: string,
): Seen {
  const found = { request: { method, path }, mismatch: { place, expected, received }, title: `${method} ${path}` };
  return scenario === undefined ? found : { ...found, scenario };
}

const list = '/api/users/alice/notifications/';
const entry = (index: number): [string, string, string] => [
  `body.results[${index}].component`,
  '"{base_url}/api/"',
  '{"id":1}',
];

await test('a class in an operation is one change, and counts its steps', async (t) => {
  const [change, ...others] = listChanges([
    plant('GET', list, entry(0), 'list/own'),
    plant('GET', list, entry(1), 'list/own'),
    plant('GET', '/api/users/bob/notifications/', entry(0), 'list/other'),
  ]);
  t.same(others, []);
  t.same(change, {
    operation: 'GET /api/users/{username}/notifications/',
    kind: 'body.results[].component text → object',
    place: 'body.results[].component',
    before: '"{base_url}/api/"',
    now: '{"id":1}',
    request: `GET ${list}`,
    scenario: 'list/own',
    steps: 2,
  });
});

await test('if a step has another status or other entries, only this difference counts', (t) => {
  const id = plant('GET', list, ['body.results[0].id', '1', '2']);
  const status = plant('GET', list, ['status', '200', '404']);
  const other = plant('GET', list, ['body.results[0].name', '"a"', '"b"']);
  t.same(listMain([other, status, id]), [status]);
  t.same(listMain([other, id]), [id]);
  t.same(listMain([other]), [other]);
  t.end();
});

await test('what was read after a write counts only if other reads did not change alike', async (t) => {
  const wrote = (place: string) => plant('POST', list, [`left ${place}`, '"a"', '{"id":1}']);
  const kinds = listChanges([
    wrote('body.results[3].component'),
    plant('GET', list, entry(0)),
    wrote('body.results[0].scope'),
  ]).map(({ kind }) => kind);
  t.same(kinds, ['body.results[].component text → object', 'left body.results[].scope text → object']);
});

await test('differences of generated requests are reversed, without tokens', async (t) => {
  const request = { method: 'GET', path: '/api/users/bob/' };
  const mismatch = { place: 'body.full_name', expected: '"wlu_theirs"', received: 'null' };
  const step = { operation: 'GET /api/users/:username/', request };
  const result = { step, index: 0, mismatches: [mismatch], rule: undefined, contentType: '', mayHaveWritten: false };
  const classes = new Map([['any', { run: 0, world: await readWorld(), result, mismatch, steps: 3 }]]);
  const report = { steps: 9, classes, excused: new Map<string, number>(), seen: new Map<string, number>() };
  const seen = seenByGenerator(
    report,
    ({ path }) => `${path} wlu_theirs`,
    (text) => text.replace('wlu_', '?'),
  );
  t.same(listChanges(seen), [
    {
      operation: 'GET /api/users/{username}/',
      kind: 'body.full_name null → text',
      place: 'body.full_name',
      before: 'null',
      now: '"?theirs"',
      request: '/api/users/bob/ ?theirs',
      steps: 3,
    },
  ]);
});

await test('the report has a section for each operation that changed', async (t) => {
  const common = { release: '5.10.4', mirrored: '2026.10.1', recorded: 1412, generated: 1, compared: {}, notes: [] };
  t.equal(
    formatReport({ ...common, changes: [] }),
    '# Weblate 5.10.4, compared with 2026.10.1\n\n1,412 recorded steps, 1 generated one: nothing changed.\n',
  );
  const changes = listChanges([
    plant('GET', list, ['status', '200', '404'], 'list/own'),
    plant('OPTIONS', '/api/statistics/', ['status', '200', '404']),
  ]);
  const [head, ofList, ofOther] = formatReport({
    ...common,
    notes: ['group 9: A in seed.json, B here'],
    changes,
  }).split('\n## ');
  t.match(head, '1,412 recorded steps, 1 generated one: 2 classes of changes in 2 operations.\n\nOther groups than');
  t.match(head, '\n- group 9: A in seed.json, B here\n');
  t.match(ofList, '`GET /api/users/{username}/notifications/`\n\n| what ');
  t.match(ofList, /\n\| `status` \| `200` +\| `404` \| 1 +\| `GET \S+` \| `list\/own` \|\n$/u);
  t.match(ofOther, /^`OPTIONS \/api\/statistics\/`\n\nNot declared here\.\n[^]*\| generated \|\n$/u);
});

const listing = 'GET /api/users/{username}/notifications/';
const read = 'GET /api/users/{username}/notifications/{id}/';
const change = (operation: string, place: string, before: string, now: string) => ({
  operation,
  place,
  before,
  now,
  request: 'GET /x',
});
const compared = Object.fromEntries(operations.map((operation) => [operation, 1]));
const found = (release: string, ...changes: Kept['changes'][number][]): Kept => ({
  release,
  mirrored: '2026.10.1',
  recorded: 10,
  generated: 5,
  compared,
  date: release === '5.9' ? '2026-01-02' : '2026-01-01',
  changes,
});

await test('cells have the changes, and operations that changed alike share a row', (t) => {
  const component = (operation: string) => change(operation, 'body.results[].component', '"…/app/"', '{"id":1}');
  const tables = formatReleases([
    found('2026.10.1'),
    found(
      '5.10',
      component(listing),
      component(read),
      change(`OPTIONS ${read.slice(4)}`, 'body.actions.PUT.id', '1', '2'),
      change('TRACE /api/', 'text', 'a', 'b'),
    ),
    found(
      '5.9',
      component(listing),
      change(`HEAD ${listing.slice(4)}`, 'status', '200', '404'),
      change(listing, 'text', 'component', 'component.id'),
      component(read),
      change(read, 'status', '200', '404'),
      change('GET /api/', 'body.reports', '"/"', '(absent)'),
      change('GET /api/', 'body.news', '(absent)', '"/"'),
      change('GET /api/', 'left body.count', '1', '2'),
    ),
  ]);
  const same = operations.filter((one) => ![listing, read, 'GET /api/'].includes(one)).map((one) => `\`${one}\``);
  t.equal(
    tables,
    `Measured from 2026-01-01 to 2026-01-02, each release with 10 recorded steps and 5 generated ones:

| operation | 2026.10.1 | 5.10 | 5.9 |
| --- | --- | --- | --- |
| \`GET /api/\` | = | = | +news, entries, −reports |
| ${same.join(', ')} | = | = | = |
| \`${listing}\`, \`${read}\` | = | component | 200→404, component |
| \`OPTIONS\` | ? | fields | ? |
| other methods and paths | ? | form | ? |
`,
  );
  t.end();
});

await test('the page is about the release that Understudy mirrors', async (t) => {
  for (const { release, mirrored } of await readKept())
    t.equal(`Weblate ${mirrored}`, mirrors, `npm run follow -- --release ${release} --page`);
});

await test('the page has the table of test/follow/data/releases.json', async (t) => {
  const page = await readFile(pageFile, 'utf8');
  const current = replaceTables(page, formatReleases(await readKept()));
  if (process.env['UPDATE_README'] === '1') await writeFile(pageFile, current);
  else t.equal(page, current, 'UPDATE_README=1 npx tap test/follow/follow.test.ts writes docs/reference/releases.md');
  t.match(page, /^\| operation \| 2026\.10\.1 \|/mu);
});
