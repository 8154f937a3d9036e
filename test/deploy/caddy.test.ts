// Caddyfiles of docs/how-to/share-with-your-team.md and deploy/ in an installed Caddy, which makes
// certificates by its own authority. Clients trust this authority as docs/how-to/serve-over-tls.md says.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Test, test } from 'tap';
import { adminOptions, appOptions, readConfiguration } from '../../src/service/config/config.ts';
import { findPythonClients, run } from '../examples/run.ts';
import { codeBlocks, pages } from '../support/pages.ts';
import { makeScratch } from '../support/postgres-folders.ts';
import { findFreePort, findProgram, runServer } from '../support/programs.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/setting.ts';

const page = pages.get('docs/how-to/share-with-your-team.md') ?? '';
const host = 'staging.example.com';
const shipped = codeBlocks(page, 'text').find((block) => block.startsWith(host)) ?? '';
const tokenOfAdmin = 'wlu_admin_public_sample_token_0000000000';
const caddy = findProgram('caddy');
const skip = caddy === undefined && 'there is no caddy: install Debian’s package caddy';

interface Got {
  readonly status: number | undefined;
  readonly body: string;
}

/** Runs Caddy with all its files in one folder. @param textOf makes a Caddyfile with these global options */
async function runCaddy(t: Test, textOf: (options: string, port: number) => string) {
  const folder = makeScratch(t);
  const [port, plain] = [await findFreePort(), await findFreePort()];
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, textOf(`storage file_system ${folder}\nhttp_port ${plain}`, port));
  runServer(t, caddy ?? '', ['run', '--config', file, '--adapter', 'caddyfile']);
  return { port, authority: join(folder, 'pki/authorities/local/root.crt') };
}

/** Runs Caddy before a service by the page's two lines; resolves with a function that asks Caddy. */
async function startCaddy(t: Test, service: string) {
  t.equal(shipped.split('\n').length, 3, 'two lines');
  // A file with global options needs braces around the site.
  const site = shipped.replace('127.0.0.1:8000', new URL(service).host).replace(/\n(.*)\n$/, ' {\n$1\n}\n');
  const own = ['admin off', 'local_certs', 'skip_install_trust'];
  const { port, authority } = await runCaddy(
    t,
    (options, number) => `{\n${[...own, `https_port ${number}`, options].join('\n')}\n}\n${site}`,
  );
  const readAuthority = () => readFileSync(authority, 'utf8');
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

const tlsPage = pages.get('docs/how-to/serve-over-tls.md') ?? '';
/** The variable by which a client trusts the authority, according to the page. */
const trusting = (client: string, authority: string): Record<string, string> => {
  const row = tlsPage.split('\n').find((line) => line.startsWith(`| ${client}`)) ?? '';
  const [, name = 'missing'] = /`(\w+)=understudy-ca\.pem`/.exec(row) ?? [];
  return { [name]: authority };
};

await test('clients over TLS by deploy/Caddyfile', { skip }, async (suite) => {
  const service = await startService(suite, { seed: 'documented', trustProxy: 1 });
  const deployed = readFileSync(join(import.meta.dirname, '../../deploy/Caddyfile'), 'utf8');
  const { port, authority } = await runCaddy(suite, (options, number) =>
    deployed
      .replace('{\n', `{\n${options}\n`)
      .replace('https_port 8443', `https_port ${number}`)
      .replace('understudy:8000', new URL(service.url).host),
  );
  const url = `https://localhost:${port}`;
  const path = '/api/users/alice/notifications/?page_size=1';
  const curl = (at: string, ...args: string[]) => run(['curl', '--silent', '--show-error', ...args, at + path]);
  suite.ok(await until(async () => existsSync(authority) && (await curl(url, '--cacert', authority)).code === 0));

  await suite.test('curl', async (t) => {
    for (const at of [url, `https://127.0.0.1:${port}`]) {
      const { code, output } = await curl(at, '--cacert', authority);
      t.equal(code, 0, output);
      t.match(JSON.parse(output), { next: `${at}/api/users/alice/notifications/?page=2&page_size=1` });
    }
    t.match(await curl(url), { code: 60 });
  });

  await suite.test('Node', async (t) => {
    const program = `fetch('${url}${path}').then(async (r) => console.log(await r.text()), (e) => console.log(e.cause.message))`;
    const trusted = await run([process.execPath, '-e', program], { env: trusting('Node', authority) });
    t.match(trusted.output, `"next":"${url}/`);
    const { output } = await run([process.execPath, '-e', program]);
    const known = [...tlsPage.replaceAll(/\s+/g, ' ').matchAll(/`((?:unable to get|self-signed)[^`]*)`/g)].map(
      ([, words]) => words,
    );
    t.ok(known.includes(output.trim()), output);
  });

  const clients = findPythonClients();
  await suite.test("Python's requests, and wlc", { skip: clients instanceof Error && clients.message }, async (t) => {
    const program = (name: string) => join(clients as string, name);
    const env = trusting("Python's requests, wlc", authority);
    const script = `import requests; print(requests.get("${url}${path}").json()["next"])`;
    const python = (trust: Record<string, string> = {}) => run([program('python'), '-c', script], { env: trust });
    const options = ['--config', '/dev/null', '--url', `${url}/api/`, '--key', tokenOfAdmin];
    const wlc = (trust: Record<string, string> = {}) =>
      run([program('wlc'), ...options, 'list-projects'], { env: trust });
    t.match(await python(env), { code: 0, output: `${url}/api/users/alice/` });
    t.match(await wlc(env), { code: 0, output: /demo/ });
    for (const { code, output } of [await python(), await wlc()]) {
      t.not(code, 0);
      t.match(output, /CERTIFICATE_VERIFY_FAILED/);
    }
  });
});
