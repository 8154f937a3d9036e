// The address that the service listens on: whether it is free, and what to do if not.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostAndPort } from '../../http/base-url.ts';
import { PassingError, UserError } from '../../base/failure.ts';
import type { Aliases, Configuration } from '../config/config.ts';

export interface Configured {
  readonly configuration: Configuration;
  readonly aliases?: Aliases;
}

/** Throws UserError if the port is taken. A free port may still be taken before the service listens. */
export async function assertPortIsFree(options: Configured) {
  const { PORT: port, UNDERSTUDY_HOST: host } = options.configuration;
  if (port === 0) return;
  const probe = createServer().listen(port, host);
  await once(probe, 'listening').catch((error: unknown) => explainListening(error, options));
  await once(probe.close(), 'close');
}

export async function explainListening(error: unknown, { configuration, aliases = {} }: Configured): Promise<never> {
  const { PORT: port, UNDERSTUDY_HOST: host, UNDERSTUDY_TEMPORARY: isTemporary } = configuration;
  const { code } = error as { code?: string };
  const other = `weblate-understudy serve --port ${port === 65_535 ? 0 : port + 1}${isTemporary ? ' --temporary' : ''}`;
  if (code === 'EADDRINUSE') throw new PassingError(`Port ${port} is taken. Try another one: ${other}`);
  if (code === 'EACCES')
    throw new UserError(`Port ${port} needs more rights. Try another one: weblate-understudy serve --port 8000`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    throw new PassingError(`${aliases['UNDERSTUDY_HOST'] ?? 'UNDERSTUDY_HOST'}: this machine has no address ${host}.`);
  throw error;
}

/** `http://127.0.0.1:8000`. A service that listens on all addresses gets the URL of loopback. */
export function urlOf(host: string, port: number) {
  return `http://${hostAndPort(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port)}`;
}
