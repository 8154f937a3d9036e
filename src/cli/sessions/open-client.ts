// The running service that a command speaks to: that of --url or UNDERSTUDY_URL, or the one that the data folder's service.json names.
import { type Client, connect } from '../../client/client.ts';
import { createTransport, type Transport } from '../../client/transport.ts';
import { readConfiguration } from '../../process/config.ts';
import { findService } from '../../process/service-file.ts';
import type { CommandContext } from '../command.ts';
import { CommandError } from '../failure.ts';
import type { Values } from '../parse-arguments.ts';
import { readUrlOption } from '../url-option.ts';

export const clientOptions = { url: { type: 'string' }, 'admin-token': { type: 'string' } } as const;

export const clientUsage = `  --url URL             the service (default: UNDERSTUDY_URL, or else the one that the data folder's service.json names)
  --admin-token TOKEN   its admin token (default: UNDERSTUDY_ADMIN_TOKEN)`;

/** Throws CommandError where no service is found. Later failures are UnderstudyErrors. */
export async function openClient(given: Given, context: CommandContext): Promise<Client> {
  const { url, options } = await findToOpen(given, context);
  return connect(url, options);
}

/** For what no method of the client does. */
export async function openTransport(given: Given, context: CommandContext): Promise<Transport> {
  const { url, options } = await findToOpen(given, context);
  return createTransport(url.replace(/\/+$/, ''), options);
}

type Given = Values<typeof clientOptions>;

async function findToOpen({ url, 'admin-token': token }: Given, context: CommandContext) {
  const adminToken = token ?? (context.env['UNDERSTUDY_ADMIN_TOKEN'] || undefined);
  const found = readGivenUrl(url, context) ?? (await findRunningService(context));
  return { url: found, options: { adminToken, signal: context.signal } };
}

function readGivenUrl(url: string | undefined, { env }: CommandContext): string | undefined {
  const { UNDERSTUDY_URL } = env;
  if (url === undefined && UNDERSTUDY_URL) return readUrlOption('UNDERSTUDY_URL', UNDERSTUDY_URL);
  return url === undefined ? undefined : readUrlOption('--url', url);
}

async function findRunningService({ env, signal }: CommandContext): Promise<string> {
  const { file, isThere, service } = findService(readConfiguration(env));
  const missing = isThere
    ? `no running service found: ${file} names none that runs here`
    : `no running service found: there is no ${file}`;
  if (service === undefined)
    throw new CommandError(
      `${missing}.\n` +
        'Start one with `weblate-understudy serve`. One with another data folder is found by its UNDERSTUDY_DATA_DIR, any other by --url URL.',
    );
  const failure = await findFailure(`${service.url}/_understudy/health/live`, signal);
  if (failure === undefined) return service.url;
  throw new CommandError(
    `no service answers at ${service.url}, which ${file} names (${failure}).\n` +
      'Start one with `weblate-understudy serve`, or name one by --url URL.',
  );
}

/** Why no service of ours answers there. */
async function findFailure(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { status } = await fetch(url, { signal });
    return status === 200 ? undefined : `another program answers there: ${status}`;
  } catch (error) {
    signal.throwIfAborted();
    const { cause } = error as { cause?: { message?: string; code?: string } };
    return cause?.message || cause?.code || String(error);
  }
}
