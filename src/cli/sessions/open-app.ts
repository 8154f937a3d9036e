// The app in a command's process, without a port. Requests reach it through a pair of streams.
import { once } from 'node:events';
import { type IncomingMessage, request as send } from 'node:http';
import { duplexPair, Readable } from 'node:stream';
import type { Database } from '../../database/database.ts';
import type { Fetch } from '../../package/client/transport.ts';
import { buildApp } from '../../service/app.ts';
import { appOptions, type Configuration } from '../../service/config/config.ts';
import { urlOf } from '../../service/process/port.ts';
import { readLine } from '../../service/process/log-output.ts';

/** Admits every request: whoever opens the database may do everything. */
const open = { mode: 'on', token: undefined, allowedHosts: [], isLocal: true } as const;

export async function openApp(database: Database, configuration: Configuration, note: (line: string) => void) {
  const options = appOptions(configuration);
  const app = await buildApp({
    ...options,
    admin: { ...options.admin, access: open },
    // The URL that a service with this configuration has.
    publicUrl: options.publicUrl ?? urlOf(configuration.UNDERSTUDY_HOST, configuration.PORT),
    logLevel: 'error',
    logTo: { write: (line) => note(readLine(line, false)) },
    database,
  });
  await app.ready();

  const fetch: Fetch = async (url, { body, signal, ...request }) => {
    const [client, own] = duplexPair();
    app.server.emit('connection', own);
    const sent = send(url, { ...request, ...(signal && { signal }), createConnection: () => client }).end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const { statusCode: status = 0 } = answer;
    // A Response of status 204 takes no body.
    return new Response(status === 204 ? null : (Readable.toWeb(answer) as ReadableStream), { status });
  };
  return { fetch, close: () => app.close() };
}
