// The running service that a command speaks to: that of --url or UNDERSTUDY_URL, or the one that the data folder's service.json names.
import { type Client, connect } from '../../package/client/client.ts';
import { createTransport, type Transport } from '../../package/client/transport.ts';
import { readConfiguration } from '../../service/process/config.ts';
import { findService } from '../../service/process/service-file.ts';
import { UserError } from '../../base/errors.ts';
import type { CommandContext } from '../command.ts';
import { readUrlOption, valued, type Values } from '../parse-arguments.ts';

export const clientOptions = {
  url: valued(
    'URL',
    "the service (default: UNDERSTUDY_URL, or else the one that the data folder's service.json names)",
  ),
  'admin-token': valued('TOKEN', 'its admin token (default: UNDERSTUDY_ADMIN_TOKEN)'),
} as const;

type Given = Values<typeof clientOptions>;

/** Throws UserError where no service is found. Later failures are UnderstudyErrors. */
export const openClient = async (given: Given, context: CommandContext): Promise<Client> =>
  connect(findUrl(given, context), optionsOf(given, context));

/** For what no method of the client does. */
export const openTransport = async (given: Given, context: CommandContext): Promise<Transport> =>
  createTransport(findUrl(given, context), optionsOf(given, context));

const optionsOf = ({ 'admin-token': token }: Given, { env, signal }: CommandContext) => ({
  adminToken: token ?? (env['UNDERSTUDY_ADMIN_TOKEN'] || undefined),
  signal,
});

function findUrl({ url }: Given, context: CommandContext): string {
  const { UNDERSTUDY_URL } = context.env;
  if (url !== undefined) return readUrlOption('--url', url);
  return UNDERSTUDY_URL ? readUrlOption('UNDERSTUDY_URL', UNDERSTUDY_URL) : findRunningService(context);
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
