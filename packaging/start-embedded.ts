// Starts an embedded server for programs that need a database but no service.
import { type EmbeddedOptions, launchEmbedded } from '../src/postgres/embedded.ts';

/** Calls `launchEmbedded`, and waits until the server accepts connections. */
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
