// The base of every URL in an answer: the one by which the request came, so that a mapped port, a compose name or a sandbox's
// prefix stays in the links.
import type { IncomingMessage } from 'node:http';
import { apiError } from './errors.ts';

export interface BaseUrlOptions {
  /** Takes the place of what the request says, without a slash at the end. */
  readonly publicUrl: string | undefined;
  /** Whether X-Forwarded-Host and X-Forwarded-Proto are believed. */
  readonly trustProxy: boolean;
  /** For a request of HTTP/1.0 without Host. */
  readonly listeningOn: () => string;
}

// Names, IPv4 and bracketed IPv6 with a port. What passes needs no escape in JSON or HTML.
const validHost = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** `http://host:port` of a request, without a slash at the end. Throws 400 for a Host that is none. */
export function findOrigin(request: IncomingMessage, options: BaseUrlOptions): string {
  if (options.publicUrl !== undefined) return options.publicUrl;
  const forwarded = options.trustProxy ? first(request.headers['x-forwarded-host']) : undefined;
  const protocol = options.trustProxy ? first(request.headers['x-forwarded-proto']) : undefined;
  const host = forwarded ?? request.headers.host ?? options.listeningOn();
  if (!validHost.test(host)) throw apiError('invalid_host');
  return `${protocol === 'https' ? 'https' : 'http'}://${host}`;
}

// Each proxy appends its own; the first is the client's.
const first = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value)?.split(',', 1)[0]?.trim();

/** An address and a port as they stand in a URL. */
export const hostAndPort = (address: string, port: number): string =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`;
