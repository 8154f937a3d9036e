// The fields of the console's forms: label, hint, and what is wrong with the value, where the form is shown again.
import { ApiError, type ErrorLine } from '../../base/errors.ts';
import { html, type Html } from '../html.ts';

interface Field {
  /** Of the field in the form, and its id: each stands once on a page. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string | Html | undefined;
  readonly faults?: readonly (string | Html)[];
  /** Its attributes belong into the input, select or textarea. */
  readonly control: (attributes: Html) => Html;
}

export function renderField({ name, label, hint, faults = [], control }: Field): Html {
  const [hintId, faultId] = [`${name}-hint`, `${name}-fault`];
  const described = [...(faults.length > 0 ? [faultId] : []), ...(hint === undefined ? [] : [hintId])].join(' ');
  const attributes = html`id="${name}" name="${name}"
  ${described === '' ? undefined : html`aria-describedby="${described}"`}
  ${faults.length > 0 ? html`aria-invalid="true"` : undefined}`;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${control(attributes)}
    ${faults.length === 0 ? undefined : html`<div class="wrong" id="${faultId}">${faults.map((fault) => html`<div>${fault}</div>`)}</div>`}
    ${hint === undefined ? undefined : html`<p class="hint" id="${hintId}">${hint}</p>`}
  </div>`;
}

export type Fact = readonly [name: string, value: Html | string | null];

/** Those that aren't null. */
export const renderFactList = (facts: readonly Fact[]): Html =>
  html`<dl class="facts">
    ${facts.map(([name, value]) =>
      value === null
        ? undefined
        : html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
    )}
  </dl>`;

/** The input of a name: nothing completes, corrects or capitalises it. */
export const renderNameInput = (attributes: Html, most: number, value = ''): Html =>
  html`<input
    ${attributes}
    value="${value}"
    maxlength="${most}"
    autocomplete="off"
    autocapitalize="off"
    spellcheck="false"
  />`;

/** Something that a form's value broke. Throws any other error again. */
export function getFaults(error: unknown): { readonly status: number; readonly lines: readonly ErrorLine[] } {
  if (error instanceof ApiError && error.status < 500) return error;
  throw error;
}

/** What is wrong with one field. */
export const faultsAt = (lines: readonly ErrorLine[], attr: string | null): string[] =>
  lines.filter((line) => line.attr === attr).map(({ detail }) => detail);
