// The forms of a page, one for each method that writes. The fields write the JSON body, and the body its curl line
// (send-form.js), which sends the body as it is shown.
import { renderCopy, renderTokenHint } from '../curl.ts';
import { html, type Html } from '../html.ts';
import type { FindLink } from '../links.ts';
import { renderField } from './render-field.ts';
import { type BrowsablePage, findFaulty, type Form, type FormField } from './page-contents.ts';
import { curlOf, plainUrl, sandboxHeader } from './page-requests.ts';

/** @param url the request's URL */
export function renderForms(page: BrowsablePage, findLink: FindLink, url: string): Html | undefined {
  const action = findLink(URL.parse(plainUrl(url))?.href ?? '');
  if (page.forms.length === 0 || action === undefined) return undefined;
  return html`<section class="forms" aria-labelledby="change">
    <h2 id="change">Change</h2>
    <noscript><p class="hint">The forms need the page’s script. The curl lines send the same.</p></noscript>
    ${page.forms.map((form) => renderForm(page, form, action))}
  </section>`;
}

function renderForm(page: BrowsablePage, form: Form, action: string): Html {
  const { method, summary } = form;
  const id = method.toLowerCase();
  const sandbox = sandboxHeader(page);
  const headers = {
    ...(sandbox !== undefined && { 'X-Understudy-Sandbox': sandbox }),
    ...(form.body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const parts = html`<summary><span class="method">${method}</span> ${summary}</summary>
    <form class="send" novalidate action="${action}" data-method="${method}" data-headers="${JSON.stringify(headers)}">
      ${form.description === undefined ? undefined : html`<p class="hint">${form.description}</p>`}
      ${form.faults.length === 0 ? undefined : renderFaults(form)}
      <div class="sides">
        ${form.fields.length === 0 ? undefined : renderFields(form, id)} ${renderAsText(page, form, id, action)}
      </div>
      ${renderActions(page, form)}
      <p class="outcome wrong" role="alert"></p>
    </form>`;
  return form.isAnswered ? html`<details open>${parts}</details>` : html`<details>${parts}</details>`;
}

/** Faults of no field. They get the focus unless a field has one. */
function renderFaults(form: Form): Html {
  const lines = form.faults.map((fault) => html`<p class="fault wrong">${fault}</p>`);
  return findFaulty(form) !== undefined
    ? html`<div class="of-form">${lines}</div>`
    : html`<div class="of-form" tabindex="-1" autofocus>${lines}</div>`;
}

function renderFields(form: Form, id: string): Html {
  const first = findFaulty(form);
  return html`<div class="fields">${form.fields.map((field) => renderFieldOrGroup(field, id, first))}</div>`;
}

/** The fields of an object are folded away, unless one is faulty. */
function renderFieldOrGroup(field: FormField, id: string, first: FormField | undefined): Html {
  const { name, fields } = field;
  if (fields === undefined) return renderField(field, id, field === first);
  const folded = html`<summary><code>${name}</code> <span class="says">${fields.length} fields</span></summary>
    ${fields.map((each) => renderField(each, id, each === first))}`;
  return findFaulty({ fields }) === undefined
    ? html`<details class="group">${folded}</details>`
    : html`<details class="group" open>${folded}</details>`;
}

function renderAsText(page: BrowsablePage, form: Form, id: string, action: string): Html {
  const { method, body } = form;
  const line = curlOf(page, { method, url: action, body });
  return html`<div class="as-text">
    ${
      body === undefined
        ? undefined
        : html`<div class="field">
            <label for="${id}-body">JSON body</label>
            <textarea id="${id}-body" class="json" rows="${rowsOf(body)}">${['\n', body]}</textarea>
          </div>`
    }
    <p class="label">curl</p>
    ${renderCopy(line, `${method} by curl`)} ${renderTokenHint(line)}
  </div>`;
}

const rowsOf = (text: string): number => Math.min(16, Math.max(3, text.split('\n').length + 1));

function renderActions({ visitor, anonymous }: BrowsablePage, { method, body }: Form): Html {
  const needsUser = visitor?.username === undefined && anonymous !== 'write';
  return html`<div class="actions">
    <button type="submit" class="${method === 'DELETE' ? 'primary grave' : 'primary'}">Send ${method}</button>
    ${body === undefined ? undefined : html`<button type="reset">Start again</button>`}
    ${needsUser ? html`<p class="hint">To send this, choose a user in the header of the page.</p>` : undefined}
  </div>`;
}
