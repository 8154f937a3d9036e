// The service that a command speaks to: a running one, or the app in its own process.
import { clientOf } from '../../package/client/client.ts';
import { createTransport, type Transport } from '../../package/client/transport.ts';
import { UnderstudyError } from '../../package/client/understudy-error.ts';
import { UserError } from '../../base/failure.ts';
import type { CommandContext } from '../command.ts';
import { readUrlOption, UsageError, valued, type Values } from '../usage.ts';
import { databaseFlags, readPlace } from '../setting-flags.ts';

export const clientOptions = {
  url: valued('URL', 'the service (default: UNDERSTUDY_URL, or else the one that runs here on the database)'),
  'admin-token': valued('TOKEN', 'its admin token (default: UNDERSTUDY_ADMIN_TOKEN)'),
  ...databaseFlags,
} as const;

type ClientValues = Values<typeof clientOptions>;

/** Throws UserError if there is neither a service nor its database. */
export const openClient = async (values: ClientValues, context: CommandContext) =>
  clientOf(await findTransport(values, context, (reason) => openHere(values, context, reason)));

export const openSandbox = async (name = 'default', values: ClientValues, context: CommandContext) =>
  (await openClient(values, context)).open(name);

/** For what only a running service has. Throws UserError if none runs. */
export const openRunning = (values: ClientValues, context: CommandContext) =>
  findTransport(values, context, (reason) => {
    throw new UserError(
      `${reason}, and only a running service keeps requests.\n` +
        'Start one with `weblate-understudy serve`, or name one by --url URL.',
    );
  });

/** The first of: --url, the options of the database, UNDERSTUDY_URL, the variables of the database. */
async function findTransport(
  values: ClientValues,
  { env, signal }: CommandContext,
  otherwise: (reason: string) => Promise<Transport>,
) {
  const { url, 'admin-token': token } = values;
  const place = (['database-url', 'data-dir'] as const).find((name) => values[name] !== undefined);
  if (url !== undefined && place !== undefined) throw new UsageError(`--url and --${place} exclude each other`);
  const [option, given] =
    url === undefined && place === undefined ? ['UNDERSTUDY_URL', env['UNDERSTUDY_URL']] : ['--url', url];
  const options = { adminToken: token ?? (env['UNDERSTUDY_ADMIN_TOKEN'] || undefined), signal };
  if (given) return createTransport(readUrlOption(option, given), options);
  const { findServices } = await import('../../service/process/service-file.ts');
  const { where, urls } = findServices(readPlace(values, env));
  const [running] = urls;
  if (running === undefined) return otherwise(`no service runs on ${where}`);
  if (urls.length > 1)
    throw new UserError(
      `${urls.length} services run on ${where}: ${urls.join(', ')}.\nName one, or the balancer before them, by --url URL.`,
    );
  const transport = createTransport(running, options);
  try {
    // The clock costs least of a sandbox's resources.
    await transport.read('GET', '/sandboxes/default/clock');
    return transport;
  } catch (error) {
    if (!(error instanceof UnderstudyError && error.status === 403)) throw error;
    return otherwise(`the service at ${running} refuses commands (${error.message})`);
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
