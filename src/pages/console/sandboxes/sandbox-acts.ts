// What a sandbox's page does by its forms: reset, undo, snapshots, tokens, delete; and the export of its content.
import { apiError, errorLine, validationError } from '../../../base/errors.ts';
import { renderTokens } from '../../parts.ts';
import type { Sandboxes } from '../../../sandboxes/sandboxes.ts';
import { donePage, queryOfDone } from '../console-frame.ts';
import type { ConsoleAnswer, ConsoleServices, Handle, Visit } from '../console-page.ts';
import { getFaults } from '../read-form.ts';
import { overviewPage } from './overview-page.ts';

/** The page shows why a form of it was refused; a missing sandbox has none. */
const orExplain =
  (handle: Handle): Handle =>
  async (visit, services) => {
    try {
      return await handle(visit, services);
    } catch (error) {
      return overviewPage(visit, services, getFaults(error));
    }
  };

type Act = (sandboxes: Sandboxes, sandbox: string, form: Visit['form']) => Promise<void>;

const work: Readonly<Record<string, Act>> = {
  reset: (sandboxes, sandbox) => sandboxes.reset(sandbox, true),
  undo: (sandboxes, sandbox) => sandboxes.undo(sandbox),
  snapshots: (sandboxes, sandbox, { snapshot = '' }) => sandboxes.putSnapshot(sandbox, snapshot.trim()),
  restore: (sandboxes, sandbox, { restore = '' }) => sandboxes.restore(sandbox, restore, true),
  async delete(sandboxes, sandbox, { name }) {
    if (name?.trim() !== sandbox)
      throw validationError([errorLine('name', 'invalid', `Type ${sandbox}, which is the name.`)]);
    await sandboxes.delete(sandbox);
  },
};

/** Forms of the page, by their paths. The page that each leads to says what was done. */
export const acts = Object.entries(work).map(([done, act]): readonly [string, Handle] => [
  done,
  orExplain(async ({ origin, sandbox, form }, { sandboxesAt }) => {
    await act(sandboxesAt(origin), sandbox, form);
    return { redirect: `/_understudy/${done === 'delete' ? '' : `console/${sandbox}/`}${queryOfDone(done)}` };
  }),
]);

export const makeToken = orExplain(async ({ origin, sandbox, form }, { sandboxesAt }) => {
  const username = (form['username'] ?? '').trim();
  if (username === '') throw validationError([errorLine('username', 'required', 'Name a user.')]);
  const made = await sandboxesAt(origin).addToken(sandbox, username);
  return donePage(origin, sandbox, {
    status: 201,
    title: 'Token made',
    notice: 'The token was made. Copy it now: it is shown this once.',
    main: renderTokens('It selects this sandbox by itself', [made]),
  });
});

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
