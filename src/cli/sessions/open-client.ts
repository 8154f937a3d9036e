// The running service that a command speaks to: that of --url or UNDERSTUDY_URL, or the one that the data folder's service.json names.
import { type Client, connect } from '../../package/client/client.ts';
import { createTransport, type Transport } from '../../package/client/transport.ts';
import { readConfiguration } from '../../service/process/config.ts';
import { findService } from '../../service/process/service-file.ts';
import { UserError } from '../../base/errors.ts';
import type { CommandContext } from '../command.ts';
import { readUrlOption, type Values } from '../parse-arguments.ts';

export const clientOptions = { url: { type: 'string' }, 'admin-token': { type: 'string' } } as const;

export const clientUsage = `  --url URL             the service (default: UNDERSTUDY_URL, or else the one that the data folder's service.json names)
  --admin-token TOKEN   its admin token (default: UNDERSTUDY_ADMIN_TOKEN)`;

/** Throws UserError where no service is found. Later failures are UnderstudyErrors. */
export async function openClient(given: Given, context: CommandContext): Promise<Client> {
  const { url, options } = findToOpen(given, context);
  return connect(url, options);
}

/** For what no method of the client does. */
export async function openTransport(given: Given, context: CommandContext): Promise<Transport> {
  const { url, options } = findToOpen(given, context);
  return createTransport(url.replace(/\/+$/, ''), options);
}

type Given = Values<typeof clientOptions>;

function findToOpen({ url, 'admin-token': token }: Given, context: CommandContext) {
  const adminToken = token ?? (context.env['UNDERSTUDY_ADMIN_TOKEN'] || undefined);
  const found = readGivenUrl(url, context) ?? findRunningService(context);
  return { url: found, options: { adminToken, signal: context.signal } };
}

function readGivenUrl(url: string | undefined, { env }: CommandContext): string | undefined {
  const { UNDERSTUDY_URL } = env;
  if (url === undefined && UNDERSTUDY_URL) return readUrlOption('UNDERSTUDY_URL', UNDERSTUDY_URL);
  return url === undefined ? undefined : readUrlOption('--url', url);
}

function findRunningService({ env }: CommandContext): string {
  const { file, isThere, service } = findService(readConfiguration(env));
  if (service !== undefined) return service.url;
  const why = isThere ? `${file} names none that runs here` : `there is no ${file}`;
  throw new UserError(
    `no running service found: ${why}.\n` +
      'Start one with `weblate-understudy serve`. One with another data folder is found by its UNDERSTUDY_DATA_DIR, any other by --url URL.',
  );
}
