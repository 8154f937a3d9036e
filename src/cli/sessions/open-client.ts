// The running service that a command speaks to.
import { type Client, connect } from '../../package/client/client.ts';
import type { Sandbox } from '../../package/client/sandbox-client.ts';
import { createTransport, type Transport } from '../../package/client/transport.ts';
import { readConfiguration } from '../../service/config/config.ts';
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

type ClientValues = Values<typeof clientOptions>;

/** Throws UserError if no service is found. Later failures are UnderstudyErrors. */
export const openClient = async (values: ClientValues, context: CommandContext): Promise<Client> =>
  connect(...targetOf(values, context));

export const openSandbox = async (name = 'default', values: ClientValues, context: CommandContext): Promise<Sandbox> =>
  (await openClient(values, context)).open(name);

/** For what no method of the client does. */
export const openTransport = async (values: ClientValues, context: CommandContext): Promise<Transport> =>
  createTransport(...targetOf(values, context));

function targetOf({ url, 'admin-token': token }: ClientValues, { env, signal }: CommandContext) {
  const given = url ?? (env['UNDERSTUDY_URL'] || undefined);
  const option = url === undefined ? 'UNDERSTUDY_URL' : '--url';
  const target = given === undefined ? findRunningService(env) : readUrlOption(option, given);
  return [target, { adminToken: token ?? (env['UNDERSTUDY_ADMIN_TOKEN'] || undefined), signal }] as const;
}

function findRunningService(env: CommandContext['env']): string {
  const { file, isThere, service } = findService(readConfiguration(env));
  if (service !== undefined) return service.url;
  const why = isThere ? `${file} names none that runs here` : `there is no ${file}`;
  throw new UserError(
    `no running service found: ${why}.\n` +
      'Start one with `weblate-understudy serve`. One with another data folder is found by its UNDERSTUDY_DATA_DIR, any other by --url URL.',
  );
}
