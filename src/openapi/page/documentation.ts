// The page of a document: who sends the requests that are tried, and the place where Swagger UI shows the operations
// (docs/decisions/0021).
import type { Call } from '../../api/call.ts';
import { renderLayout } from '../../pages/frame/layout.ts';
import type { Visitor } from '../../pages/frame/visitor.ts';
import { Html, html } from '../../pages/html.ts';
import { linksUnder, rootOf } from '../../pages/links.ts';
import type { OpenApiDocument } from '../document.ts';

/** The parts of a call that the page needs. */
export type Reader = Pick<Call, 'baseUrl' | 'path' | 'visitor'>;

/**
 * The whole HTML document. To be sent with `pageHeaders` at `…/docs/`, beside `…/schema/`.
 * @param json the document
 */
export function renderDocumentation(
  { info, components: { securitySchemes } }: OpenApiDocument,
  json: string,
  { baseUrl, path, visitor }: Reader,
): string {
  const url = `${baseUrl}${path}`;
  const [scheme = '', { type } = {}] = Object.entries(securitySchemes)[0] ?? [];
  return renderLayout({
    title: info.title,
    baseUrl,
    section: 'documentation',
    returnTo: url,
    visitor,
    assets: ['documentation.css', 'swagger-ui.js', 'documentation.js'],
    main: html`<div class="docs">
      ${renderDocuments(baseUrl, url)}
      <h1>${info.title}</h1>
      <div class="lede">${info.description.split('\n\n').map((text) => html`<p>${codeIn(text)}</p>`)}</div>
      <p class="hint">
        For programs, as OpenAPI 3.1: <a href="../schema/?format=json">JSON</a> or
        <a href="../schema/?format=yaml">YAML</a>.
      </p>
      ${type === 'apiKey' ? renderSender('Token', visitor) : renderSender('Admin token')}
      <h2>Operations</h2>
      <div id="operations" data-scheme="${scheme}" data-prefix="${type === 'apiKey' ? `${scheme} ` : ''}">
        <noscript><p>They are shown, and can be tried, by a script of this service.</p></noscript>
      </div>
      ${dataOf(json)}
    </div>`,
  });
}

// In the page, because a session of the console opens pages and not the document's own address. `<` could end the
// element.
const dataOf = (json: string): Html =>
  new Html(`<script type="application/json" id="document">${json.replaceAll('<', String.raw`\u003c`)}</script>`);

/** The text with its `code`. */
const codeIn = (text: string): Html[] =>
  text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

// Our own API is the same for all sandboxes.
function renderDocuments(baseUrl: string, current: string): Html {
  const root = rootOf(baseUrl);
  const findLink = linksUnder(root);
  const documents = [
    ['The mirrored API', `${baseUrl}/api/docs/`],
    ['Understudy’s own API', `${root}/_understudy/docs/`],
  ] as const;
  return html`<nav class="chips" aria-label="Documents">
    ${documents.map(([label, url]) =>
      url === current
        ? html`<a href="${findLink(url) ?? ''}" aria-current="page">${label}</a>`
        : html`<a href="${findLink(url) ?? ''}">${label}</a>`,
    )}
  </nav>`;
}

// The script reads the token from here, sends it to this service alone, and stores it nowhere. The elements have no
// names, so that no form could send them.
function renderSender(label: string, visitor?: Visitor): Html {
  const { choices = [], username, token } = visitor ?? {};
  const option = (value: string, name: string, isSelected: boolean): Html =>
    html`<option value="${value}" ${isSelected ? html`selected` : undefined}>${name}</option>`;
  const users = choices.map((choice) => option(choice.token, choice.username, choice.token === token));
  return html`<div class="sender block" role="group" aria-label="Authorization">
    ${
      users.length === 0
        ? undefined
        : html`<p>
            <label for="user">Send as</label>
            <select id="user" autocomplete="off">
              ${option('', 'no user', username === undefined)} ${users}
              ${option('other', 'another token', username !== undefined && token === undefined)}
            </select>
          </p>`
    }
    <p>
      <label for="token">${label}</label>
      <input
        id="token"
        ${visitor === undefined ? html`class="secret"` : undefined}
        autocomplete="off"
        spellcheck="false"
        placeholder="none"
        value="${token ?? ''}"
      />
    </p>
    <p class="hint">For the requests that you try on this page, which forgets it when you leave.</p>
  </div>`;
}
