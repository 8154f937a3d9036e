// The forms of a page, one for each method that writes, but PUT and PATCH share theirs. The fields write the JSON bodies,
// and a body its curl line (send-form.js), which sends the body as it is shown. No field has a name, so that only the
// JSON body is sent.
import { renderCopy, renderTokenHint } from '../curl.ts';
import { exact, html, type Html } from '../html.ts';
import { renderField } from '../parts.ts';
import { controlsOf, isChange } from './describe/describe-forms.ts';
import { curlOf, journalOf, sandboxHeader } from './exchange.ts';
import type { BrowsablePage, Form, FormField, FormRequest } from './page-contents.ts';
import { renderFormField } from './render-field.ts';

export function renderForms(page: BrowsablePage): Html | undefined {
  const { forms, url, findLink } = page;
  const action = findLink(URL.parse(url)?.href ?? '');
  if (forms.length === 0 || action === undefined) return undefined;
  return html`<section class="forms" aria-labelledby="change">
    <h2 id="change">Change</h2>
    <noscript><p class="hint">The forms need the page’s script. The curl lines send the same.</p></noscript>
    ${forms.map((form) => renderForm(page, form, action))}
  </section>`;
}

function renderForm(page: BrowsablePage, form: Form, action: string): Html {
  const { requests, fields, from } = form;
  const { description } = (requests[0] as FormRequest).operation;
  const sandbox = sandboxHeader(page);
  const headers = sandbox === undefined ? {} : { 'X-Understudy-Sandbox': sandbox };
  const faulty = controlsOf(form).find(({ name }) => form.faults?.has(name));
  const faults = faultsOf(form, '');
  const needsUser = page.visitor?.username === undefined && page.anonymous !== 'write';
  return html`<details class="block" ${(form.faults ?? from) !== undefined && html`open`}>
    <summary>
      ${requests.map(({ operation: { method, summary } }) => html`<span class="method">${method}</span> ${summary} `)}
    </summary>
    <form class="send" novalidate action="${action}" data-headers="${JSON.stringify(headers)}" ${asWritten}>
      ${from !== undefined && html`<p class="hint">From the request <a href="${journalOf(page)}${from}/">${from}</a>.</p>`}
      ${description !== undefined && html`<p class="hint">${description}</p>`}
      ${
        // Faults of no field. They get the focus unless a field has one.
        faults.length > 0 &&
        html`<div class="of-form wrong" ${faulty === undefined && html`tabindex="-1" autofocus`}>
          ${faults.map((fault) => html`<p>${fault}</p>`)}
        </div>`
      }
      <div class="sides columns">
        ${fields.length > 0 && html`<div>${fields.map((field) => renderFieldOrGroup(form, field, faulty))}</div>`}
        <div class="as-text stack">${requests.map((request) => renderRequest(page, request, action))}</div>
      </div>
      ${needsUser && html`<p class="hint">To send this, choose a user in the header of the page.</p>`}
      <p class="outcome wrong" role="alert"></p>
    </form>
  </details>`;
}

// Browsers change nothing that is entered.
const asWritten = html`autocomplete="off" autocapitalize="off" spellcheck="false"`;

/** In the API's words. @param name empty for what concerns no field of the form */
const faultsOf = ({ faults }: Form, name: string): string[] =>
  (faults?.get(name) ?? []).map(({ attr, detail }) =>
    attr === null || attr === name || attr === 'non_field_errors' ? detail : `${attr}: ${detail}`,
  );

/** The fields of an object are folded away, unless one is faulty. @param faulty gets the focus */
function renderFieldOrGroup(form: Form, field: FormField, faulty: FormField | undefined): Html {
  const { name, fields } = field;
  if (fields === undefined)
    return renderFormField(field, `${idOf(form)}-${name}`, faultsOf(form, name), field === faulty);
  return html`<details class="group" ${fields.some((each) => form.faults?.has(each.name)) && html`open`}>
    <summary><code>${name}</code> <span class="tiny">${fields.length} fields</span></summary>
    ${fields.map((each) => renderFieldOrGroup(form, each, faulty))}
  </details>`;
}

/** The same for PUT and PATCH, whether the page has a form for both or for one. */
const idOf = ({ requests: [request] }: Form): string =>
  request !== undefined && isChange(request.operation) ? 'change' : (request?.operation.method.toLowerCase() ?? '');

function renderRequest(page: BrowsablePage, { operation, body }: FormRequest, action: string): Html {
  const { method } = operation;
  const line = curlOf(page, { method, url: action, body });
  const rows = Math.min(16, Math.max(3, (body ?? '').split('\n').length + 1));
  return html`<div class="one-request">
    ${
      body !== undefined &&
      renderField({
        id: `${method.toLowerCase()}-body`,
        label: html`JSON body of ${method}`,
        control: (attributes) =>
          html`<textarea ${attributes} class="json" rows="${rows}">${['\n', exact(body)]}</textarea>`,
      })
    }
    <div class="actions row">
      <button class="primary ${method === 'DELETE' && 'danger'}" data-method="${method}">Send ${method}</button>
      ${body !== undefined && html`<button type="reset">Start again</button>`}
    </div>
    <details>
      <summary>curl</summary>
      ${renderCopy(line, `Send ${method} by curl`)} ${renderTokenHint(line)}
    </details>
  </div>`;
}
