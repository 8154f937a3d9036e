// Whether a request comes from a page of this service: only then does a cookie count, which browsers send by
// themselves.
import type { IncomingHttpHeaders } from 'node:http';

export interface Sent {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * No page can set either header by itself. Browsers send Sec-Fetch-Site by HTTPS and to loopback alone, so Origin
 * decides elsewhere.
 * @param origin the service's own, as the browser knows it
 */
export const isFromOwnPage = ({ headers }: Sent, origin: string): boolean =>
  headers['sec-fetch-site'] === 'same-origin' || headers.origin === new URL(origin).origin;

/**
 * A link that was followed, or an address that was entered. Where browsers send no Sec-Fetch headers, SameSite keeps the
 * cookie from other sites' requests, and a GET changes nothing.
 */
export const isNavigation = ({ method, headers }: Sent): boolean =>
  method === 'GET' &&
  headers.origin === undefined &&
  (headers['sec-fetch-mode'] === 'navigate' || headers['sec-fetch-site'] === undefined);
