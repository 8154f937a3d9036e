// The API under test: the one at API_URL if CI provides it, else a container.

export interface Api {
  readonly url: string;
  stop(): Promise<unknown>;
}

export async function startApi(): Promise<Api> {
  const given = process.env['API_URL'];
  if (given) return { url: given, stop: async () => undefined };
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(process.env['API_IMAGE'] ?? 'understudy')
    .withEnvironment({ UNDERSTUDY_ANONYMOUS: 'strict' })
    .withTmpFs({ '/data': '' })
    .withExposedPorts(8000)
    .withWaitStrategy(Wait.forHealthCheck())
    .start();
  return { url: `http://${container.getHost()}:${container.getMappedPort(8000)}`, stop: () => container.stop() };
}
