// The base of the URLs in answers: as the client used it, so that a mapped port or name stays.
import type { IncomingMessage } from 'node:http';
import { apiError } from '../base/errors.ts';

export interface BaseUrlOptions {
  /** Replaces the origin of requests; no slash at the end. */
  readonly publicUrl: string | undefined;
  /** How many proxies' X-Forwarded-Host and X-Forwarded-Proto are trusted. */
  readonly trustProxy: number;
}

// Names, IPv4 and bracketed IPv6, maybe with a port. A valid host needs no escape in JSON or HTML.
const validHost = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** The request's `http://host:port`. Throws 400 for an invalid Host. */
export function findOrigin({ headers, socket }: IncomingMessage, options: BaseUrlOptions) {
  if (options.publicUrl !== undefined) return options.publicUrl;
  const forwarded = forwardedValue(headers['x-forwarded-host'], options.trustProxy);
  const protocol = forwardedValue(headers['x-forwarded-proto'], options.trustProxy);
  // HTTP/1.0 has no Host.
  const host = forwarded ?? headers.host ?? hostAndPort(socket.localAddress ?? 'localhost', socket.localPort ?? 80);
  const origin = `${protocol === 'https' ? 'https' : 'http'}://${host}`;
  // Some hosts that match are invalid in URLs: 1.2.3.4.5, port 99999.
  if (!validHost.test(host) || !URL.canParse(origin)) throw apiError('invalid_host');
  return origin;
}

// A proxy appends its value or replaces the list: clients may have forged earlier values.
function forwardedValue(header: string | string[] | undefined, proxies: number) {
  if (proxies === 0 || header === undefined) return undefined;
  const values = header.toString().split(',');
  return values[Math.max(0, values.length - proxies)]?.trim();
}

export const hostAndPort = (address: string, port: number) =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`;
