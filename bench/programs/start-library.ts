// A program that starts the service by the library named on its command line, asks once, and prints how many milliseconds that took.
import type * as library from '../../src/package/library/index.ts';

const { start } = (await import(process.argv[2] ?? '')) as typeof library;

const beganMs = performance.now();
const api = await start();
const answer = await fetch(`${api.url}/api/users/alice/notifications/`);
await answer.text();
process.stdout.write(`${performance.now() - beganMs}\n`);
// Closed from outside.
process.stdin.resume();
await new Promise((resolve) => process.stdin.once('close', resolve));
await api.close();
