// Serves an OpenAPI document: …/schema/ as JSON or YAML, …/docs/ in Swagger UI (docs/decisions/0021).
import { stringify } from 'yaml';
import { type Answer, type Call, checkSandboxName } from '../../http/call.ts';
import type { Operation } from '../../http/operation.ts';
import type { OpenApiDocument } from '../../openapi/documents.ts';
import { apiError } from '../../base/errors.ts';
import { renderLayout } from '../frame/layout.ts';
import { Html, html } from '../html.ts';
import { rootOf } from '../links.ts';
import { renderChips, renderLink } from '../parts.ts';

type Reading = Call<never, { format?: string }>;
type Reader = Pick<Call, 'baseUrl' | 'visitor'>;

/** Makes operations, to be registered by the caller. @param describe called at the first request */
export function serveDocument(at: string, describe: () => OpenApiDocument) {
  let document: OpenApiDocument | undefined;
  const described = () => (document ??= describe());
  // Texts are kept: making one takes up to 50 ms.
  const texts: Partial<Record<'json' | 'yaml', string>> = {};
  const textIn = (form: 'json' | 'yaml') =>
    (texts[form] ??=
      form === 'yaml' ? stringify(described(), { aliasDuplicateObjects: false }) : `${JSON.stringify(described())}\n`);
  const get = (path: string, summary: string, handler: (call: Reading) => Omit<Answer, 'status' | 'json'>) => ({
    method: 'GET' as const,
    url: `${at}/${path}`,
    response: {},
    id: path,
    summary,
    access: 'admin' as const,
    view: { name: summary, description: 'The document of the API.' },
    handler: async (call: Reading) => {
      checkSandboxName(call.place);
      return { status: 200, json: null, ...handler(call) };
    },
  });
  const schema: Operation<unknown> = get('schema/', 'Schema', (call) => {
    const form = chooseForm(call);
    return { content: textIn(form), headers: { 'content-type': `application/${form}` } };
  });
  const page = (reader: Reader) => renderDocumentation(`${at}/docs/`, described(), textIn('json'), reader);
  const docs: Operation<unknown> = get('docs/', 'Docs', page);
  return { schema, docs, page };
}

/** As `format` says, else YAML if Accept names YAML but not JSON. Throws 404 for an unknown format. */
function chooseForm({ query: { format }, accept = '' }: Reading) {
  if (format === 'json' || format === 'yaml') return format;
  if (format !== undefined && format !== '') throw apiError('not_found');
  return accept.includes('yaml') && !accept.includes('json') ? 'yaml' : 'json';
}

function renderDocumentation(
  path: string,
  { info: { title }, components: { securitySchemes } }: OpenApiDocument,
  json: string,
  { baseUrl, visitor }: Reader,
) {
  const token = Object.hasOwn(securitySchemes, 'Token') ? visitor?.token : undefined;
  // The control API is the same for all sandboxes.
  const documents = [
    ['The Weblate API', `${baseUrl}/api/docs/`],
    ['Understudy’s control API', `${rootOf(baseUrl)}/_understudy/docs/`],
  ] as const;
  return renderLayout({
    title,
    baseUrl,
    section: 'documentation',
    visitor,
    assets: ['swagger-ui.css', 'swagger-ui.js', 'documentation.js'],
    main: html`<div class="stack">
      <nav aria-label="Documents">
        ${renderChips(documents.map(([label, url]) => renderLink(url, label, url === baseUrl + path)))}
      </nav>
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

// The document is in the page: a console's session can't open …/schema/. `<` could end the element.
const dataOf = (json: string) =>
  new Html(`<script type="application/json" id="document">${json.replaceAll('<', String.raw`\u003c`)}</script>`);
