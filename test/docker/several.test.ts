// The compose files with three services behind nginx: what they publish, and that they work with an image of this checkout.
import tap, { test } from 'tap';
import { openClient } from '../support/service.ts';
import { buildImage, findObstacle, findObstacleToCompose, runCompose } from './engine.ts';

interface Service {
  readonly environment?: Record<string, string>;
  readonly ports?: readonly { readonly host_ip: string; readonly published: string }[];
  readonly networks: { readonly default: { readonly ipv4_address: string } | null };
  readonly extra_hosts?: readonly string[];
}

const sets = [
  {
    name: 'one database',
    files: ['docker-compose.yml', 'docker-compose.several.yml'],
    services: ['understudy', 'understudy-2', 'understudy-3'],
    ports: ['balancer 127.0.0.1 8000'],
    databases: 1,
  },
  {
    name: 'cells',
    files: ['deploy/cells.yml'],
    services: ['understudy-1', 'understudy-2', 'understudy-3'],
    ports: [
      'balancer 127.0.0.1 8000',
      'understudy-1 127.0.0.1 8001',
      'understudy-2 127.0.0.1 8002',
      'understudy-3 127.0.0.1 8003',
    ],
    databases: 3,
  },
];

function compose(files: readonly string[], args: readonly string[], env: Record<string, string> = {}): string {
  const of = ['-p', `understudy-several-${process.pid}`, ...files.flatMap((file) => ['-f', file])];
  const { status, stdout, stderr } = runCompose([...of, ...args], env);
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

const lacksCompose = findObstacleToCompose();
const obstacle = lacksCompose || (await findObstacle('nginx:1.28'));
tap.setTimeout(300_000);

for (const { name, files, services, ports, databases } of sets) {
  await test(`${name}: as compose reads it`, { skip: lacksCompose }, async (t) => {
    const read = JSON.parse(compose(files, ['config', '--format', 'json'])) as { services: Record<string, Service> };
    const published = Object.entries(read.services).flatMap(([service, { ports: ofService = [] }]) =>
      ofService.map((port) => `${service} ${port.host_ip} ${port.published}`),
    );
    t.same(published, ports, 'on the loopback address alone');
    const addresses = services.map((service) => read.services[service]?.networks.default?.ipv4_address);
    t.equal(new Set(addresses).size, 3);
    t.same(
      read.services['balancer']?.extra_hosts,
      addresses.map((address, n) => `understudy-${n + 1}=${address}`),
    );
    const environments = services.map((service) => read.services[service]?.environment ?? {});
    t.equal(new Set(environments.map((environment) => environment['DATABASE_URL'])).size, databases);
    for (const environment of environments)
      t.match(environment, { UNDERSTUDY_TRUST_PROXY: '1', UNDERSTUDY_ADMIN: 'on' });
  });

  await test(`${name}: docker compose up --wait`, { skip: obstacle }, async (t) => {
    // Port 0: the engine picks one.
    const free = { PORT: '0', PORT_1: '0', PORT_2: '0', PORT_3: '0' };
    const env = { API_IMAGE: await buildImage(), SUBNET: '10.213.79', ...free };
    t.teardown(() => compose(files, ['down', '--volumes'], env));
    compose(files, ['up', '--wait', '--no-build'], env);
    const client = openClient(t, `http://${compose(files, ['port', 'balancer', '8000'], env)}`);
    const names = Array.from({ length: 12 }, (_, n) => `job-${n}`);
    for (const one of names) t.equal((await client.request('PUT', `/_understudy/sandboxes/${one}`)).status, 201, one);
    const readAll = () =>
      Promise.all(
        names.map(
          async (one) => (await client.request('GET', `/sandboxes/${one}/api/users/dave/notifications/`)).status,
        ),
      );
    const allGood = names.map(() => 200);
    t.same(await readAll(), allGood);
    compose(files, ['up', '--wait', '--no-build', '--no-deps', '--force-recreate', ...services.toReversed()], env);
    t.same(await readAll(), allGood, 'recreated containers keep their addresses');
  });
}
