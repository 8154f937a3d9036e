// A seed in a form: pasted, or a file; and its faults, each with the line that it stands in.
import { TextDecoder } from 'node:util';
import { validationError } from '../../../base/errors.ts';
import { html, type Html } from '../../html.ts';
import { SeedRefused } from '../../../sandboxes/sandbox-requests.ts';
import type { Visit } from '../console-page.ts';
import { renderField } from '../fields.ts';

/**
 * The seed's text; empty without one. A file counts more than the text, which may be that of the file before.
 * @throws ApiError 400 for a file that isn't UTF-8
 */
export function readSeed({ form, files }: Pick<Visit, 'form' | 'files'>): string {
  const file = files['seed_file'];
  if (file === undefined) return (form['seed'] ?? '').trim() === '' ? '' : (form['seed'] ?? '');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw validationError([{ code: 'invalid', detail: 'The file is no text in UTF-8.', attr: 'seed' }]);
  }
}

interface SeedFields {
  readonly text: string;
  readonly faults?: readonly (string | Html)[];
}

export const renderSeedFields = ({ text, faults = [] }: SeedFields): Html =>
  html`${renderField({
    name: 'seed',
    label: 'Seed, as YAML or JSON',
    faults,
    // The parser of HTML drops a line break that begins the text.
    control: (attributes) =>
      html`<textarea ${attributes} rows="14" spellcheck="false" autocapitalize="off" placeholder="${example}">
${text}</textarea>`,
  })}
  ${renderField({
    name: 'seed_file',
    label: 'or a file',
    hint: 'It counts instead of the text above.',
    control: (attributes) => html`<input ${attributes} type="file" accept=".yaml,.yml,.json,application/json" />`,
  })}`;

const example =
  'users:\n  - username: alice\n    subscriptions:\n      - { notification: LockNotification, scope: watched }';

/** What is wrong with the seed of a form, place by place; undefined for another error. */
export function describeSeedFaults(error: unknown, text: string): Html | undefined {
  if (!(error instanceof SeedRefused)) return undefined;
  const { faults, more } = error.found;
  const lines = text.split('\n');
  const count = faults.length + more;
  return html`<p>The seed has ${count === 1 ? 'a fault' : `${count} faults`}. Nothing was changed.</p>
    <ol class="seed-faults">
      ${faults.map(
        ({ line, column, path, message }) =>
          html`<li>
            line ${line}, column ${column}: ${path === '' ? undefined : html`<code>${path}</code> `}${message}
            ${renderExcerpt(lines[line - 1] ?? '')}
          </li>`,
      )}
    </ol>
    ${more > 0 ? html`<p>and ${more} more</p>` : undefined}`;
}

const longestExcerpt = 160;

const renderExcerpt = (line: string): Html | undefined =>
  line.trim() === '' ? undefined : html`<code class="excerpt">${line.trim().slice(0, longestExcerpt)}</code>`;
