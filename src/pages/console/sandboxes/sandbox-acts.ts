// What a sandbox's page does by its forms: reset, undo, snapshots, tokens, delete; and the export of its content.
import { apiError, errorLine, validationError } from '../../../base/errors.ts';
import { renderTokens } from '../../parts.ts';
import type { Sandboxes } from '../../../sandboxes/sandboxes.ts';
import type { ConsoleAnswer, ConsoleServices, Handle, Page, Visit } from '../console-page.ts';

interface Act {
  readonly act: (sandboxes: Sandboxes, sandbox: string, form: Visit['form']) => Promise<void>;
  /** What the page that the form leads to says of it: a fixed text, because a link may lead there too. */
  readonly done: string;
}

const acts: Readonly<Record<string, Act>> = {
  reset: {
    act: (sandboxes, sandbox) => sandboxes.reset(sandbox, true),
    done: 'the sandbox was reset. Its faults were removed and its journal emptied.',
  },
  undo: {
    act: (sandboxes, sandbox) => sandboxes.undo(sandbox),
    done: 'the sandbox was put back to what it held before. The faults and the journal were not put back.',
  },
  snapshots: {
    act: (sandboxes, sandbox, { snapshot = '' }) => sandboxes.putSnapshot(sandbox, snapshot.trim()),
    done: 'the snapshot was saved.',
  },
  restore: {
    act: (sandboxes, sandbox, { restore = '' }) => sandboxes.restore(sandbox, restore, true),
    done: 'the snapshot was restored. The faults were removed and the journal emptied.',
  },
  delete: {
    async act(sandboxes, sandbox, { name }) {
      if (name?.trim() !== sandbox)
        throw validationError([errorLine('name', 'invalid', `Type ${sandbox}, which is the name.`)]);
      await sandboxes.delete(sandbox);
    },
    done: 'the sandbox was deleted.',
  },
};

/** By the paths of their forms. */
export const actHandlers = Object.entries(acts).map(([done, { act }]): readonly [string, Handle] => [
  done,
  async ({ origin, start, url, sandbox, form }, { sandboxesAt }) => {
    await act(sandboxesAt(origin), sandbox, form);
    // With the time, what the page says stays right when it is loaded again.
    const at = Math.floor(Date.now() / 1000);
    return { redirect: `${done === 'delete' ? start : url}?done=${done}&at=${at}` };
  },
]);

/** What the form did before this page, for an hour. */
export function describeDone({ done = '', at }: Visit['query']): string | undefined {
  const moment = Number(at) * 1000;
  if (!Object.hasOwn(acts, done) || !(Math.abs(Date.now() - moment) <= 3_600_000)) return undefined;
  return `At ${new Date(moment).toISOString().slice(11, 19)} UTC ${acts[done]?.done}`;
}

export async function makeToken({ origin, sandbox, form }: Visit, { sandboxesAt }: ConsoleServices): Promise<Page> {
  const username = (form['username'] ?? '').trim();
  if (username === '') throw validationError([errorLine('username', 'required', 'Name a user.')]);
  const made = await sandboxesAt(origin).addToken(sandbox, username);
  return {
    status: 201,
    title: 'Token made',
    tab: 'overview',
    notice: 'The token was made. Copy it now: it is shown this once.',
    main: renderTokens('It selects this sandbox by itself', [made]),
  };
}

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
