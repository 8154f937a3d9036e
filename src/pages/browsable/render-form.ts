// A page's forms. In the browser, send-form.js makes JSON bodies from the fields, and curl lines from
// the bodies. It sends exactly the shown body. The fields have no names, so the browser itself never
// sends them.
import type { FieldMetadata } from '../../http/options.ts';
import { exact, html, type Html } from '../html.ts';
import { jsonText } from '../json.ts';
import { renderField, renderOption, renderRequest, renderSelect, renderTabs, renderTextarea } from '../parts.ts';
import { type BrowsablePage, errorsOf, type Form, type FormField } from './describe-forms.ts';

export function renderForms(page: BrowsablePage) {
  const { forms, url, findLink } = page;
  const action = findLink(URL.parse(url)?.href ?? '');
  if (forms.length === 0 || action === undefined) return undefined;
  return html`<section class="forms" aria-labelledby="change">
    <h2 id="change">Change</h2>
    <noscript><p class="hint">The forms need the page’s script. The curl lines send the same.</p></noscript>
    ${forms.map((form) => renderForm(page, form, action))}
    <form class="send one-request" action="${action}">
      <button data-method="OPTIONS">Send OPTIONS</button> <span class="hint">Describes the fields of this path.</span>
      <p class="outcome wrong" role="alert"></p>
    </form>
  </section>`;
}

function renderForm(page: BrowsablePage, form: Form, action: string) {
  const { requests, fields, from } = form;
  const operations = requests.map(({ operation }) => operation);
  const description = operations[0]?.description;
  const sendings = requests.map((one) => [one.operation.method, renderSending(page, one, action)] as const);
  const start =
    from !== undefined &&
    html`<p class="hint">From the request <a href="${page.consoleUrl}journal/${from}/">${from}</a>.</p>`;
  const controls = fields.map((field) => renderFormField(form, field));
  const ofForm = errorsOf(form).map((error) => html`<p>${error}</p>`);
  const needsUser = page.visitor?.username === undefined && !page.admitsAnonymous('POST');
  return html`<details class="block" ${(form.errors ?? from) !== undefined && html`open`}>
    <summary>
      ${operations.map(({ method, summary }) => html`<span class="method">${method}</span> ${summary} `)}
    </summary>
    <form class="send" novalidate action="${action}" autocomplete="off" autocapitalize="off" spellcheck="false">
      ${start} ${description !== undefined && html`<p class="hint">${description}</p>`}
      ${ofForm.length > 0 && html`<div class="of-form wrong" tabindex="-1">${ofForm}</div>`}
      <div class="columns">
        ${fields.length > 0 && html`<div class="fields">${controls}</div>`}
        <div class="as-text stack">
          ${requests.length > 1 ? renderTabs('The request', sendings) : sendings.map(([, content]) => content)}
          ${fields.length > 0 && html`<button type="reset">Start again</button>`}
        </div>
      </div>
      ${needsUser && html`<p class="hint">To send this, choose a user in the header of the page.</p>`}
      <p class="outcome wrong" role="alert"></p>
    </form>
  </details>`;
}

function renderSending(page: BrowsablePage, { operation, body }: Form['requests'][number], action: string) {
  const { method } = operation;
  const isDeletion = method === 'DELETE';
  const request = page.withToken({ method, url: action, body });
  // Before a deletion, the page keeps the content for an undo.
  const keep = isDeletion && page.visitor?.isAdmitted && html`data-before="${page.consoleUrl}undo/keep/"`;
  const field =
    body !== undefined &&
    renderField({
      id: `${method.toLowerCase()}-body`,
      label: html`JSON body of ${method}`,
      control: renderTextarea(body, html`class="json" rows="${body.split('\n').length + 1}"`),
    });
  return html`<div class="one-request">
    ${field}
    <p class="actions">
      <button class="primary ${isDeletion && 'danger'}" data-method="${method}" ${keep}>Send ${method}</button>
    </p>
    <details>
      <summary>Code</summary>
      ${renderRequest(request, `Send ${method} by curl`)}
    </details>
  </div>`;
}

