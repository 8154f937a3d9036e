// An embedded server that takes connections, for what needs no service.
import { type EmbeddedOptions, type EmbeddedServer, launchEmbedded } from '../src/postgres/embedded.ts';

/** As `launchEmbedded` does, and waits until it takes connections. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const server = await launchEmbedded(options);
  try {
    await server.ready;
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
