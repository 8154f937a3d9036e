// The forms of a page, one for each method that writes. The fields write the JSON body, and the body its curl line
// (send-form.js), which sends the body as it is shown. No field has a name, so that only the JSON body is sent.
import { renderCopy, renderTokenHint } from '../curl.ts';
import { html, type Html } from '../html.ts';
import { jsonText } from '../json.ts';
import type { FindLink } from '../links.ts';
import { renderField, renderNameInput, renderOption, renderTextarea } from '../parts.ts';
import { curlOf, sandboxHeader } from './exchange.ts';
import { type BrowsablePage, findFaulty, type Form, type FormField } from './page-contents.ts';

/** @param url the request's URL without its query */
export function renderForms(page: BrowsablePage, findLink: FindLink, url: string): Html | undefined {
  const action = findLink(URL.parse(url)?.href ?? '');
  if (page.forms.length === 0 || action === undefined) return undefined;
  return html`<section class="forms" aria-labelledby="change">
    <h2 id="change">Change</h2>
    <noscript><p class="hint">The forms need the page’s script. The curl lines send the same.</p></noscript>
    ${page.forms.map((form) => renderForm(page, form, action))}
  </section>`;
}

function renderForm(page: BrowsablePage, form: Form, action: string): Html {
  const { method, summary, description, body, fields, faults } = form;
  const id = method.toLowerCase();
  const sandbox = sandboxHeader(page);
  const headers = {
    ...(sandbox !== undefined && { 'X-Understudy-Sandbox': sandbox }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const faulty = findFaulty(form);
  const needsUser = page.visitor?.username === undefined && page.anonymous !== 'write';
  return html`<details class="block" ${form.isAnswered && html`open`}>
    <summary><span class="method">${method}</span> ${summary}</summary>
    <form class="send" novalidate action="${action}" data-method="${method}" data-headers="${JSON.stringify(headers)}">
      ${description !== undefined && html`<p class="hint">${description}</p>`}
      ${
        // Faults of no field. They get the focus unless a field has one.
        faults.length > 0 &&
        html`<div class="of-form wrong" ${faulty === undefined && html`tabindex="-1" autofocus`}>
          ${faults.map((fault) => html`<p>${fault}</p>`)}
        </div>`
      }
      <div class="sides columns">
        ${fields.length > 0 && html`<div class="fields">${fields.map((field) => renderFieldOrGroup(field, id, faulty))}</div>`}
        ${renderAsText(page, form, id, action)}
      </div>
      <div class="actions row">
        <button type="submit" class="primary ${method === 'DELETE' && 'danger'}">Send ${method}</button>
        ${body !== undefined && html`<button type="reset">Start again</button>`}
        ${needsUser && html`<p class="hint">To send this, choose a user in the header of the page.</p>`}
      </div>
      <p class="outcome wrong" role="alert"></p>
    </form>
  </details>`;
}

/** The fields of an object are folded away, unless one is faulty. @param first gets the focus */
function renderFieldOrGroup(field: FormField, id: string, first: FormField | undefined): Html {
  const { name, fields } = field;
  if (fields === undefined) return renderFormField(field, `${id}-${name}`, field === first);
  return html`<details class="group" ${findFaulty({ fields }) !== undefined && html`open`}>
    <summary><code>${name}</code> <span class="tiny">${fields.length} fields</span></summary>
    ${fields.map((each) => renderFieldOrGroup(each, id, first))}
  </details>`;
}

function renderFormField(field: FormField, id: string, isFirstFault: boolean): Html {
  const { name, kind, label = '', isRequired, isNullable, help_text: help, faults } = field;
  const isSame = label === '' || label.toLowerCase() === name.replaceAll('_', ' ').toLowerCase();
  const hint = [help, isNullable && kind !== 'choice' && 'Empty means null.'].filter(Boolean).join(' ');
  return renderField({
    id,
    label: html`<code>${name}</code> ${!isSame && html`<span class="tiny">${label}</span>`}
      ${isRequired && html`<em class="tiny">required</em>`}`,
    hint: hint || undefined,
    faults,
    isCheckbox: kind === 'checkbox',
    control: (attributes) =>
      renderControl(
        field,
        html`${attributes} data-key="${name}" ${isFirstFault && html`autofocus`}
        ${isRequired && kind !== 'checkbox' && html`required`} ${isNullable && html`data-null="true"`}`,
      ),
  });
}

function renderControl(field: FormField, attributes: Html): Html {
  const { kind, value } = field;
  if (kind === 'choice')
    return html`<select ${attributes}>
      ${renderOptions(field)}
    </select>`;
  if (kind === 'checkbox') return html`<input type="checkbox" ${attributes} ${value === true && html`checked`} />`;
  if (kind === 'json')
    return renderTextarea(html`${attributes} data-kind="json" rows="3"`, value === undefined ? '' : jsonText(value));
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return renderNameInput(
    html`${attributes} ${kind === 'number' && html`data-kind="number" inputmode="numeric"`}`,
    text,
  );
}

/** The values are JSON texts. One that is no choice is there too, if it was sent. */
function renderOptions({ choices = [], value, isNullable }: FormField): Html[] {
  const known = choices.map(({ value: choice, display_name: name }) => ({
    json: JSON.stringify(choice),
    text: name === String(choice) ? name : `${name} (${choice})`,
  }));
  if (isNullable) known.unshift({ json: 'null', text: 'null' });
  const chosen = JSON.stringify(value) as string | undefined;
  if (chosen === undefined) known.unshift({ json: '', text: 'not sent' });
  else if (!known.some(({ json }) => json === chosen)) known.push({ json: chosen, text: chosen });
  return known.map(({ json, text }) => renderOption(json, text, chosen ?? ''));
}

function renderAsText(page: BrowsablePage, { method, body }: Form, id: string, action: string): Html {
  const line = curlOf(page, { method, url: action, body });
  const rows = Math.min(16, Math.max(3, (body ?? '').split('\n').length + 1));
  return html`<div class="as-text stack">
    ${
      body !== undefined &&
      renderField({
        id: `${id}-body`,
        label: 'JSON body',
        control: (attributes) => renderTextarea(html`${attributes} class="json" rows="${rows}"`, body),
      })
    }
    <div>
      <p class="label">curl</p>
      ${renderCopy(line, `${method} by curl`)} ${renderTokenHint(line)}
    </div>
  </div>`;
}
