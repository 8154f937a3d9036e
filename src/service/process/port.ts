// The address that the service listens on: whether it is free, and what to do where it isn't.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostAndPort } from '../../http/base-url.ts';
import { PassingError, UserError } from '../../base/failure.ts';
import type { Aliases, Configuration } from '../config/config.ts';
import { embeddedDirOf, findServices } from './service-file.ts';

export interface Configured {
  readonly configuration: Configuration;
  /** What errors call the variables. */
  readonly aliases?: Aliases;
}

/** Throws UserError if another process has the port. One may still take it before the service listens. */
export async function assertPortIsFree(options: Configured) {
  const { PORT: port, UNDERSTUDY_HOST: host } = options.configuration;
  if (port === 0) return;
  const probe = createServer().listen(port, host);
  await once(probe, 'listening').catch((error: unknown) => explainListening(error, options));
  await once(probe.close(), 'close');
}

export async function explainListening(error: unknown, { configuration, aliases = {} }: Configured): Promise<never> {
  const { PORT: port, UNDERSTUDY_HOST: host } = configuration;
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE') throw new PassingError(adviseOtherPort(configuration));
  if (code === 'EACCES')
    throw new UserError(`Port ${port} needs more rights. Try another one: weblate-understudy serve --port 8000`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    throw new PassingError(`${aliases['UNDERSTUDY_HOST'] ?? 'UNDERSTUDY_HOST'}: this machine has no address ${host}.`);
  throw error;
}

/** Two services can't share a data folder, so if one runs on ours, only changing the port would not help. */
function adviseOtherPort(configuration: Configuration) {
  const { PORT: port, UNDERSTUDY_TEMPORARY: isTemporary } = configuration;
  const other = `weblate-understudy serve --port ${port === 65_535 ? 0 : port + 1}`;
  const folder = embeddedDirOf(configuration);
  const [url] = folder === undefined ? [] : findServices(configuration).urls;
  if (url === undefined) return `Port ${port} is taken. Try another one: ${other}${isTemporary ? ' --temporary' : ''}`;
  return (
    `Port ${port} is taken. The data folder ${folder} is in use by the Understudy at ${url}: ` +
    `use that service, or start another with data of its own: ${other} --temporary`
  );
}

/** `http://127.0.0.1:8000`; a service that listens on every address is reached through loopback. */
export function urlOf(host: string, port: number) {
  return `http://${hostAndPort(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port)}`;
}
