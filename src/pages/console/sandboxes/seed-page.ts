// The form that edits or replaces a sandbox's content as a seed. The answer shows what the seed changes, or
// its errors.
import { isUtf8 } from 'node:buffer';
import { errorLine, validationError } from '../../../base/errors.ts';
import { html, type Html } from '../../html.ts';
import { renderTextarea } from '../../parts.ts';
import { describeSummary, hasChanges, type SeedSummary } from '../../../seeds/load/apply.ts';
import type { SandboxDetail } from '../../../sandboxes/sandbox-schemas.ts';
import { type Handle, type Page, renderOwnField, type Visit, ask, operate } from '../console-page.ts';
import { renderUndo, undoHint } from './state-page.ts';

/** The seed's text, or ''. A file has priority: the text in the form may come from a former file. */
export function textOf({ form: { seed = '' }, files: { seed_file: file } }: Visit) {
  if (file !== undefined && isUtf8(file)) return file.toString();
  return seed.trim() && seed;
}

/** The same text as textOf. @throws ApiError 400 for a file that isn't UTF-8 */
export function readSeed(visit: Visit) {
  const { seed_file: file = Buffer.of() } = visit.files;
  if (!isUtf8(file)) throw validationError([errorLine('seed', 'invalid', 'The file is no text in UTF-8.')]);
  return textOf(visit);
}

export const renderSeedFields = (visit: Visit, text: string) =>
  html`${renderOwnField(visit, {
    id: 'seed',
    label: 'Seed, as YAML or JSON',
    control: renderTextarea(text, html`rows="20" placeholder="${example}"`),
  })}
  ${renderOwnField(visit, {
    id: 'seed_file',
    label: 'or a file',
    hint: 'It replaces the text above.',
    control: (attributes) => html`<input ${attributes} type="file" accept=".yaml,.yml,.json,application/json" />`,
  })}`;

const example =
  'users:\n  - username: alice\n    subscriptions:\n      - { notification: LockNotification, scope: watched }';

/** @param note above the form: what a check found, or why the form has no text */
async function seedPage(visit: Visit, text: string, note?: Html): Promise<Page> {
  const { start, url } = visit;
  const state = await ask<SandboxDetail>('sandboxes_read', visit);
  return {
    title: 'Load a seed',
    tab: 'overview',
    notice: note,
    main: html`<h2>Load a seed</h2>
      <p>
        The sandbox then holds exactly what the seed says, and a reset leads back to it. Users without a token in the
        seed keep their tokens; users who aren’t in the seed lose theirs. The sandbox’s snapshots, faults and journal
        stay. ${undoHint(state)}
      </p>
      <p><a href="${start}docs/#/Sandboxes/sandboxes_seed_put">The keys of a seed, and what each takes</a></p>
      <form method="post" action="${url}seed/" enctype="multipart/form-data">
        ${renderSeedFields(visit, text)}
        <p class="actions row">
          <button name="check" value="yes">Check</button> <button class="primary">Load the seed</button>
          <a href="${url}">Cancel</a>
        </p>
      </form>`,
  };
}

// Longer texts can't be edited on the page.
const maxOpened = 256 * 1024;

export const showSeed: Handle = async (visit) => {
  const { content = '' } = await operate('sandboxes_seed_read', visit);
  let text = '';
  for await (const piece of content) {
    text += piece;
    if (text.length > maxOpened) {
      const note = html`<p>
        The content is too long for this form.
        <a href="${visit.url}export/" download>Download it</a>, edit the file, and load it here.
      </p>`;
      return seedPage(visit, '', note);
    }
  }
  return seedPage(visit, text);
};

export const loadSeed: Handle = async (visit) => {
  const { url, form } = visit;
  const check = form['check'] !== undefined;
  const text = readSeed(visit);
  if (text === '') throw validationError([errorLine('seed', 'required', 'Paste a seed, or choose a file.')]);
  const query = { check: String(check), keep_tokens: 'true', undo: 'true' };
  const changes = renderChanges(await ask<SeedSummary>('sandboxes_seed_put', visit, { query, body: text }));
  if (check) {
    const note = html`<p>The seed has no errors. Loading it would change:</p>
      ${changes}`;
    return seedPage(visit, text, note);
  }
  const state = await ask<SandboxDetail>('sandboxes_read', visit);
  return {
    title: 'Seed loaded',
    tab: 'overview',
    notice: html`<p>The seed was loaded.</p>
      ${renderUndo(url, state)}`,
    main: html`<h2>What changed</h2>
      ${changes}`,
  };
};

export const download: Handle = async (visit) => {
  const { sandbox, query } = visit;
  const { format = 'yaml' } = query;
  const { content = '' } = await operate('sandboxes_seed_read', visit, { query: { format } });
  return {
    content,
    headers: {
      'content-type': `application/${format}; charset=utf-8`,
      'content-disposition': `attachment; filename="${sandbox}.${format}"`,
      'x-content-type-options': 'nosniff',
    },
  };
};

export const rejectedSeed: Handle = (visit) => seedPage(visit, textOf(visit));

function renderChanges(summary: SeedSummary) {
  const { ended_for: losers = [] } = summary.tokens;
  const named = losers.slice(0, maxNamed).join(', ');
  const more = losers.length > maxNamed && ` and ${losers.length - maxNamed} more`;
  return html`<ul class="plain">
    ${!hasChanges(summary) && html`<li>nothing: the sandbox held exactly that before</li>`}
    ${describeSummary(summary).map((line) => html`<li>${line}</li>`)}
    ${named !== '' && html`<li>Users who lose a token: ${named}${more}</li>`}
  </ul>`;
}

const maxNamed = 20;
