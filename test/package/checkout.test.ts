// The sources without the development packages: they serve under a Node that can run them, and say what to do under another.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import tap, { test } from 'tap';
import { folderOf, versions } from './nodes.ts';
import { makeProject, openProject } from './project.ts';
import { root } from './tarball.ts';

tap.setTimeout(600_000);

const [oldest, supported] = versions;
const start = ['start', '--silent', '--'];

await test('npm ci --omit=dev && npm start', async (t) => {
  const project = makeProject(t, { node: folderOf(supported) });
  for (const path of ['bin', 'migrations', 'packaging/node', 'seeds', 'src', 'package.json', 'package-lock.json'])
    cpSync(join(root, path), join(project.folder, path), { recursive: true });
  project.run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund']);
  const url = await project.serve(t, {}, ['npm', ...start]);
  const headers = { authorization: 'Token wlu_alice_public_sample_token_0000000000' };
  for (const path of ['/api/users/alice/notifications/', '/api/docs/'])
    t.equal((await fetch(`${url}${path}`, { headers })).status, 200, path);

  const older = openProject(project.folder, { node: folderOf(oldest) });
  t.throws(() => older.run('npm', start), {
    message:
      /^npm start .* ended with 2:\nunderstudy: Node 24 or newer is needed\. Put it in PATH, or let npm install .*: npm ci .*\n$/,
  });
});
