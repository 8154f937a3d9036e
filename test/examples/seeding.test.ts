// The scripts of examples/seeding/: each command that their heads name is run as it stands, twice. All write the same, and the second
// run changes nothing.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Test, test } from 'tap';
import { wireTypes } from '../../packaging/wire-types.ts';
import { root } from '../support/pages.ts';
import { findProgram } from '../support/programs.ts';
import { missingPython } from '../support/python.ts';
import { startService } from '../support/service.ts';
import { examples, run } from './run.ts';

const files = ['team.sql', 'team.sh', 'team.py', 'team.ts'];
const ada = { authorization: 'Token wlu_ada_public_sample_token_000000000000' };

/** The command lines in the comment at a script's head: those that name its file. */
const commandsOf = (file: string): string[] =>
  readFileSync(join(examples, 'seeding', file), 'utf8')
    .split('\n')
    .flatMap((line) => (/^(?:\W*) {3,}(\S.*)$/.exec(line)?.[1] ?? '').split('\n'))
    .filter((line) => line.includes(` ${file}`));

const commands = files.flatMap(commandsOf);

/** A folder with copies of the scripts, in which the package is the sources. */
function makeProject(t: Test): string {
  const texts = files.map((file) => [file, readFileSync(join(examples, 'seeding', file), 'utf8')]);
  const folder = t.testdir({ ...Object.fromEntries(texts), 'package.json': '{ "type": "module" }', bin: {} });
  const modules = join(folder, 'node_modules/weblate-understudy');
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(modules, 'package.json'), '{ "type": "module", "exports": "./index.ts" }');
  // A link would leave node_modules by its real path; Node strips no types below that folder.
  symlinkSync(join(root, 'src/package/library/index.ts'), join(modules, 'index.ts'));
  symlinkSync(join(root, 'bin/weblate-understudy'), join(folder, 'bin/weblate-understudy'));
  return folder;
}

function skipOf(command: string): string | false {
  if (/python3/.test(command)) return missingPython;
  const program = /(?<=^|\s)(?:psql|sh)(?=\s)/.exec(command)?.[0];
  return program !== undefined && findProgram(program) === undefined && `this machine has no ${program}`;
}

const exports = new Map<string, string>();

for (const command of commands)
  await test(command, { skip: skipOf(command) }, async (t) => {
    const service = await startService(t, { seed: 'empty' });
    const cwd = makeProject(t);
    const env = {
      DATABASE_URL: service.databaseUrl,
      PATH: [join(cwd, 'bin'), dirname(process.execPath), process.env['PATH']].join(':'),
    };
    const line = command.replace('http://127.0.0.1:8000', service.url);
    const seed = async () => (await service.request('GET', '/_understudy/sandboxes/default/seed?format=json')).text;
    const before = await seed();
    const first = await run(['sh', '-c', line], { cwd, env });
    t.equal(first.code, 0, first.output);
    const after = await seed();
    t.not(after, before);
    exports.set(command, after);
    const { json } = await service.request('GET', '/api/users/', { headers: ada });
    t.match(json, { count: 6 }, 'the token of ada is valid, and she sees all users');

    const second = await run(['sh', '-c', line], { cwd, env });
    t.equal(second.code, 0, second.output);
    t.equal(await seed(), after, 'the second run changes nothing');
  });

await test('all scripts write the same', async (t) => {
  t.equal(commands.length, files.length + 1, 'team.sql has two');
  const [[, one] = ['', ''], ...others] = exports;
  for (const [command, text] of others) t.same(JSON.parse(text), JSON.parse(one), command);
});

await test('the types of the package accept the script', async (t) => {
  const cwd = makeProject(t);
  const client =
    'export declare function connect(): { open(name: string): Promise<{ seed(seed: Seed): Promise<unknown> }> };';
  writeFileSync(join(cwd, 'package.d.ts'), `${wireTypes()}\n${client}`);
  const paths = { 'weblate-understudy': [join(cwd, 'package.d.ts')] };
  const compilerOptions = { paths, typeRoots: [join(root, 'node_modules/@types')] };
  const options = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['team.ts'] };
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify(options));
  // Without the hooks that tap gives to every Node.
  const checked = await run(['env', '-u', 'NODE_OPTIONS', join(root, 'node_modules/.bin/tsc'), '-p', cwd]);
  t.same(checked, { code: 0, output: '' });
});
