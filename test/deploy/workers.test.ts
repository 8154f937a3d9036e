// UNDERSTUDY_WORKERS: several processes with one port, one log and one page of figures.
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'tap';
import { until } from '../outages/setting.ts';
import { createSeededDatabase } from '../support/service.ts';
import { startLoad } from './load.ts';
import { type ServiceProcess, startProcess } from './processes.ts';

const total = (statuses: Map<number, number>) => [...statuses.values()].reduce((sum, count) => sum + count, 0);
const isLinux = process.platform === 'linux';

/** Process ids of its workers. */
function listWorkers({ child }: ServiceProcess): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
        const isWorker = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('workers-child');
        return isWorker && Number(rest.split(' ')[1]) === child.pid && !rest.startsWith('Z');
      } catch {
        return false;
      }
    });
}

async function readFigure(service: ServiceProcess, line: RegExp): Promise<number> {
  const text = await (await fetch(`${service.url}/_understudy/metrics`)).text();
  return Number(line.exec(text)?.[1]);
}

await test('three workers', { skip: !isLinux && 'processes are looked up in /proc' }, async (t) => {
  const databaseUrl = await createSeededDatabase(t, 'documented');
  const service = await startProcess(t, {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    UNDERSTUDY_WORKERS: '3',
    LOG_LEVEL: 'info',
  });
  t.equal(listWorkers(service).length, 3);

  const load = await startLoad(service.url);
  t.ok(await until(() => total(load.statuses) > 300), 'requests go on');
  await load.stop();
  t.same(load.faults, []);

  const lists =
    /understudy_http_requests_total\{[^}]*method="GET"[^}]*users\/:username\/notifications\/"[^}]*status="200"[^}]*\} (\d+)/;
  const answered = load.statuses.get(200) ?? 0;
  const counted = await readFigure(service, lists);
  t.ok(counted > 0 && counted <= answered, `${counted} lists of ${answered} answers of 200`);
  for (let i = 0; i < 6; i++) t.equal(await readFigure(service, lists), counted, 'whichever worker shows the page');
  const resident = await readFigure(service, /^process_resident_memory_bytes (\S+)/m);
  t.ok(resident > 3 * 30_000_000, `${resident} bytes are those of three processes`);

  const [victim] = listWorkers(service);
  process.kill(victim as number, 'SIGKILL');
  t.ok(
    await until(() => listWorkers(service).length === 3 && !listWorkers(service).includes(victim as number)),
    'one that is killed is replaced',
  );
  t.match(service.said(), /a worker ended \(SIGKILL\); another one takes its place/);

  t.equal(await service.end(), 0, 'it ends as it should');
  t.equal(listWorkers(service).length, 0, 'and leaves nobody behind');
});

await test('SIGTERM while requests are under way', async (t) => {
  const databaseUrl = await createSeededDatabase(t, 'documented');
  const service = await startProcess(t, { PORT: '0', DATABASE_URL: databaseUrl, UNDERSTUDY_WORKERS: '2' });
  const load = await startLoad(service.url);
  t.ok(await until(() => total(load.statuses) > 100), 'requests go on');
  const ended = service.end();
  t.ok(await until(() => load.faults.length > 0), 'the port closes');
  const stopping = load.stop();
  t.equal(await ended, 0);
  await stopping;
  t.same(
    load.faults.filter((fault) => !fault.includes('ECONNREFUSED')),
    [],
    'what was taken is answered',
  );
});

await test(
  'workers do not outlive the first process',
  { skip: !isLinux && 'processes are looked up in /proc' },
  async (t) => {
    const databaseUrl = await createSeededDatabase(t, 'documented');
    const service = await startProcess(t, { PORT: '0', DATABASE_URL: databaseUrl, UNDERSTUDY_WORKERS: '2' });
    const workers = listWorkers(service);
    t.equal(workers.length, 2);
    service.child.kill('SIGKILL');
    t.ok(await until(() => workers.every((pid) => !isAlive(pid))));
  },
);

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z');
  } catch {
    return false;
  }
}
