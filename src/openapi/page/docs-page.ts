// The page that shows a document. Its contents come from the document; a small script of our own sends the requests to
// try.
import type { Call } from '../../api/call.ts';
import { html, type Html } from '../../pages/html.ts';
import { renderLayout } from '../../pages/frame/layout.ts';
import type { OperationObject } from '../describe-operation.ts';
import type { OpenApiDocument } from '../document.ts';
import { renderOperation } from './docs-operation.ts';
import { prose } from './docs-prose.ts';

export interface DocumentPage {
  readonly document: OpenApiDocument;
  readonly call: Pick<Call, 'baseUrl' | 'path' | 'visitor'>;
  /** What stands before every path of the document; empty for nothing. */
  readonly base: string;
  /** Public tokens to choose from. */
  readonly samples: readonly { readonly username: string; readonly token?: string }[];
}

// HEAD and OPTIONS are in the document's description.
const shownMethods = ['get', 'post', 'put', 'patch', 'delete'];

/** The whole HTML document. To be sent with `pageHeaders` at `…/docs/`, beside `…/schema/`. */
export function renderDocumentPage(page: DocumentPage): string {
  const { document } = page;
  const groups = document.tags.map((tag, place) => ({
    tag,
    id: `group-${place}`,
    operations: operationsOf(document, tag.name),
  }));
  return renderLayout({
    title: document.info.title,
    baseUrl: page.call.baseUrl,
    returnTo: `${page.call.baseUrl}${page.call.path}`,
    visitor: page.call.visitor,
    assets: ['browsable.css'],
    section: 'documentation',
    main: html`<link rel="stylesheet" href="docs.css" />
      <div class="docs">
        <h1>${document.info.title}</h1>
        <div class="lede">${prose(document.info.description)}</div>
        <p class="hint">
          The same for programs, OpenAPI 3.1: <a href="../schema/">JSON</a>, <a href="../schema/?format=yaml">YAML</a>
        </p>
        <div class="exchange">
          <nav class="rail contents" aria-label="Operations">
            ${groups.map(
              ({ tag, id, operations }) =>
                html`<h2><a href="#${id}">${tag.name}</a></h2>
                  <ul>
                    ${operations.map(
                      ({ method, operation }) =>
                        html`<li>
                          <a href="#${operation.operationId}"
                            ><span class="method">${method.toUpperCase()}</span> ${operation.summary}</a
                          >
                        </li>`,
                    )}
                  </ul>`,
            )}
          </nav>
          <div class="main-column">
            ${renderWho(page)}
            ${groups.map(
              ({ tag, id, operations }) =>
                html`<section aria-labelledby="${id}">
                  <h2 class="group" id="${id}">${tag.name}</h2>
                  <p>${tag.description}</p>
                  ${operations.map(({ path, method, operation }) =>
                    renderOperation({ document, base: page.base, path, method, operation }),
                  )}
                </section>`,
            )}
          </div>
        </div>
      </div>
      <script src="try.js" defer></script>`,
  });
}

function operationsOf(document: OpenApiDocument, tag: string) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    shownMethods.flatMap((method): { path: string; method: string; operation: OperationObject }[] => {
      const operation = item[method];
      return operation?.tags.includes(tag) === true ? [{ path, method, operation }] : [];
    }),
  );
}

// The token stays in the page: the script sends it to this service alone and stores it nowhere.
function renderWho({ samples, document }: DocumentPage): Html | undefined {
  if (Object.keys(document.components.securitySchemes).length === 0) return undefined;
  const known = samples.filter(({ token }) => token !== undefined);
  return html`<form class="who-asks block needs-script">
    <label for="token">Token for the requests that you try</label>
    <input id="token" autocomplete="off" spellcheck="false" list="tokens" placeholder="none" />
    <datalist id="tokens">
      ${known.map(({ username, token }) => html`<option value="${token}">${username}</option>`)}
    </datalist>
    <p class="hint">
      ${known.length === 0 ? 'It is kept in this page alone.' : `Samples: ${known.map(({ username }) => username).join(', ')}.`}
    </p>
  </form>`;
}
