// The project's compose file with an image of this checkout: healthy after `up --wait`, and its data survives `down`.
import { cpSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import tap, { test } from 'tap';
import { makeProject } from '../package/project.ts';
import { pack, root } from '../package/tarball.ts';
import { walkNode } from '../package/walks.ts';
import { buildImage, findObstacle, findObstacleToCompose, runCompose } from './engine.ts';

const compose = (args: readonly string[], env: Record<string, string> = {}) =>
  runCompose(['-p', `understudy-test-${process.pid}`, ...args], env);

tap.setTimeout(300_000);

await test('docker compose up --wait', { skip: (await findObstacle()) || findObstacleToCompose() }, async (t) => {
  const admin = { authorization: 'Token wlu_admin_public_sample_token_0000000000', 'content-type': 'application/json' };
  // Port 0: the engine picks one. The password has characters that a URL must escape.
  const env = { API_IMAGE: await buildImage(), PORT: '0', POSTGRES_PASSWORD: 'p@ss:w/o%rd#1 ?' };
  t.teardown(() => compose(['down', '--volumes'], env));
  const up = (): string => {
    const { status, stderr } = compose(['up', '--wait', '--no-build'], env);
    t.equal(status, 0, stderr);
    const address = compose(['port', 'understudy', '8000'], env).stdout.trim();
    t.match(address, /^127\.0\.0\.1:\d+$/, 'published on the loopback address alone');
    return `http://${address}/api/users/dave/notifications/`;
  };

  await t.test('README’s test uses it', async (sub) => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    sub.match(readme, '`docker compose up --wait`');
    const UNDERSTUDY_URL = new URL(up()).origin;
    const project = makeProject(sub, { node: dirname(process.execPath), env: { UNDERSTUDY_URL } });
    const tarball = pack(sub).path;
    cpSync(tarball, join(project.folder, basename(tarball)));
    sub.match(walkNode(project, readme), /Tests +1 passed/);
  });

  const body = JSON.stringify({ notification: 'NewAlertNotificaton', scope: 0, frequency: 1 });
  const made = await fetch(up(), { method: 'POST', headers: admin, body });
  t.equal(made.status, 201);
  t.equal(
    compose(['port', 'database', '5432'], env).stdout.trim().replace(':0', ''),
    '',
    'the database is not published',
  );
  t.equal(compose(['down'], env).status, 0);

  const list = (await (await fetch(up(), { headers: admin })).json()) as { count: number };
  t.equal(list.count, 1);
});
