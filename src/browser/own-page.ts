// Whether a request comes from a page of this service: only then does a cookie count, which browsers send by
// themselves.
import type { IncomingHttpHeaders } from 'node:http';

interface Sent {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * @param origin the service's own, as the browser knows it
 */
export function isFromOwnPage({ headers }: Sent, origin: string): boolean {
  if (headers.origin !== undefined) return headers.origin === new URL(origin).origin;
  return headers['sec-fetch-site'] === 'same-origin';
}

/**
 * A link that was followed, or an address that was entered. Where the service is reached by plain HTTP beyond loopback,
 * browsers send no Sec-Fetch headers; SameSite then keeps the cookie from other sites' requests, and a GET changes
 * nothing.
 */
export const isNavigation = ({ method, headers }: Sent): boolean =>
  method === 'GET' &&
  headers.origin === undefined &&
  (headers['sec-fetch-mode'] === 'navigate' || headers['sec-fetch-site'] === undefined);
