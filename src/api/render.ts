// An answer in the rendering that the request gets.
import { type BrowsablePage, pageHeaders, renderPage } from '../pages/browsable-page.ts';
import { toCsv } from './wire/csv.ts';
import type { Negotiated } from './wire/negotiate.ts';

export interface Rendered {
  readonly contentType: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/**
 * @param json the body as JSON text; null for none
 * @param describe what the page around it shows; asked for only where a page is wanted
 */
export function render(negotiated: Negotiated, json: string | null, describe: () => BrowsablePage): Rendered {
  if (negotiated.format === 'api')
    return {
      contentType: 'text/html; charset=utf-8',
      headers: pageHeaders,
      body: renderPage(describe()),
    };
  if (json === null) return { contentType: undefined, headers: {}, body: undefined };
  if (negotiated.format === 'csv')
    return { contentType: 'text/csv; charset=utf-8', headers: {}, body: toCsv(JSON.parse(json)) };
  const text = negotiated.indent === 0 ? json : JSON.stringify(JSON.parse(json), null, negotiated.indent);
  return { contentType: 'application/json', headers: {}, body: text };
}
