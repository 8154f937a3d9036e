// The app in a command's own process, without a port: requests reach it through a pair of streams.
import { type IncomingMessage, request as send } from 'node:http';
import { duplexPair, Readable } from 'node:stream';
import type { Database } from '../../database/database.ts';
import type { Fetch } from '../../package/client/transport.ts';
import { buildApp } from '../../service/app.ts';
import { appOptions, type Configuration } from '../../service/config/config.ts';
import { urlOf } from '../../service/process/port.ts';
import { readLine } from '../../service/process/log-output.ts';

/** Whoever has the database may do everything with it. The settings say whom to admit at a port only. */
const open = { mode: 'on', token: undefined, allowedHosts: [], isLocal: true } as const;

export async function openApp(database: Database, configuration: Configuration, note: (line: string) => void) {
  const options = appOptions(configuration);
  const app = await buildApp({
    ...options,
    admin: { ...options.admin, access: open },
    // Where a service with this configuration will be.
    publicUrl: options.publicUrl ?? urlOf(configuration.UNDERSTUDY_HOST, configuration.PORT),
    logLevel: 'error',
    logTo: { write: (line) => note(readLine(line, false)) },
    database,
  });
  await app.ready();

  const fetch: Fetch = async (url, { body, signal, ...request }) => {
    const [client, own] = duplexPair();
    app.server.emit('connection', own);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    send(url, { ...request, ...(signal && { signal }), createConnection: () => client })
      .once('response', resolve)
      .once('error', reject)
      .end(body);
    const answer = await promise;
    const { statusCode: status = 0 } = answer;
    // A Response of status 204 takes no body.
    return new Response(status === 204 ? null : (Readable.toWeb(answer) as ReadableStream), { status });
  };
  return { fetch, close: () => app.close() };
}
