// A field of a form, by its kind. It has no name, so that only the JSON body is sent.
import { html, type Html, type Piece } from '../html.ts';
import { jsonText } from '../json.ts';
import type { FormField } from './page-contents.ts';

/** @param isFirstFault the focus goes there */
export function renderField(field: FormField, form: string, isFirstFault: boolean): Html {
  const { name, label = '', isRequired, help_text: help, faults } = field;
  const id = `${form}-${name}`;
  const described = [
    ...faults.map((_, place) => `${id}-fault-${place}`),
    ...(help === undefined && !field.isNullable ? [] : [`${id}-help`]),
  ];
  const attributes = html`id="${id}" data-key="${name}"
  ${described.length === 0 ? undefined : html` aria-describedby="${described.join(' ')}"`}${
    faults.length === 0 ? undefined : html` aria-invalid="true"`
  }${isFirstFault ? html` autofocus` : undefined}${isRequired && field.kind !== 'checkbox' ? html` required` : undefined}`;
  const title = html`<label for="${id}"
    ><code>${name}</code> ${isSame(label, name) ? undefined : html`<span class="says">${label}</span>`}
    ${isRequired ? html`<span class="must">required</span>` : undefined}</label
  >`;
  const control = renderControl(field, attributes);
  return html`<div class="${field.kind === 'checkbox' ? 'field checkbox' : 'field'}">
    ${field.kind === 'checkbox' ? [control, title] : [title, control]}
    ${faults.map((fault, place) => html`<p class="fault wrong" id="${id}-fault-${place}">${fault}</p>`)}
    ${renderHelp(field, id)}
  </div>`;
}

function renderHelp({ help_text: help, isNullable, kind }: FormField, id: string): Html | undefined {
  const lines = [help, isNullable && kind !== 'choice' ? 'Empty means null.' : undefined].filter(Boolean);
  return lines.length === 0 ? undefined : html`<p class="help" id="${id}-help">${lines.join(' ')}</p>`;
}

const isSame = (label: string, name: string): boolean =>
  label === '' || label.toLowerCase() === name.replaceAll('_', ' ').toLowerCase();

function renderControl(field: FormField, attributes: Html): Html {
  const { kind, value, isNullable } = field;
  const kept = html`${attributes}${isNullable ? html` data-null="true"` : undefined}`;
  if (kind === 'choice')
    return html`<select ${kept}>
      ${renderOptions(field)}
    </select>`;
  if (kind === 'checkbox') return html`<input type="checkbox" ${kept}${value === true ? html` checked` : undefined} />`;
  if (kind === 'json') {
    // Browsers drop the first line break.
    const json = ['\n', value === undefined ? '' : jsonText(value)];
    return html`<textarea ${kept} data-kind="json" rows="3">${json}</textarea>`;
  }
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return html`<input
    type="text"
    ${kept}${kind === 'number' ? html` data-kind="number" inputmode="numeric"` : undefined}
    value="${text}"
    autocomplete="off"
    spellcheck="false"
  />`;
}

/** The values are JSON texts. One that is no choice is there too, if it was sent. */
function renderOptions({ choices = [], value, isNullable }: FormField): Piece {
  const known = choices.map((choice) => ({ json: JSON.stringify(choice.value), text: nameOf(choice) }));
  if (isNullable) known.unshift({ json: 'null', text: 'null' });
  const chosen = value === undefined ? undefined : JSON.stringify(value);
  if (chosen !== undefined && !known.some(({ json }) => json === chosen)) known.push({ json: chosen, text: chosen });
  return [
    chosen === undefined ? html`<option value="" selected>not sent</option>` : undefined,
    known.map(({ json, text }) =>
      json === chosen
        ? html`<option value="${json}" selected>${text}</option>`
        : html`<option value="${json}">${text}</option>`,
    ),
  ];
}

const nameOf = ({ value, display_name: name }: { value: unknown; display_name: string }): string =>
  name === String(value) ? name : `${name} (${String(value)})`;
