// README's ways from a checkout to a test of one's own, in empty folders. test/docker/compose.test.ts has the one with Docker.
import { cpSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import tap, { test } from 'tap';
import { missingPython, runPython } from '../support/python.ts';
import { managers } from './managers.ts';
import { makeProject } from './project.ts';
import { makeFolder, pack, root } from './tarball.ts';
import { walkNode, walkPython } from './walks.ts';

tap.setTimeout(600_000);

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const node = dirname(process.execPath);
const { path: tarball } = pack(tap);

await test('from README to a test of vitest', async (t) => {
  const project = makeProject(t, { node });
  cpSync(tarball, join(project.folder, basename(tarball)));
  t.match(walkNode(project, readme), /Tests +1 passed/);
});

await test('from README to a test of pytest', { skip: missingPython }, async (t) => {
  const environment = makeFolder(t, 'environment');
  runPython(process.env['PYTHON_PATH'] || 'python3', '-m', 'venv', environment);
  const project = makeProject(t, { node: [join(environment, 'bin'), node].join(':') });
  managers.npm(project, tarball, ['--ignore-scripts']);
  cpSync(join(root, 'clients/python'), join(project.folder, 'clients/python'), { recursive: true });
  const [wheel = ''] = /pip wheel [^`]+/.exec(readme) ?? [];
  project.run('sh', ['-c', wheel]);
  t.match(walkPython(project, readme), /1 passed/);
});
