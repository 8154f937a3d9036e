// What the commands about sandboxes share: the sandboxes at hand or those of a remote service, and how a refusal is told.
import { ConfigurationError, readConfiguration } from '../process/config.ts';
import { isUnavailable } from '../database/sqlstates.ts';
import { ApiError } from '../errors.ts';
import { hostAndPort } from '../api/base-url.ts';
import { createExports, type ExportSeed } from '../export/export-sandbox.ts';
import { createSandboxes, type Sandboxes } from '../sandboxes/sandboxes.ts';
import { type CommandIo, exits, WrongUse } from './command.ts';
import { openForCommand } from './open-database.ts';
import { remoteSandboxes } from './remote-sandboxes.ts';

export const sessionOptions = { url: { type: 'string' }, 'admin-token': { type: 'string' } } as const;

export const sessionUsage = `  --url URL             a running service; left out: the database of DATABASE_URL, or the embedded one
  --admin-token TOKEN   what the service asks for (default: UNDERSTUDY_ADMIN_TOKEN)`;

/** Sandboxes, and their seeds as text. */
export interface Session extends Sandboxes {
  readonly exportSeed: ExportSeed;
}

interface SessionValues {
  url?: string | undefined;
  'admin-token'?: string | undefined;
}

/** Does the work with the sandboxes. What is refused is told on stderr, and the exit is 1. */
export async function withSandboxes(
  values: SessionValues,
  io: CommandIo,
  work: (sandboxes: Session) => Promise<void>,
): Promise<number> {
  if (values.url === undefined && values['admin-token'] !== undefined) throw new WrongUse('--admin-token needs --url');
  await using stack = new AsyncDisposableStack();
  try {
    await work(values.url === undefined ? await openLocal(io, stack) : openRemote(values.url, values, io));
    return exits.done;
  } catch (error) {
    if (isUnavailable(error)) throw new WrongUse((error as Error).message, { showUsage: false });
    if (!(error instanceof ApiError)) throw error;
    for (const { attr, detail } of error.lines) io.stderr.write(`${attr === null ? '' : `${attr}: `}${detail}\n`);
    return exits.no;
  }
}

function openRemote(url: string, values: SessionValues, io: CommandIo): Session {
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new WrongUse('--url must begin with http:// or https://');
  const adminToken = values['admin-token'] ?? io.env['UNDERSTUDY_ADMIN_TOKEN'];
  return remoteSandboxes({ url, adminToken: adminToken || undefined, signal: io.signal });
}

async function openLocal(io: CommandIo, stack: AsyncDisposableStack): Promise<Session> {
  const { db, openConnection } = stack.adopt(await openForCommand(io), (opened) => opened.close());
  const configuration = configurationOf(io);
  const { UNDERSTUDY_HOST: host, PORT: port, UNDERSTUDY_PUBLIC_URL: publicUrl } = configuration;
  const origin = publicUrl?.replace(/\/+$/, '') ?? `http://${hostAndPort(host, port)}`;
  const sandboxes = createSandboxes(
    { reads: db, transactions: () => db },
    configuration.UNDERSTUDY_MAX_SANDBOXES,
  )(origin);
  return { ...sandboxes, exportSeed: createExports(openConnection, {}) };
}

function configurationOf(io: CommandIo) {
  try {
    return readConfiguration(io.env);
  } catch (error) {
    throw error instanceof ConfigurationError ? new WrongUse(error.message, { showUsage: false }) : error;
  }
}
