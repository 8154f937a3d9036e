// For the tests with containers: checks for an engine that has the images, and builds the service's image.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { ContainerRuntimeClient } from 'testcontainers';

const root = join(import.meta.dirname, '../..');
const baseImages = ['node:26-bookworm-slim', 'debian:bookworm-slim'];

/**
 * Why tests with containers can't run here, for `skip`; false if they can. TEST_DATABASE=testcontainers forces them.
 * @param more images that the test needs beside those that our image is built on
 */
export async function findObstacle(...more: string[]): Promise<string | false> {
  // Imported only when needed: Testcontainers takes most of a second to load.
  const { TEST_DATABASE: wanted = '' } = process.env;
  if (wanted === 'embedded') return 'TEST_DATABASE=embedded: no containers wanted';
  const { getContainerRuntimeClient, ImageName } = await import('testcontainers');
  let client: ContainerRuntimeClient;
  try {
    client = await getContainerRuntimeClient();
  } catch (error) {
    if (wanted === 'testcontainers') throw error;
    return 'no Docker engine answers';
  }
  if (wanted === 'testcontainers') return false;
  for (const image of [...baseImages, ...more])
    if (!(await client.image.exists(ImageName.fromString(image))))
      return `the Docker engine has no ${image}; docker pull ${image} brings it`;
  return false;
}

/** Runs `docker compose` in the checkout. */
export const runCompose = (args: readonly string[], env: Record<string, string> = {}) =>
  spawnSync('docker', ['compose', ...args], { cwd: root, env: { ...process.env, ...env }, encoding: 'utf8' });

/** Why tests with compose files can't run here, for `skip`; false if they can. */
export const findObstacleToCompose = (): string | false =>
  runCompose(['version']).status === 0 ? false : 'this machine has no docker compose';

/** Builds the image of this checkout, removed when the process ends; the engine keeps the layers, so the next build is short. */
export async function buildImage(): Promise<string> {
  const { GenericContainer, RandomUuid } = await import('testcontainers');
  const name = `understudy-test:${new RandomUuid().nextUuid()}`;
  await GenericContainer.fromDockerfile(root)
    .withBuildkit()
    .build(name)
    .catch((error: unknown) => {
      // Testcontainers hides the engine's message.
      throw new Error('the image could not be built; docker build . says why', { cause: error });
    });
  return name;
}
