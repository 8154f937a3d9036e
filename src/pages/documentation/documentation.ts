// The page of a document: the frame, and the place where Swagger UI shows the document (docs/decisions/0021).
import type { Call } from '../../http/call.ts';
import { renderLayout } from '../frame/layout.ts';
import { renderChips, renderLink } from '../parts.ts';
import { Html, html } from '../html.ts';
import { linksUnder, rootOf } from '../links.ts';
import type { OpenApiDocument } from '../../openapi/document.ts';

/** The parts of a call that the page needs. */
export type Reader = Pick<Call, 'baseUrl' | 'path' | 'visitor'>;

/**
 * The whole HTML document. To be sent with `pageHeaders` at `…/docs/`, beside `…/schema/`.
 * @param json the document
 */
export function renderDocumentation(
  { info: { title }, components: { securitySchemes } }: OpenApiDocument,
  json: string,
  { baseUrl, path, visitor }: Reader,
): string {
  const url = `${baseUrl}${path}`;
  const token = Object.hasOwn(securitySchemes, 'Token') ? visitor?.token : undefined;
  return renderLayout({
    title,
    baseUrl,
    section: 'documentation',
    returnTo: url,
    visitor,
    assets: ['swagger-ui.css', 'swagger-ui.js', 'documentation.js'],
    main: html`<div class="stack">
      ${renderDocuments(baseUrl, url)}
      <p class="hint">
        For programs, as OpenAPI 3.1: <a href="../schema/?format=json">JSON</a> or
        <a href="../schema/?format=yaml">YAML</a>.
      </p>
      <div id="operations" data-token="${token}">
        <h1>${title}</h1>
        <noscript><p>The operations are shown, and can be tried, by a script of this service.</p></noscript>
      </div>
      ${dataOf(json)}
    </div>`,
  });
}

// In the page, because a session of the console opens pages and not the document's own address. `<` could end the
// element.
const dataOf = (json: string): Html =>
  new Html(`<script type="application/json" id="document">${json.replaceAll('<', String.raw`\u003c`)}</script>`);

// Our own API is the same for all sandboxes.
function renderDocuments(baseUrl: string, current: string): Html {
  const root = rootOf(baseUrl);
  const findLink = linksUnder(root);
  const documents = [
    ['The mirrored API', `${baseUrl}/api/docs/`],
    ['Understudy’s own API', `${root}/_understudy/docs/`],
  ] as const;
  return html`<nav aria-label="Documents">
    ${renderChips(documents.map(([label, url]) => renderLink(findLink(url), label, url === current)))}
  </nav>`;
}
