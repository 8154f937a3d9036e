// The id by which a request is found in the log: the client's own where it sent a fit one, else ours.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export const requestIdHeader = 'x-request-id';

// Visible ASCII and short: it goes into every line of the request and back into a header.
const fit = /^[\x21-\x7e]{1,128}$/;

/** Makes ids that differ between processes: a part of chance and a number. */
export function createRequestIds(): (request: { headers: IncomingHttpHeaders }) => string {
  const prefix = randomBytes(4).toString('hex');
  let count = 0;
  return ({ headers }) => {
    const given = headers[requestIdHeader];
    return typeof given === 'string' && fit.test(given) ? given : `${prefix}-${(++count).toString(36)}`;
  };
}
