// The form of one fault rule, and what is wrong with what it sends.
import { checkValue } from '../../../api/body/check-value.ts';
import type { ErrorLine } from '../../../errors.ts';
import { html, type Html } from '../../../pages/html.ts';
import { type FaultRule, FaultRules } from '../../../traffic/fault-rules.ts';
import { faultsAt, getFaults, renderField } from '../../fields.ts';
import type { Texts } from './fault-fields.ts';

interface Checked {
  readonly rule: FaultRule;
  /** In the API's words; `attr` is the field, or null for the whole rule. */
  readonly faults: readonly ErrorLine[];
}

/** @param others the rules that it will stand with */
export function checkRule(given: unknown, others: readonly FaultRule[]): Checked {
  try {
    const [rule = {}] = checkValue(FaultRules, { rules: [given, ...others] }).rules;
    return { rule, faults: [] };
  } catch (error) {
    const { lines } = getFaults(error);
    return { rule: {}, faults: lines.map((line) => ({ ...line, attr: fieldOf(line.attr ?? '') })) };
  }
}

/** `status` of `rules[0].status`; null for the rule as a whole. */
const fieldOf = (attr: string): string | null => /^rules\[0\]\.(\w+)/.exec(attr)?.[1] ?? null;

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly example?: string;
  readonly choices?: readonly (readonly [string, string])[];
  readonly isLong?: boolean;
  /** The rule's key, where it isn't the name: two fields make a range. */
  readonly attr?: string;
}

const groups: readonly (readonly [string, readonly Field[]])[] = [
  [
    'Which requests',
    [
      { name: 'method', label: 'Method', example: 'POST', hint: 'Blank for any.' },
      {
        name: 'path',
        label: 'Path',
        example: '/api/users/**',
        hint: '* stands for one part, ** for any; blank for any path.',
      },
      { name: 'user', label: 'User', example: 'alice', hint: 'Whose token the request carries; blank for anybody.' },
      { name: 'next', label: 'How many of them', hint: 'The next so many; blank for all.' },
    ],
  ],
  [
    'What happens to them',
    [
      { name: 'delay_min', label: 'Delay, milliseconds', attr: 'delay_ms' },
      {
        name: 'delay_max',
        label: 'up to, milliseconds',
        hint: 'Blank for a delay that is always the same.',
        attr: 'delay_ms',
      },
      { name: 'status', label: 'Status', example: '429', hint: 'Of an answer in place of the normal one.' },
      {
        name: 'connection',
        label: 'Connection',
        choices: [
          ['', 'stays'],
          ['close', 'closed without an answer'],
          ['cut', 'cut in the middle of the answer'],
        ],
      },
      { name: 'headers', label: 'Headers of the answer', example: 'Retry-After: 5', isLong: true },
      { name: 'body', label: 'Body of the answer', hint: 'JSON, or a text that is sent as it is.', isLong: true },
    ],
  ],
  [
    'The rule',
    [
      { name: 'name', label: 'Name', hint: 'Shown in X-Understudy-Fault and in the journal; blank for a number.' },
      { name: 'expires_in_seconds', label: 'Ends after, seconds', example: '300' },
    ],
  ],
];

// HTML drops a line break at the beginning.
export const renderTextarea = (attributes: Html, text: string): Html =>
  html`<textarea ${attributes}>${'\n'}${text}</textarea>`;

/** Without the form's element and its buttons. */
export function renderFields(texts: Texts, faults: readonly ErrorLine[]): Html {
  const named = new Set<string | null>();
  const fields = groups.map(
    ([legend, members]) =>
      html`<fieldset>
        <legend>${legend}</legend>
        <div class="fields">
          ${members.map((field) => {
            const attr = field.attr ?? field.name;
            // Of a range, the first field has the fault.
            const own = named.has(attr) ? [] : faultsAt(faults, attr);
            named.add(attr);
            return renderOne(field, texts[field.name] ?? '', own);
          })}
        </div>
      </fieldset>`,
  );
  const others = faults.filter(({ attr }) => !named.has(attr));
  return html`${others.map(({ attr, detail }) => html`<p class="wrong" role="alert">${attr === null ? undefined : html`<code>${attr}</code>: `}${detail}</p>`)}${fields}`;
}

function renderOne({ name, label, hint, example, choices, isLong }: Field, value: string, faults: string[]): Html {
  const control = (attributes: Html): Html => {
    if (choices !== undefined)
      return html`<select ${attributes}>
        ${choices.map(([key, text]) => html`<option value="${key}" ${key === value ? html`selected` : undefined}>${text}</option>`)}
      </select>`;
    const all = html`${attributes} placeholder="${example}" autocapitalize="none" autocomplete="off" spellcheck="false"`;
    return isLong === true ? renderTextarea(html`rows="4" ${all}`, value) : html`<input value="${value}" ${all} />`;
  };
  return renderField({ name, label, hint, faults, control });
}
