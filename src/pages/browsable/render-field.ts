// A field of a form: its control by what OPTIONS says of the field, and the words around it.
import { exact, html, type Html } from '../html.ts';
import { jsonText } from '../json.ts';
import { renderField, renderOption, renderTextarea } from '../parts.ts';
import type { FieldMetadata } from '../../http/options.ts';
import { faultsOf } from './describe/describe-forms.ts';
import type { Form, FormField } from './page-contents.ts';

/** @param isFirstFault whether it gets the focus */
export function renderFormField(form: Form, field: FormField, isFirstFault: boolean): Html {
  const { name, metadata, value, isRequired, isNullable } = field;
  const { type, label = name } = metadata;
  const options = listOptions(field);
  const isSame = label.replaceAll('_', ' ').toLowerCase() === name.replaceAll('_', ' ').toLowerCase();
  const hint = [...sayLimits(metadata), ...(isNullable && options === undefined ? ['Empty means null.'] : [])];
  const isCheckbox = type === 'boolean' && options === undefined;
  return renderField({
    id: `${form.id}-${name}`,
    label: html`<code>${name}</code> ${!isSame && html`<span class="tiny">${label}</span>`}
      ${isRequired && form.required && html`<em class="tiny">${form.required}</em>`}`,
    hint: hint.length > 0 ? hint.join(' ') : undefined,
    faults: faultsOf(form, field),
    isCheckbox,
    control: (described) => {
      const attributes = html`${described} data-key="${name}" ${isFirstFault && html`autofocus`}
      ${isNullable && html`data-null="true"`}`;
      if (options !== undefined)
        return html`<select ${attributes}>
          ${options}
        </select>`;
      if (isCheckbox) return html`<input type="checkbox" ${attributes} ${value === true && html`checked`} />`;
      return renderInput(field, attributes);
    },
  });
}

const sayLimits = ({ type, help_text: help = '', max_length: most, min_value, max_value, choices }: FieldMetadata) =>
  [
    // The names of choices say it.
    choices === undefined && help.replace(/[^.!?]$/, '$&.'),
    most !== undefined && `At most ${most} ${type === 'list' ? 'entries' : 'characters'}.`,
    min_value !== undefined && `From ${min_value} to ${max_value}.`,
    type === 'datetime' && 'Such as 2030-01-31T12:00:00Z.',
  ].filter(Boolean);

/** The values are JSON texts. Undefined for a field without choices: none are known where they depend on the user. */
function listOptions({ metadata: { type, choices = [] }, value, isNullable }: FormField): Html[] | undefined {
  // A checkbox would show a boolean that isn't known as false.
  const isUnknown = type === 'boolean' && typeof value !== 'boolean';
  if (choices.length === 0 && !isUnknown) return undefined;
  const chosen = JSON.stringify(value) as string | undefined;
  const options = new Map<string, string>();
  if (chosen === undefined) options.set('', 'not sent');
  if (isNullable) options.set('null', 'null');
  if (isUnknown) options.set('true', 'true').set('false', 'false');
  for (const { value: choice, display_name: name } of choices)
    options.set(JSON.stringify(choice), name === String(choice) ? name : `${name} (${choice})`);
  // One that is no choice is there too, if it was sent.
  if (chosen !== undefined && !options.has(chosen)) options.set(chosen, chosen);
  return [...options].map(([json, text]) => renderOption(json, text, chosen ?? ''));
}

const texts = new Set(['string', 'choice', 'datetime', 'field', 'slug', 'url']);

function renderInput({ metadata: { type }, value = '' }: FormField, attributes: Html): Html {
  const isNumber = type === 'integer';
  if (!isNumber && (!texts.has(type) || (typeof value === 'object' && value !== null)))
    return renderTextarea(html`${attributes} data-kind="json" rows="3"`, value === '' ? '' : jsonText(value));
  const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return html`<input
    ${attributes}
    ${isNumber && html`data-kind="number" inputmode="numeric"`}
    value="${exact(text)}"
  />`;
}
