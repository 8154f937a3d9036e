// A sandbox's content as a seed, to edit, or another one, pasted or of a file: what loading it would change, or did, or its
// errors, each with its line.
import { TextDecoder } from 'node:util';
import { apiError, validationError } from '../../../base/errors.ts';
import { html, type Html } from '../../html.ts';
import { renderFacts, renderField, renderSection, renderTextarea } from '../../parts.ts';
import { SeedError } from '../../../seeds/format/seed-errors.ts';
import { seedSchema } from '../../../seeds/format/seed-schema.ts';
import type { SeedSummary } from '../../../seeds/load/apply.ts';
import { describeSummary, hasChanges } from '../../../seeds/load/summary.ts';
import { donePage, sandboxUrl, startOf } from '../console-frame.ts';
import type { ConsoleServices, Page, Visit } from '../console-page.ts';
import { faultsAt, getFaults } from '../read-form.ts';
import { maxUndoRows } from '../../../sandboxes/sandboxes.ts';
import { renderUndo, undoHint } from './overview-page.ts';
import { findState } from './queries.ts';

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
    control: (attributes) => renderTextarea(html`${attributes} name="seed" rows="20" placeholder="${example}"`, text),
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
  if (!(error instanceof SeedError)) return undefined;
  const { errors, more } = error;
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

interface SeedForm {
  readonly text?: string;
  readonly status?: number;
  readonly faults?: readonly (string | Html)[];
  /** Above the form: what was found out, or why there is no text. */
  readonly note?: Html | undefined;
}

async function seedPage(
  { origin, sandbox }: Visit,
  { database }: ConsoleServices,
  { text = '', status = 200, faults = [], note }: SeedForm,
): Promise<Page> {
  const url = sandboxUrl(origin, sandbox);
  const [state] = await findState(database.reads, { name: sandbox, most: maxUndoRows });
  if (state === undefined) throw apiError('sandbox_not_found', sandbox);
  return {
    status,
    title: 'Load a seed',
    of: { sandbox, tab: 'overview' },
    notice: note,
    main: html`<h2>Load a seed</h2>
      <p>
        The sandbox then holds exactly what the seed says, and a reset leads back to it. Users whom it gives no token
        keep theirs; the tokens of users whom it leaves out end. The sandbox’s snapshots, faults and journal stay.
        ${undoHint(state)}
      </p>
      <div class="columns">
        <form method="post" action="${url}seed/" enctype="multipart/form-data">
          ${renderSeedFields(text, faults)}
          <p class="actions row">
            <button name="check" value="yes">Check</button> <button class="primary">Load the seed</button>
            <a href="${url}">Cancel</a>
          </p>
        </form>
        <div>${renderKeys(origin)}</div>
      </div>`,
  };
}

interface Described {
  readonly properties?: object;
  readonly items?: Described;
  readonly description?: string;
}

const renderKeys = (origin: string): Html =>
  renderSection(
    'keys',
    'Keys of a seed',
    renderFacts(
      Object.entries<Described>(seedSchema.properties).map(([key, { items, properties, description }]) => [
        key,
        Object.keys(items?.properties ?? properties ?? {}).join(', ') || (description ?? ''),
      ]),
    ),
    html`<p><a href="${startOf(origin)}docs/#/Sandboxes/sandboxes_seed_put">What each key takes</a></p>`,
  );

// Longer texts are no longer edited in a browser.
const maxOpened = 256 * 1024;

export async function showSeed(visit: Visit, services: ConsoleServices): Promise<Page> {
  const { origin, sandbox } = visit;
  let text = '';
  for await (const piece of await services.exportSeed(sandbox, 'yaml')) {
    text += piece;
    if (text.length > maxOpened)
      return seedPage(visit, services, { note: tooLong(`${sandboxUrl(origin, sandbox)}export/`) });
  }
  return seedPage(visit, services, { text });
}

const tooLong = (url: string): Html =>
  html`<p>
    The content is too long for this form. <a href="${url}" download>Download it</a>, edit the file, and load it here.
  </p>`;

export async function loadSeed(visit: Visit, services: ConsoleServices): Promise<Page> {
  const { origin, sandbox, form } = visit;
  const isTrial = form['check'] !== undefined;
  let text = form['seed'] ?? '';
  try {
    text = readSeed(visit);
    if (text === '')
      return seedPage(visit, services, { text, status: 400, faults: ['Paste a seed, or choose a file.'] });
    const { summary, losers } = await services.sandboxesAt(origin).loadCarefully(sandbox, text, isTrial);
    const changes = renderChanges(summary, losers);
    if (isTrial)
      return seedPage(visit, services, {
        text,
        note: html`<p>The seed has no errors. Loading it would change:</p>
          ${changes}`,
      });
    const [state] = await findState(services.database.reads, { name: sandbox, most: 0 });
    return donePage(origin, sandbox, {
      title: 'Seed loaded',
      notice: html`<p>The seed was loaded.</p>
        ${state?.kept ? renderUndo(sandboxUrl(origin, sandbox)) : ''}`,
      main: html`<h2>What changed</h2>
        ${changes}`,
    });
  } catch (error) {
    const { status, lines } = getFaults(error);
    if (status === 404) throw error;
    const bySeed = describeSeedErrors(error, text);
    return seedPage(visit, services, { text, status, faults: bySeed ? [bySeed] : faultsAt(lines, 'seed') });
  }
}

const renderChanges = (summary: SeedSummary, losers: readonly string[]): Html =>
  html`<ul class="plain">
    ${!hasChanges(summary) && html`<li>nothing: the sandbox held exactly that before</li>`}
    ${describeSummary(summary).map((line) => html`<li>${line}</li>`)}
    ${losers.length > 0 && html`<li>Tokens end of: ${losers.slice(0, maxNamed).join(', ')}${losers.length > maxNamed && ` and ${losers.length - maxNamed} more`}</li>`}
  </ul>`;

const maxNamed = 20;
