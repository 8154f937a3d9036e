// docker-compose.tls.yml: Caddy before the service of a checkout, and its authority, fetched as docs/how-to/serve-over-tls.md says.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import tap, { test } from 'tap';
import { codeBlocks, pages } from '../support/pages.ts';
import { buildImage, findObstacle, findObstacleToCompose, runCompose } from './engine.ts';

const page = pages.get('docs/how-to/serve-over-tls.md') ?? '';
const [up = '', copy = ''] = codeBlocks(page, 'sh').map((block) => block.trim());
const lacksCompose = findObstacleToCompose();
const obstacle = lacksCompose || (await findObstacle('caddy:2'));
tap.setTimeout(300_000);

/** A command of the page, in a project of its own. */
function compose(command: string, env: Record<string, string> = {}): string {
  const args = command.replace(/^docker compose /, '').split(' ');
  const { status, stdout, stderr } = runCompose(['-p', `understudy-tls-${process.pid}`, ...args], env);
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}
const files = up.replace(/ up .*$/, '');

await test('as compose reads it', { skip: lacksCompose }, async (t) => {
  const { services } = JSON.parse(compose(`${files} config --format json`)) as {
    services: Record<string, { ports?: readonly object[]; environment?: object }>;
  };
  t.match(services['tls']?.ports, [{ host_ip: '127.0.0.1', published: '8443', target: 8443 }]);
  t.notOk(services['understudy']?.ports, 'the service is reached through Caddy alone');
  t.match(services['understudy']?.environment, { UNDERSTUDY_TRUST_PROXY: '1', UNDERSTUDY_ADMIN: 'on' });
});

await test('docker compose up --wait', { skip: obstacle }, async (t) => {
  // Port 0: the engine picks one.
  const env = { API_IMAGE: await buildImage(), PORT: '0' };
  t.teardown(() => compose(`${files} down --volumes`, env));
  compose(`${up} --no-build`, env);
  const authority = join(t.testdir({}), 'understudy-ca.pem');
  compose(copy.replace('understudy-ca.pem', authority), env);
  t.ok(existsSync(authority));
  const url = `https://${compose(`${files} port tls 8443`, env)}/api/users/alice/notifications/?page_size=1`;
  const { stdout, stderr } = spawnSync('curl', ['--silent', '--show-error', '--cacert', authority, url], {
    encoding: 'utf8',
  });
  t.match(stdout, '"count":10', stderr);
  const own = url.replace(/\/api\/.*$/, '/_understudy/sandboxes');
  t.match(spawnSync('curl', ['--silent', '--cacert', authority, own], { encoding: 'utf8' }).stdout, '"default"');
});
