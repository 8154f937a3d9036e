// Sets up json-server, Mockoon and Prism to give one fixed answer, each as its documentation says. As far as
// their options allow, they write no log of requests, and send no headers for other origins (CORS).
import { randomUUID } from 'node:crypto';

export interface Fixed {
  readonly path: string;
  readonly body: object;
  readonly port: number;
}

export interface Peer {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** The path of the program in the package. */
  readonly file: string;
  /** Returns the texts of the program's files, under their names. */
  readonly files: (fixed: Fixed) => Readonly<Record<string, string>>;
  /** Returns the program's arguments, with spaces between them. The program runs in the folder of its files. */
  readonly args: (port: number) => string;
}

export const packageOf = (peer: Pick<Peer, 'package' | 'version'>): string => `${peer.package}@${peer.version}`;

const host = '127.0.0.1';
const text = (value: unknown): string => JSON.stringify(value);

export const peers: readonly Peer[] = [
  {
    name: 'json-server',
    package: 'json-server',
    // The versions 1.x serve no paths of several segments.
    version: '0.17.4',
    file: 'lib/cli/bin.js',
    files: ({ path, body }) => ({
      'db.json': text({ fixed: body }),
      'routes.json': text({ [path]: '/fixed' }),
      // Otherwise the answer is indented, and so twice as long; no option changes that.
      'compact.cjs': `module.exports = (request, _response, next) => { request.app.set('json spaces', 0); next(); };`,
    }),
    // --ng and --nc are --no-gzip and --no-cors. The long names have no effect: json-server's parser reads
    // them as "gzip" and "cors" set to false.
    args: (port) =>
      `db.json --host ${host} --port ${port} --routes routes.json --middlewares compact.cjs --quiet --ro --ng --nc`,
  },
  {
    name: 'Mockoon',
    package: '@mockoon/cli',
    version: '9.9.0',
    file: 'bin/run.js',
    files: ({ path, body, port }) => ({ 'environment.json': text(environmentOf(path, body, port)) }),
    // No option stops its log on standard output, which is discarded, as its maintainers advise (mockoon/mockoon#895).
    args: () => 'start --data environment.json --disable-log-to-file --disable-admin-api --max-transaction-logs 1',
  },
  {
    name: 'Prism',
    package: '@stoplight/prism-cli',
    version: '5.16.0',
    file: 'dist/index.js',
    files: ({ path, body }) => ({ 'openapi.json': text(documentOf(path, body)) }),
    // A second process would only write the log, and in this version it doesn't start under Node 26.
    args: (port) =>
      `mock openapi.json --host ${host} --port ${port} --cors=false --verboseLevel=silent --multiprocess=false`,
  },
];

/** The environment of Mockoon. Mockoon adds the settings that are missing here. */
function environmentOf(path: string, body: object, port: number): object {
  const uuid = randomUUID();
  const response = {
    uuid: randomUUID(),
    body: text(body),
    statusCode: 200,
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    bodyType: 'INLINE',
    disableTemplating: true,
    default: true,
  };
  return {
    uuid: randomUUID(),
    // The number of the format that the Mockoon in `peers` reads.
    lastMigration: 33,
    name: 'fixed',
    port,
    hostname: host,
    cors: false,
    rootChildren: [{ type: 'route', uuid }],
    routes: [{ uuid, type: 'http', method: 'get', endpoint: path.replace(/^\//, ''), responses: [response] }],
  };
}

/** The OpenAPI document of Prism. It has no schema, because Prism would check its own answers against it. */
const documentOf = (path: string, body: object): object => ({
  openapi: '3.1.0',
  info: { title: 'fixed', version: '1' },
  paths: {
    [path]: {
      get: { responses: { 200: { description: 'fixed', content: { 'application/json': { example: body } } } } },
    },
  },
});
