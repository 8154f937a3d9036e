// A database with an untrusted certificate ends the service and the commands with advice.
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { test } from 'tap';
import { startCommand } from '../support/process.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

await test('TLS errors give advice', { skip: !hasOpenssl && 'openssl makes the certificate' }, async (t) => {
  const folder = t.testdir({});
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  const secure = { isServer: true, key: readFileSync(key), cert: readFileSync(cert) };
  // Only the part of PostgreSQL's protocol that answers SSLRequest: yes, and TLS begins.
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, secure).on('error', () => undefined);
    });
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { PORT: '0', DATABASE_URL: `postgres://a:hunter2@127.0.0.1:${port}/x?sslmode=verify-full` };
  for (const name of ['serve', 'migrate']) {
    const { ended, said } = startCommand(t, [name], env);
    t.equal(await ended, 78);
    t.match(said.stderr, `${name}: PostgreSQL's TLS certificate is not trusted: self-signed certificate\n`);
    t.match(said.stderr, /sslrootcert=FILE.* sslmode=no-verify/);
    t.notMatch(said.stderr, /^ +at |hunter2/m);
  }
});
