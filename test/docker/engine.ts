// What the tests with containers ask first: whether an engine answers that has the images, and for the service's image, built.
import { join } from 'node:path';
import type { ContainerRuntimeClient } from 'testcontainers';

const root = join(import.meta.dirname, '../..');
const baseImage = 'node:26-bookworm-slim';

/** Why tests with containers can't run here, for `skip`; false where they can. TEST_DATABASE=testcontainers forces them. */
export async function findObstacle(): Promise<string | false> {
  // Loading Testcontainers takes most of a second, which nobody has to wait for who wants no containers.
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
  if (wanted === 'testcontainers' || (await client.image.exists(ImageName.fromString(baseImage)))) return false;
  return `the Docker engine has no ${baseImage}; docker pull ${baseImage} brings it`;
}

/** Builds the image of this checkout, gone when the process is; the engine keeps the layers, so that the next build is short. */
export async function buildImage(): Promise<string> {
  const { GenericContainer, RandomUuid } = await import('testcontainers');
  const name = `understudy-test:${new RandomUuid().nextUuid()}`;
  await GenericContainer.fromDockerfile(root)
    .withBuildkit()
    .build(name)
    .catch((error: unknown) => {
      // Testcontainers keeps to itself what the engine said.
      throw new Error('the image could not be built; docker build . says why', { cause: error });
    });
  return name;
}
