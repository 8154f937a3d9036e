// The service that a command speaks to: a running one, or an app inside the command.
import { clientOf } from '../../package/client/client.ts';
import { createTransport, type Transport } from '../../package/client/transport.ts';
import { UnderstudyError } from '../../package/client/understudy-error.ts';
import { UserError } from '../../base/failure.ts';
import type { CommandContext } from '../command.ts';
import { readUrlOption, UsageError, valued, type Values } from '../usage.ts';
import { databaseFlags, readPlace } from '../setting-flags.ts';

export const clientOptions = {
  url: valued('URL', 'the service (default: UNDERSTUDY_URL, or the one on the database)'),
  'admin-token': valued('TOKEN', 'the admin token (default: UNDERSTUDY_ADMIN_TOKEN)'),
  ...databaseFlags,
} as const;

type ClientValues = Values<typeof clientOptions>;

/** Throws UserError if there is neither a service nor a database. */
export async function openClient(values: ClientValues, context: CommandContext) {
  const found = await findTransport(values, context);
  return clientOf(typeof found === 'string' ? await openHere(values, context, found) : found);
}

export const openSandbox = async (name = 'default', values: ClientValues, context: CommandContext) =>
  (await openClient(values, context)).open(name);

/** Finds a running service. Throws UserError if none runs or it refuses commands. */
export async function openRunning(values: ClientValues, context: CommandContext) {
  const found = await findTransport(values, context);
  if (typeof found !== 'string') return found;
  throw new UserError(`${found}; requests are in a service's memory only. Name the service by --url URL.`);
}

/**
 * The first that is set decides: --url, a database option, UNDERSTUDY_URL, a database variable.
 * @returns the service, or why commands can't use one
 */
async function findTransport(values: ClientValues, { env, signal }: CommandContext): Promise<Transport | string> {
  const { url, 'admin-token': token } = values;
  const place = (['database-url', 'data-dir'] as const).find((name) => values[name] !== undefined);
  if (url && place) throw new UsageError(`--url and --${place} exclude each other`);
  const [option, given] = url || place ? ['--url', url] : ['UNDERSTUDY_URL', env['UNDERSTUDY_URL']];
  const options = { adminToken: token ?? (env['UNDERSTUDY_ADMIN_TOKEN'] || undefined), signal };
  if (given) return createTransport(readUrlOption(option, given), options);
  const { findServices } = await import('../../service/process/service-file.ts');
  const { where, urls } = findServices(readPlace(values, env));
  const [running] = urls;
  if (running === undefined) return `no service runs on ${where}`;
  if (urls.length > 1)
    throw new UserError(
      `${urls.length} services run on ${where}: ${urls.join(', ')}.\n` +
        'Name one, or the balancer before them, by --url URL.',
    );
  const transport = createTransport(running, options);
  try {
    // The cheapest request that a service may refuse.
    await transport.read('GET', '/sandboxes/default/clock');
    return transport;
  } catch (error) {
    if (!(error instanceof UnderstudyError && error.status === 403)) throw error;
    return `the service at ${running} refuses commands (${error.message})`;
  }
}

async function openHere(values: ClientValues, { env, signal, note, undo }: CommandContext, reason: string) {
  const [{ openForCommand }, { openApp }] = await Promise.all([import('./open-database.ts'), import('./open-app.ts')]);
  const opened = await openForCommand(values, { env, signal, note }).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`${reason}, and ${error.message}\nOr name a running service by --url URL.`);
  });
  undo.use(opened);
  const app = await openApp(opened.database, opened.configuration, note);
  undo.defer(app.close);
  note(`${reason}: the command opens the database itself`);
  return createTransport('http://localhost', { signal }, app.fetch);
}
