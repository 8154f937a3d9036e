// A service as far as these tests need one: starts the embedded server, says so to its parent, and stays.
import { startEmbedded } from '../../src/embedded-postgres/embedded.ts';

process.on('SIGINT', () => process.send?.({ interrupted: true }));
// Its parent's end must not leave it behind.
process.on('disconnect', () => process.exit());
try {
  const { url } = await startEmbedded({ dataDir: process.argv[2] ?? '' });
  process.send?.({ url });
} catch (error) {
  process.send?.({ fault: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
}
