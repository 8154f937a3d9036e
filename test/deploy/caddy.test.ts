// The Caddyfile of docs/how-to/share-with-your-team.md with an installed Caddy, which makes the certificate by an authority of its own.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Test, test } from 'tap';
import { adminOptions, appOptions, readConfiguration } from '../../src/service/config/config.ts';
import { codeBlocks, pages } from '../support/pages.ts';
import { findFreePort, findProgram, runServer } from '../support/programs.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/setting.ts';

const page = pages.get('docs/how-to/share-with-your-team.md') ?? '';
const host = 'staging.example.com';
const shipped = codeBlocks(page, 'text').find((block) => block.startsWith(host)) ?? '';
const caddy = findProgram('caddy');
const skip = caddy === undefined && 'there is no caddy: install Debian’s package caddy';

interface Got {
  readonly status: number | undefined;
  readonly body: string;
}

/** Starts Caddy before a service, without a file outside of a folder of its own; resolves with a function that asks it. */
async function startCaddy(t: Test, service: string) {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-caddy-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [port, plain] = [await findFreePort(), await findFreePort()];
  const options = ['admin off', 'local_certs', 'skip_install_trust', `https_port ${port}`, `http_port ${plain}`];
  const storage = `storage file_system ${folder}`;
  t.equal(shipped.split('\n').length, 3, 'two lines');
  const file = join(folder, 'Caddyfile');
  // A file with global options needs braces around the site.
  const site = shipped.replace('127.0.0.1:8000', new URL(service).host).replace(/\n(.*)\n$/, ' {\n$1\n}\n');
  writeFileSync(file, `{\n${[...options, storage].join('\n')}\n}\n${site}`);
  runServer(t, caddy ?? '', ['run', '--config', file, '--adapter', 'caddyfile']);

  const readAuthority = () => readFileSync(join(folder, 'pki/authorities/local/root.crt'), 'utf8');
  const get = (path: string, headers: Record<string, string> = {}) =>
    new Promise<Got>((resolve, reject) => {
      const to = { host: '127.0.0.1', port, servername: host, ca: readAuthority() };
      request({ ...to, path, headers: { host, ...headers } }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
      })
        .on('error', reject)
        .end();
    });
  t.ok(await until(async () => (await get('/_understudy/health/live').catch(() => undefined))?.status === 200));
  return get;
}

await test('Caddy reads the file as the page has it', { skip }, (t) => {
  const file = join(t.testdir({ Caddyfile: shipped }), 'Caddyfile');
  const adapted = execFileSync(caddy ?? '', ['adapt', '--config', file, '--adapter', 'caddyfile'], {
    encoding: 'utf8',
  });
  t.match(adapted, `"host":["${host}"]`);
  t.match(adapted, '"upstreams":[{"dial":"127.0.0.1:8000"}]');
  t.end();
});

await test('a service behind Caddy, with the settings of the page', { skip }, async (t) => {
  const settings = Object.fromEntries(
    codeBlocks(page, 'ini').flatMap((block) =>
      [...block.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    ),
  ) as Record<string, string>;
  t.same(Object.keys(settings), ['UNDERSTUDY_PUBLIC_URL', 'UNDERSTUDY_TRUST_PROXY']);
  const configuration = readConfiguration({
    ...settings,
    UNDERSTUDY_ADMIN_TOKEN: 'choose-a-long-secret',
    UNDERSTUDY_RATE_LIMIT_ANONYMOUS: '2/hour',
  });
  const { publicUrl, trustProxy, rateLimits } = appOptions(configuration);
  const service = await startService(t, { publicUrl, trustProxy, rateLimits, admin: adminOptions(configuration) });
  const get = await startCaddy(t, service.url);

  const alice = { authorization: 'Token wlu_alice_public_sample_token_0000000000' };
  const list = '/api/users/alice/notifications/?page_size=4';
  const { status, body } = await get(list, { ...alice, 'x-forwarded-host': 'forged.example' });
  t.equal(status, 200);
  t.match(JSON.parse(body), { next: `https://${host}/api/users/alice/notifications/?page=2&page_size=4` });

  const own = '/_understudy/sandboxes';
  t.match(await get(own), { status: 403, body: /UNDERSTUDY_ADMIN_TOKEN/ });
  const bearer = { authorization: 'Bearer choose-a-long-secret' };
  t.match(await get(own, bearer), { status: 200 }, 'the host of UNDERSTUDY_PUBLIC_URL is allowed');

  const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
  const statuses = [];
  for (const address of addresses) statuses.push((await get('/api/', { 'x-forwarded-for': address })).status);
  t.same(statuses, [200, 200, 429], 'Caddy believes no address that the client claims');
});