/** The control depends on the metadata. An object's fields are folded unless one has an error. */
function renderFormField(form: Form, field: FormField): Html {
  const { name, metadata, value, isRequired, isNullable, refusals, fields } = field;
  const hasError = (one: FormField) => errorsOf(form, one).length > 0;
  if (fields !== undefined)
    return html`<details class="group" ${fields.some(hasError) && html`open`}>
      <summary><code>${name}</code> <span class="tiny">${fields.length} fields</span></summary>
      ${fields.map((each) => renderFormField(form, each))}
    </details>`;
  const { type, label = name } = metadata;
  const options = listOptions(field);
  const isSame = label.replaceAll('_', ' ').toLowerCase() === name.replaceAll('_', ' ').toLowerCase();
  const canBeEmpty = isNullable && options === undefined;
  const hint = [
    ...sayLimits(metadata),
    ...(metadata.choices ? refusals : []),
    ...(canBeEmpty ? ['Empty means null.'] : []),
  ];
  const isCheckbox = type === 'boolean' && options === undefined;
  return renderField({
    id: `${form.id}-${name}`,
    label: html`<code>${name}</code> ${!isSame && html`<span class="tiny">${label}</span>`}
      ${isRequired && form.required && html`<em class="tiny">${form.required}</em>`}`,
    hint: hint.length > 0 ? hint.join(' ') : undefined,
    errors: errorsOf(form, field),
    isCheckbox,
    control: (described) => {
      const attributes = html`${described} data-key="${name}" ${isNullable && html`data-null="true"`}`;
      if (options !== undefined) return renderSelect(options)(attributes);
      if (isCheckbox) return html`<input type="checkbox" ${attributes} ${value === true && html`checked`} />`;
      return renderInput(field, attributes);
    },
  });
}

const sayLimits = ({ type, help_text: help = '', max_length: most, min_value, max_value, choices }: FieldMetadata) =>
  [
    // The names of choices say enough.
    choices === undefined && help.replace(/[^.!?]$/, '$&.'),
    most !== undefined && `At most ${most} ${type === 'list' ? 'entries' : 'characters'}.`,
    min_value !== undefined && `From ${min_value} to ${max_value}.`,
    type === 'datetime' && 'Such as 2030-01-31T12:00:00Z.',
  ].filter(Boolean);

/** Options with JSON texts as values; undefined if the field needs no select. */
function listOptions({ metadata: { type, choices = [] }, value, isNullable, notes }: FormField) {
  // A checkbox would show a missing boolean as false.
  const isUnknown = type === 'boolean' && typeof value !== 'boolean';
  if (choices.length === 0 && !isUnknown) return undefined;
  const chosen = JSON.stringify(value) as string | undefined;
  const options = new Map<string, string>();
  if (chosen === undefined) options.set('', 'not sent');
  if (isNullable) options.set('null', 'null');
  if (isUnknown) options.set('true', 'true').set('false', 'false');
  for (const { value: choice, display_name: name } of choices) {
    const label = name === String(choice) ? name : `${name} (${choice})`;
    const text = [label, notes.get(choice)].filter(Boolean).join(', ');
    options.set(JSON.stringify(choice), text);
  }
  // A sent value is offered even if it is no choice.
  if (chosen !== undefined && !options.has(chosen)) options.set(chosen, chosen);
  return [...options].map(([json, text]) => renderOption(json, text, chosen ?? ''));
}

const texts = new Set(['string', 'choice', 'datetime', 'field', 'slug', 'url']);

function renderInput({ metadata: { type }, value = '' }: FormField, attributes: Html) {
  const isNumber = type === 'integer';
  if (!isNumber && (!texts.has(type) || (typeof value === 'object' && value !== null)))
    return renderTextarea(value === '' ? '' : jsonText(value), html`data-kind="json" rows="3"`)(attributes);
  const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return html`<input
    ${attributes}
    ${isNumber && html`data-kind="number" inputmode="numeric"`}
    value="${exact(text)}"
  />`;
}
