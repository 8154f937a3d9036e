// Jobs with a service for each: one started, seeded, used and ended, as a process or as a container, with a PostgreSQL of its own.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { buildImage, findObstacle } from '../../test/docker/engine.ts';
import { launchTemporary } from '../launch.ts';
import type { Place, Way } from './job.ts';
import { Client, makeSandbox } from './over-http.ts';

const label = `understudy-bench=${process.pid}`;
const answersWithinMs = 60_000;
const pollMs = 10;

export const processWay: Way = {
  name: 'a process for each job, `weblate-understudy serve --temporary`',
  make: async () => {
    const service = await launchTemporary();
    return placeIn(service.url, async () => service[Symbol.asyncDispose]());
  },
};

/** Why there can be no containers here; false if there can. */
export async function findObstacleToContainers(): Promise<string | false> {
  const hasNoEngine = () => 'the command docker finds no engine';
  return (await findObstacle()) || docker('version').then(() => false as const, hasNoEngine);
}

/** Builds the image of this checkout. When it is disposed of, no container is left. */
export async function openContainers(): Promise<Way & AsyncDisposable> {
  const image = await buildImage();
  return {
    name: 'a container for each job, the image alone',
    make: async () => {
      // Seen from within a container, this client isn't local.
      const open = ['--publish', '127.0.0.1::8000', '--env', 'UNDERSTUDY_ADMIN=on'];
      const id = await docker('run', '--detach', '--label', label, ...open, image);
      const end = async () => void (await docker('rm', '--force', '--volumes', id));
      const address = await docker('port', id, '8000/tcp');
      return placeIn(`http://${address}`, end);
    },
    // Those whose `docker run` failed halfway, or whose job did.
    [Symbol.asyncDispose]: async () => {
      const left = await docker('ps', '--all', '--quiet', '--filter', `label=${label}`);
      if (left !== '') await docker('rm', '--force', '--volumes', ...left.split('\n'));
    },
  };
}

async function docker(...args: string[]): Promise<string> {
  return (await promisify(execFile)('docker', args)).stdout.trim();
}

/** Waits for the service's first answer, and seeds it. Dropping the place ends the service. */
async function placeIn(url: string, end: () => Promise<void>): Promise<Place> {
  const client = new Client(url);
  const drop = async (): Promise<void> => {
    client[Symbol.dispose]();
    await end();
  };
  try {
    await untilReady(client);
    return { ...(await makeSandbox(client, 'job')), drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

async function untilReady(client: Client): Promise<void> {
  const limit = performance.now() + answersWithinMs;
  for (;;)
    try {
      await client.ask(200, 'GET', '/_understudy/health/ready');
      return;
    } catch (error) {
      if (performance.now() > limit) throw error;
      await sleep(pollMs);
    }
}
