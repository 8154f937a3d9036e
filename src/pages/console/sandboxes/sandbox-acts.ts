// What a sandbox's page does by its forms: reset, undo, snapshots, tokens, delete; and the export of its content.
import { apiError, validationError } from '../../../base/errors.ts';
import { html } from '../../html.ts';
import { renderTokens } from '../../parts.ts';
import type { Sandboxes } from '../../../sandboxes/sandboxes.ts';
import { donePage, queryOfDone } from '../console-frame.ts';
import type { ConsoleAnswer, ConsoleServices, Handle, Visit } from '../console-page.ts';
import { getFaults } from '../read-form.ts';
import { overviewPage, type Refused } from './overview-page.ts';

/** The page shows why a form of it was refused. @param field the one that shows it, if the form has any */
const orExplain =
  (handle: Handle, field?: Refused['field']): Handle =>
  async (visit, services) => {
    try {
      return await handle(visit, services);
    } catch (error) {
      // A missing sandbox has no page.
      return overviewPage(visit, services, { field, ...getFaults(error) });
    }
  };

type Act = (sandboxes: Sandboxes, sandbox: string, typed: string) => Promise<void>;

const acts = {
  reset: (sandboxes, sandbox) => sandboxes.reset(sandbox, true),
  undo: (sandboxes, sandbox) => sandboxes.undo(sandbox),
  putSnapshot: (sandboxes, sandbox, snapshot) => sandboxes.putSnapshot(sandbox, snapshot),
  restore: (sandboxes, sandbox, snapshot) => sandboxes.restore(sandbox, snapshot, true),
  async delete(sandboxes, sandbox, name) {
    const line = { code: 'invalid', detail: `Type ${sandbox}, which is the name.`, attr: 'name' };
    if (name !== sandbox) throw validationError([line]);
    await sandboxes.delete(sandbox);
  },
} as const satisfies Readonly<Record<string, Act>>;

/**
 * A form of the page. The page that it leads to says what was done.
 * @param field what is typed or chosen in it, if anything
 */
export const act = (done: keyof typeof acts, field?: 'snapshot' | 'name'): Handle =>
  orExplain(
    async ({ origin, sandbox, form }, { sandboxesAt }) => {
      await acts[done](sandboxesAt(origin), sandbox, (form[field ?? ''] ?? '').trim());
      return { redirect: `/_understudy/${done === 'delete' ? '' : `console/${sandbox}/`}${queryOfDone(done)}` };
    },
    done === 'restore' ? undefined : field,
  );

export const makeToken = orExplain(async ({ origin, sandbox, form }, { sandboxesAt }) => {
  const username = (form['username'] ?? '').trim();
  if (username === '') throw validationError([{ code: 'required', detail: 'Name a user.', attr: 'username' }]);
  const made = await sandboxesAt(origin).addToken(sandbox, username);
  return donePage(origin, sandbox, {
    status: 201,
    title: 'Token made',
    notice: 'The token was made. Copy it now: it is shown this once.',
    main: html`${renderTokens('It selects this sandbox by itself', [made])}`,
  });
}, 'username');

export async function download({ sandbox, query }: Visit, { exportSeed }: ConsoleServices): Promise<ConsoleAnswer> {
  const { format = 'yaml' } = query;
  if (format !== 'yaml' && format !== 'json') throw apiError('not_found');
  return {
    content: await exportSeed(sandbox, format),
    headers: {
      'content-type': `application/${format}; charset=utf-8`,
      'content-disposition': `attachment; filename="${sandbox}.${format}"`,
      'x-content-type-options': 'nosniff',
    },
  };
}
