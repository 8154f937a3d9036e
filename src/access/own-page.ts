// Whether a request comes from a page of this service: only then does a cookie count.
import type { FastifyRequest } from 'fastify';

export type Sent = Pick<FastifyRequest, 'method' | 'headers'>;

/**
 * No page can set any of the headers by itself. Browsers send Sec-Fetch-Site only by HTTPS and to loopback, so Origin
 * decides elsewhere. With `same-origin`, Origin may have another scheme, if an untrusted proxy ends TLS.
 * @param own the service's origin, as the browser knows it
 */
export function isFromOwnPage({ headers }: Sent, own: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin === new URL(own).origin) return true;
  return site === 'same-origin' && (origin === undefined || URL.parse(origin)?.host === host?.toLowerCase());
}

/**
 * A link that was followed, or an address that was entered. Where browsers send no Sec-Fetch headers, SameSite keeps the
 * cookie from other sites' requests, and a GET changes nothing.
 */
export const isNavigation = ({ method, headers }: Sent): boolean =>
  method === 'GET' &&
  headers.origin === undefined &&
  (headers['sec-fetch-mode'] === 'navigate' || headers['sec-fetch-site'] === undefined);
