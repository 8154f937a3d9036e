// Parts that pages share. Their styles are in the layer `parts` of frame/style.css.
import type { ErrorLine } from '../base/errors.ts';
import type { Choice } from './visitor.ts';
import { curlLine, type CurlRequest, staysSame, variableIn } from './curl.ts';
import { exact, html, type Html, type Piece } from './html.ts';

/** The status's class in style.css. @param status 0 for a closed connection */
export const statusKind = (status: number) =>
  ['closed', 'informs', 'succeeds', 'redirects', 'refuses', 'fails'][Math.floor(status / 100)] ?? 'fails';

/** @param href if left out, only the label is shown */
export function renderLink(href: string | undefined, label: Piece, isCurrent = false, current = 'page') {
  if (href === undefined) return html`<span>${label}</span>`;
  return html`<a href="${href}" ${isCurrent && html`aria-current="${current}"`}>${label}</a>`;
}

export const renderSection = (id: string, title: Piece, ...content: readonly Piece[]) =>
  html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;

export const renderChips = (chips: readonly Piece[]) =>
  html`<ul class="chips row">
    ${chips.map((chip) => chip && html`<li>${chip}</li>`)}
  </ul>`;

/** Tabs that need no script: radio inputs choose the tab. */
export const renderTabs = (label: string, tabs: readonly (readonly [tab: string, content: Piece])[]) =>
  html`<div class="tabbed row" role="group" aria-label="${label}">
    ${tabs.map(
      ([tab, content], place) =>
        html`<label><input type="radio" name="view" ${place === 0 && html`checked`} />${tab}</label>
          <div>${content}</div>`,
    )}
  </div>`;

export const renderRows = (rows: readonly Html[]) =>
  html`<ul class="rows">
    ${rows}
  </ul>`;

/** A form with only a button. @param attributes of the button */
export const renderButton = (action: string, label: Piece, attributes?: Piece) =>
  html`<form method="post" action="${action}"><button ${attributes}>${label}</button></form>`;

/** A form's errors that none of its fields shows. */
export const renderAlert = (lines: readonly ErrorLine[] = []) =>
  lines.map((line) => html`<p class="wrong" role="alert" tabindex="-1">${renderErrorLine(line)}</p>`);

export const renderErrorLine = ({ attr, detail }: Pick<ErrorLine, 'attr' | 'detail'>) =>
  html`${attr !== null && html`<code>${attr}</code>: `}${detail}`;

export interface Field {
  /** Unique on the page. */
  readonly id: string;
  readonly label: Piece;
  readonly hint?: Piece;
  readonly errors?: readonly Piece[] | undefined;
  readonly isCheckbox?: boolean;
  /** Renders the input, select or textarea with these attributes. */
  readonly control: (attributes: Html) => Html;
}

export function renderField({ id, label, hint, errors = [], isCheckbox = false, control }: Field) {
  const isWrong = errors.length > 0;
  const described = [isWrong && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean);
  const attributes = html`id="${id}" ${described.length > 0 && html`aria-describedby="${described.join(' ')}"`}
  ${isWrong && html`aria-invalid="true"`}`;
  const named = html`<label for="${id}">${label}</label>`;
  const lines = errors.map((error) => html`<div>${error}</div>`);
  const wrong = html`<div class="wrong" id="${id}-error">${lines}</div>`;
  return html`<div class="field ${isCheckbox && 'checkbox row'}">
    ${isCheckbox && control(attributes)} ${named} ${isWrong && wrong} ${!isCheckbox && control(attributes)}
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`;
}

export const renderOption = (value: string, label: string, chosen: string) =>
  html`<option value="${exact(value)}" ${value === chosen && html`selected`}>${label}</option>`;

type Control = Field['control'];

const asTyped = html`autocapitalize="off" spellcheck="false"`;

export function renderSelect(options: readonly Html[]): Control {
  return (attributes) =>
    html`<select ${attributes}>
      ${options}
    </select>`;
}

/** The input of a name or token, which no browser completes, corrects or capitalises. */
export function renderNameInput(value = '', more?: Html): Control {
  const all = html`${more} value="${exact(value)}" autocomplete="off" ${asTyped}`;
  return (attributes) => html`<input ${attributes} ${all} />`;
}

/** Adds a line break before the text, because browsers drop one there. */
export function renderTextarea(text: string, more: Html): Control {
  return (attributes) => html`<textarea ${attributes} ${more} ${asTyped}>${['\n', exact(text)]}</textarea>`;
}

type Fact = readonly [name: string, value: Piece | null];

export const renderFacts = (facts: readonly Fact[], kind = 'facts') =>
  html`<dl class="${kind}">
    ${facts.map(
      ([name, value]) =>
        value !== null &&
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div> `,
    )}
  </dl>`;

/** @param name class of the table, and id of its body */
export const renderTable = (caption: Piece, heads: readonly string[], rows: Piece, name = '') =>
  html`<table class="${name}">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${heads.map((head) => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody ${name && html`id="${name}"`}>
      ${rows}
    </tbody>
  </table>`;

export const renderBlock = (label: string, text: Html) =>
  html`<pre class="block" tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`;

/**
 * A request as a curl line. page.js offers other languages, unless these would resolve `..` in the URL.
 * @param label unique on the page
 */
export function renderRequest(request: CurlRequest, label: string) {
  const variable = variableIn(request.token);
  const data = staysSame(request) && html`data-request="${exact(JSON.stringify(request))}"`;
  const hint = html`<p class="hint">Put the token into the shell first: <code>export ${variable}=…</code></p>`;
  return html`${renderCopy(curlLine(request), label, data)} ${variable !== undefined && hint}`;
}

/** A click selects the text, and the button copies it. @param label unique on the page */
export function renderCopy(text: string, label: string, attributes?: Piece) {
  const id = `copy-${label.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
  return html`<div class="row" ${attributes}>
    <pre class="block copy" role="group" aria-label="${label}"><code id="${id}">${text}</code></pre>
    <button type="button" class="small" data-copy="${id}">Copy</button>
  </div>`;
}

export const renderTokens = (caption: string, users: readonly Choice[]) =>
  renderTable(
    caption,
    ['User', 'Token'],
    users.map(
      ({ username, is_superuser: isSuper, note = isSuper && 'superuser', token }, index) =>
        html`<tr>
          <th scope="row">
            <span id="user-${index}">${username}</span>
            ${note && html`<span class="hint">${note}</span>`}
          </th>
          <td>
            <code class="copy" id="token-${index}">${token}</code>
            <button type="button" class="small" data-copy="token-${index}" aria-describedby="user-${index}">
              Copy
            </button>
          </td>
        </tr>`,
    ),
    'tokens',
  );

/**
 * `90 minutes ago`, `in 24 hours`. Below two hours or two days, the smaller unit is used: it loses less
 * by rounding.
 */
export function describeMoment(moment: string, now = Date.now()) {
  const minutes = (Date.parse(moment) - now) / 60_000;
  const length = Math.round(Math.abs(minutes));
  if (Math.abs(minutes) < 1) return minutes > 0 ? 'within a minute' : 'just now';
  const unit = length < 120 ? 'minute' : length < 2880 ? 'hour' : 'day';
  const of = { minute: 1, hour: 60, day: 1440 }[unit];
  // Made only now, because ICU's data take 5 MB of memory.
  return new Intl.RelativeTimeFormat('en').format(Math.round(minutes / of), unit);
}

export const renderMoment = (moment: string) =>
  html`<time datetime="${moment}"
    >${describeMoment(moment)} <span class="exact tiny">${moment.slice(0, 16).replace('T', ' ')} UTC</span></time
  >`;
