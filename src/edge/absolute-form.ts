// Request lines with a whole URL, as clients send them to a proxy. The path counts; who we are is what Host says, as ever.
import type { IncomingMessage } from 'node:http';

/** The path and query of a request, which from then on are also its `originalUrl`. */
export function toOriginForm(request: IncomingMessage & { originalUrl?: string }): string {
  const { url = '/' } = request;
  const rest = url.startsWith('/') ? undefined : /^https?:\/\/[^/?#]*(.*)$/is.exec(url)?.[1];
  if (rest === undefined) return url;
  request.originalUrl = rest.startsWith('/') ? rest : `/${rest}`;
  return request.originalUrl;
}
