// docs/how-to/connect-with-tls.md: what each sslmode does with a server whose certificate is self-signed.
import { execFileSync } from 'node:child_process';
import { chownSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Test, test } from 'tap';
import { makeScratch } from '../support/postgres-folders.ts';
import { plain, readTable } from '../support/tables.ts';
import { until } from '../support/setting.ts';
import { findFreePort, findProgram, runServer } from '../support/programs.ts';

const folders = globSync('/usr/lib/postgresql/*/bin');
const programs = [...['initdb', 'postgres'].map((name) => findProgram(name, ...folders)), findProgram('openssl')];
const [initdb = '', postgres = '', openssl = ''] = programs;
const skip = programs.includes(undefined) && 'initdb, postgres and openssl are not installed';
// PostgreSQL doesn't run as root; any other account will do.
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

interface Server {
  /** The database's URL, with the host that the certificate names. */
  readonly url: string;
  readonly certificate: string;
}

async function startServer(t: Test): Promise<Server> {
  const folder = makeScratch(t);
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  const run = (file: string, ...args: string[]) =>
    execFileSync(file, args, { ...account, cwd: folder, stdio: 'pipe', env: { LC_ALL: 'C.UTF-8' } });
  const [data, key, certificate] = ['data', 'server.key', 'server.crt'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  run(initdb, '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  run(openssl, 'req', '-x509', '-new', '-nodes', '-days', '1', ...subject, '-keyout', key, '-out', certificate);
  writeFileSync(join(data, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\nhost all all ::1/128 trust\n');
  const port = await findFreePort();
  const settings = [
    'ssl=on',
    `ssl_key_file=${key}`,
    `ssl_cert_file=${certificate}`,
    'listen_addresses=localhost',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
  ];
  runServer(t, postgres, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], account);
  const url = `postgres://postgres@localhost:${port}/postgres`;
  t.ok(
    await until(() =>
      isEncrypted(url).then(
        () => true,
        () => false,
      ),
    ),
  );
  return { url, certificate };
}

async function isEncrypted(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    return rows[0]?.ssl === true;
  } finally {
    await client.end();
  }
}

await test('each sslmode treats a self-signed certificate as the page says', { skip }, async (t) => {
  const { url, certificate } = await startServer(t);
  const rows = readTable('how-to/connect-with-tls.md', 'modes');
  t.ok(rows.length > 4);
  for (const row of rows) {
    const mode = plain(row['in the URL']);
    const connect = (more = '', base = url) => isEncrypted(mode === 'nothing' ? base : `${base}?${mode}${more}`);
    if (!row['certificate']?.startsWith('verified')) {
      t.equal(await connect(), row['encrypted'] === 'yes', mode);
      continue;
    }
    await t.rejects(connect(), { message: /^self-signed certificate/ }, `${mode}: an unknown issuer`);
    const trusted = `&sslrootcert=${encodeURIComponent(certificate)}`;
    t.equal(await connect(trusted), true, `${mode}: a known issuer`);
    await t.rejects(
      connect(trusted, url.replace('localhost', '127.0.0.1')),
      { message: /^Hostname\/IP does not match certificate's altnames/ },
      `${mode}: another host`,
    );
  }
});
