// A program that starts the service with the library named on its command line, sends one request, and prints the milliseconds until the
// answer.
import type * as library from '../../src/package/library/index.ts';

const { start } = (await import(process.argv[2] ?? '')) as typeof library;

const beganMs = performance.now();
const api = await start();
const answer = await fetch(`${api.url}/api/users/alice/notifications/`);
await answer.text();
process.stdout.write(`${performance.now() - beganMs}\n`);
// Ends when the bench closes standard input.
process.stdin.resume();
await new Promise((resolve) => process.stdin.once('close', resolve));
await api.close();
