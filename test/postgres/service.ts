// A minimal service for these tests: starts the embedded server, reports it to its parent, and stays.
import { startEmbedded } from '../../packaging/start-embedded.ts';

process.on('SIGINT', () => process.send?.({ interrupted: true }));
// It must not outlive its parent.
process.on('disconnect', () => process.exit());
try {
  const { url } = await startEmbedded({ dataDir: process.argv[2] ?? '' });
  process.send?.({ url });
} catch (error) {
  process.send?.({ fault: error instanceof Error ? `${error.constructor.name}: ${error.message}` : String(error) });
}
