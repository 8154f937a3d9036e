// A rehearsal of the release: both packages are published to registries of this machine, and installed from there by their names, with
// the lines that README has then. And actionlint reads the workflows.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tap, { type Test, test } from 'tap';
import manifest from '../../package.json' with { type: 'json' };
import { withPublishedWords } from '../../packaging/publication.ts';
import type { Owner } from '../support/database.ts';
import { findFreePort, findProgram, runServer } from '../support/programs.ts';
import { missingPython, preparePython, runPython } from '../support/python.ts';
import { fetchProgram } from './managers.ts';
import { makeProject, openProject, type Project } from './project.ts';
import { makeFolder, root } from './tarball.ts';
import { walkNode, walkPython } from './walks.ts';

// The first run downloads the registries and their packages.
tap.setTimeout(900_000);

const node = dirname(process.execPath);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Attempt {
  /** The path of the program, or of its folder. */
  readonly program: string;
  readonly skip: string | false;
}

/** Fetches a program, or says why it can't be had: without a network its test skips itself, but not on GitHub. */
function attempt(name: string, fetch: () => string): Attempt {
  try {
    return { program: fetch(), skip: false };
  } catch (error) {
    if (process.env['GITHUB_ACTIONS']) throw error;
    return { program: '', skip: `${name} can't be installed here: ${String(error).split('\n').slice(0, 2).join(' ')}` };
  }
}

/** As it is after the first release. */
const readme = withPublishedWords(read('README.md'), 'registry.example.com/understudy');

/** A server on a free port, in whose arguments PORT is that; resolves with its URL once it answers. */
async function serve(t: Owner, program: string, args: readonly string[]): Promise<string> {
  const port = String(await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const child = runServer(
    t,
    program,
    args.map((arg) => arg.replace('PORT', port)),
  );
  const answers = () => fetch(url).then(Boolean, () => false);
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    await sleep(100);
  }
  return url;
}

// One of its packages depends on the tag `cjs` of node-fetch, which a mirror may not have.
const verdaccio = attempt('verdaccio', () =>
  fetchProgram('verdaccio', '6.10.4', 'bin/verdaccio', { 'node-fetch': '2.7.0' }),
);

/** A registry of npm: it has what is published to it, and passes other packages on from the usual one. */
async function openNpmRegistry(t: Owner): Promise<{ url: string; userconfig: string }> {
  const folder = makeFolder(t, 'npm-registry');
  const { stdout: usual } = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' });
  const config = {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    uplinks: { usual: { url: usual.trim() } },
    packages: {
      [manifest.name]: { access: '$all', publish: '$authenticated' },
      '**': { access: '$all', proxy: 'usual' },
    },
  };
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config));
  const args = ['--config', join(folder, 'config.yaml'), '--listen', '127.0.0.1:PORT'];
  const url = await serve(t, process.execPath, [verdaccio.program, ...args]);
  const signedUp = await fetch(`${url}/-/user/org.couchdb.user:releaser`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'releaser', password: 'only-for-this-test' }),
  });
  const { token } = (await signedUp.json()) as { token: string };
  const userconfig = join(folder, 'npmrc');
  writeFileSync(userconfig, `${url.replace('http:', '')}/:_authToken=${token}\n`);
  return { url, userconfig };
}

await test('npm', { skip: verdaccio.skip }, async (suite) => {
  const { url, userconfig } = await openNpmRegistry(suite);
  const project = makeProject(suite, { node, env: { NO_COLOR: '1', npm_config_registry: url } });

  await suite.test("the workflow's line publishes the package, once", async (t) => {
    const [line = ''] = /npm publish .*/.exec(read('.github/workflows/release.yml')) ?? [];
    // A provenance needs GitHub.
    const command = line.replace(' --provenance', '');
    t.not(command, line);
    const env = { ...process.env, npm_config_registry: url, npm_config_userconfig: userconfig, TAG: 'latest' };
    const publish = () => spawnSync('sh', ['-ec', command], { cwd: root, env, encoding: 'utf8' });
    const { status, stdout, stderr } = publish();
    t.equal(status, 0, stderr);
    t.match(stdout, `+ ${manifest.name}@${manifest.version}`);
    t.not(publish().status, 0, 'a registry takes a version once');
  });

  await suite.test("README's way to a test", async (t) => {
    t.match(walkNode(project, readme), /Tests +1 passed/);
    t.equal(project.run('npx', ['--no', manifest.name, '--', '--version']).trim(), manifest.version);
    const lockfile = readFileSync(join(project.folder, 'package-lock.json'), 'utf8');
    t.match(lockfile, project.run('npm', ['view', manifest.name, 'dist.integrity']).trim(), 'the published one');
  });

  const python = missingPython
    ? { program: '', skip: missingPython }
    : attempt('pypiserver', () => preparePython(join(import.meta.dirname, 'python/requirements.txt')));
  await suite.test('PyPI', { skip: python.skip }, (t) => rehearsePython(t, project, python.program));
});

async function rehearsePython(t: Test, project: Project, programs: string): Promise<void> {
  const made = makeFolder(t, 'distributions');
  runPython(join(programs, 'python'), join(root, 'packaging/distribute.py'), made);
  const open = ['run', '-i', '127.0.0.1', '-p', 'PORT', '-P', '.', '-a', '.', '--disable-fallback'];
  const index = await serve(t, join(programs, 'pypi-server'), [...open, makeFolder(t, 'pypi')]);
  const upload = ['upload', '--repository-url', index, '--username', 'any', '--password', 'any'];
  runPython(join(programs, 'twine'), ...upload, ...globSync(join(made, '*')));

  const environment = makeFolder(t, 'environment');
  runPython(join(programs, 'python'), '-m', 'venv', environment);
  // Beside the service of the other registry.
  const beside = openProject(project.folder, { node: [join(environment, 'bin'), node].join(':') });
  t.match(walkPython(beside, readme, `--extra-index-url ${index}/simple/`), /1 passed/);
}

// By its Go module: its packages on npm and PyPI download a program from elsewhere.
const runActionlint = (...args: string[]) =>
  spawnSync(
    findProgram('go', '/usr/local/go/bin') ?? 'go',
    ['run', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12', ...args],
    { cwd: root, encoding: 'utf8' },
  );
const actionlint = attempt('actionlint', () => {
  const { status, stderr, error } = runActionlint('-version');
  if (status !== 0) throw error ?? new Error(stderr);
  return 'go';
});

await test('actionlint finds nothing in the workflows', { skip: actionlint.skip }, async (t) => {
  const { status, stdout, stderr } = runActionlint('-no-color');
  t.equal(status, 0, stdout + stderr);
});
