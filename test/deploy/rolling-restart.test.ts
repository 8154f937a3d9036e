// Two services behind a balancer restart one after the other under load without losing a request.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { type Serving, startServing } from '../support/process.ts';
import { createSeededDatabase } from '../support/service.ts';
import { until, withClient } from '../outages/setting.ts';
import { startBalancer } from './balancer.ts';
import { type Load, startLoad } from './load.ts';
import { findFreePort, findProgram, runServer } from './programs.ts';

const total = (load: Load) => [...load.statuses.values()].reduce((sum, count) => sum + count, 0);

async function restartUnderLoad(t: Test, balance: (ports: number[]) => Promise<string>): Promise<void> {
  const databaseUrl = await createSeededDatabase(t, 'documented');
  const ports = [await findFreePort(), await findFreePort()];
  const start = (port: number) => startServing(t, { PORT: String(port), DATABASE_URL: databaseUrl });
  const services: Serving[] = await Promise.all(ports.map(start));
  const url = await balance(ports);
  const load = await startLoad(url);
  const goOn = async () => {
    const before = total(load);
    t.ok(await until(() => total(load) > before + 100), 'requests go on');
  };
  await goOn();
  for (let i = 0; i < 2; i++) {
    const which = i % 2;
    t.equal(await services[which]?.end(), 0, 'the service exits cleanly');
    await goOn();
    services[which] = await start(ports[which] as number);
    await goOn();
  }
  await load.stop();
  t.same(load.faults, [], `${total(load)} requests: ${[...load.statuses].map((pair) => pair.join(': ')).join(', ')}`);
  const { rows } = await withClient(t, databaseUrl, (client) =>
    client.query<{ id: number; frequency: number }>('select id, frequency from understudy.subscriptions'),
  );
  const there = new Map(rows.map(({ id, frequency }) => [id, frequency]));
  for (const [id, frequency] of load.acknowledged) t.equal(there.get(id), frequency, 'an acknowledged write is there');
}

await test('behind a balancer that never retries', (t) => restartUnderLoad(t, (ports) => startBalancer(t, ports)));

const nginx = findProgram('nginx');
await test('behind nginx', { skip: nginx === undefined && 'nginx is not installed' }, (t) =>
  restartUnderLoad(t, async (ports) => {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-nginx-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const port = await findFreePort();
    // The shipped file with our addresses, and all temporary files in our folder.
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ');
    const shipped = readFileSync(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8');
    const ours = shipped
      .replace('understudy-a:8000', `127.0.0.1:${ports[0]}`)
      .replace('understudy-b:8000', `127.0.0.1:${ports[1]}`)
      .replace('listen 8000', `listen 127.0.0.1:${port}`)
      .replace('http {', `http { ${temporary}`);
    writeFileSync(join(folder, 'nginx.conf'), `daemon off; master_process off; pid ${folder}/pid;\n${ours}`);
    runServer(t, nginx as string, ['-e', join(folder, 'error.log'), '-p', folder, '-c', join(folder, 'nginx.conf')]);
    await until(() => canConnect(port));
    return `http://127.0.0.1:${port}`;
  }),
);

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
