// Loads a seed, pasted or of a file, into a sandbox, and shows what that changed, or its errors, each with its line.
import { TextDecoder } from 'node:util';
import { validationError } from '../../../base/errors.ts';
import { html, type Html } from '../../html.ts';
import { renderField, renderTextarea } from '../../parts.ts';
import { SeedRefused } from '../../../sandboxes/sandbox-requests.ts';
import { describeSummary, hasChanges } from '../../../seeds/load/summary.ts';
import { donePage, sandboxUrl } from '../console-frame.ts';
import type { ConsoleServices, Page, Visit } from '../console-page.ts';
import { faultsAt, getFaults } from '../read-form.ts';

/**
 * The seed's text; empty without one. A file precedes the text, which may be that of the former file.
 * @throws ApiError 400 for a file that isn't UTF-8
 */
export function readSeed({ form, files }: Pick<Visit, 'form' | 'files'>): string {
  const { seed = '' } = form;
  const file = files['seed_file'];
  if (file === undefined) return seed.trim() && seed;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw validationError([{ code: 'invalid', detail: 'The file is no text in UTF-8.', attr: 'seed' }]);
  }
}

export const renderSeedFields = (text: string, faults: readonly (string | Html)[] = []): Html =>
  html`${renderField({
    id: 'seed',
    label: 'Seed, as YAML or JSON',
    faults,
    control: (attributes) => renderTextarea(html`${attributes} name="seed" rows="14" placeholder="${example}"`, text),
  })}
  ${renderField({
    id: 'seed_file',
    label: 'or a file',
    hint: 'It counts instead of the text above.',
    control: (attributes) =>
      html`<input ${attributes} name="seed_file" type="file" accept=".yaml,.yml,.json,application/json" />`,
  })}`;

const example =
  'users:\n  - username: alice\n    subscriptions:\n      - { notification: LockNotification, scope: watched }';

/** What is wrong with the seed of a form, place by place; undefined for another error. */
export function describeSeedErrors(error: unknown, text: string): Html | undefined {
  if (!(error instanceof SeedRefused)) return undefined;
  const { errors, more } = error.seedErrors;
  const lines = text.split('\n');
  const count = errors.length + more;
  return html`<p>The seed has ${count === 1 ? 'an error' : `${count} errors`}. Nothing was changed.</p>
    <ol class="seed-errors">
      ${errors.map(
        ({ line, column, path, message }) =>
          html`<li>
            line ${line}, column ${column}: ${path !== '' && html`<code>${path}</code> `}${message}
            ${lines[line - 1]?.trim() && html`<code class="excerpt hint">${lines[line - 1]?.trim().slice(0, 160)}</code>`}
          </li>`,
      )}
    </ol>
    ${more > 0 && html`<p>and ${more} more</p>`}`;
}

function seedPage({ origin, sandbox }: Visit, text = '', status = 200, faults: readonly (string | Html)[] = []): Page {
  const url = sandboxUrl(origin, sandbox);
  return {
    status,
    title: 'Load a seed',
    of: { sandbox, tab: 'overview' },
    main: html`<h2>Load a seed</h2>
      <p>
        The sandbox then holds exactly what the seed says, and a reset leads back to it. Its own tokens, snapshots,
        faults and journal stay. To change what it holds now,
        <a href="${url}export/?format=yaml" download>export</a> it, edit the file, and load it here.
      </p>
      <form method="post" action="${url}seed/" enctype="multipart/form-data">
        ${renderSeedFields(text, faults)}
        <p class="actions row"><button class="primary">Load the seed</button> <a href="${url}">Cancel</a></p>
      </form>`,
  };
}

export async function showSeed(visit: Visit, { sandboxesAt }: ConsoleServices): Promise<Page> {
  await sandboxesAt(visit.origin).get(visit.sandbox);
  return seedPage(visit);
}

export async function loadSeed(visit: Visit, { sandboxesAt }: ConsoleServices): Promise<Page> {
  const { origin, sandbox, form } = visit;
  let text = form['seed'] ?? '';
  try {
    text = readSeed(visit);
    if (text === '') return seedPage(visit, text, 400, ['Paste a seed, or choose a file.']);
    const summary = await sandboxesAt(origin).putSeed(sandbox, text);
    return donePage(origin, sandbox, {
      title: 'Seed loaded',
      notice: `The seed was loaded.${hasChanges(summary) ? '' : ' The sandbox held exactly that before.'}`,
      main: html`<h2>What changed</h2>
        <ul class="plain">
          ${describeSummary(summary).map((line) => html`<li>${line}</li>`)}
        </ul>`,
    });
  } catch (error) {
    const { status, lines } = getFaults(error);
    if (status === 404) throw error;
    const bySeed = describeSeedErrors(error, text);
    return seedPage(visit, text, status, bySeed ? [bySeed] : faultsAt(lines, 'seed'));
  }
}
