// An embedded server that takes connections, for what needs no service.
import { type EmbeddedOptions, launchEmbedded } from '../src/postgres/embedded.ts';

/** As `launchEmbedded` does, and waits until it takes connections. */
export async function startEmbedded(options: EmbeddedOptions) {
  const server = await launchEmbedded(options);
  try {
    await server.ready;
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
