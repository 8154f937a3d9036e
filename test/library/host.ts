// A program that starts a service and stays, or ends by itself: `host.ts OPTIONS [stay]`. Prints the service's URL and process id.
import { start } from '../../src/package/library/index.ts';

const [options = '{}', stay] = process.argv.slice(2);
const api = await start(JSON.parse(options));
process.stdout.write(`${JSON.stringify({ url: api.url, pid: api.pid })}\n`);
if (stay !== undefined) setInterval(() => undefined, 1000);
