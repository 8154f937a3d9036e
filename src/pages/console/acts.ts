// The forms of the console that change something and lead to a page: each is an operation of the control API.
import { errorLine, validationError } from '../../base/errors.ts';
import { type ConsoleRoute, type Handle, post, redirectDone, type Visit, operate, type Sent } from './console-page.ts';
import { statePage } from './sandboxes/state-page.ts';
import { readRule, showFaults } from './traffic/faults-page.ts';

interface Act {
  readonly id: string;
  readonly send?: (form: Visit['form'], sandbox: string) => Sent;
  /** The tab of the sandbox to which the form leads; the tab State if left out. */
  readonly tab?: string;
}

const undo = { undo: 'true' };

/** The acts by the paths of their forms. */
const acts: Readonly<Record<string, Act>> = {
  reset: { id: 'sandboxes_reset', send: () => ({ query: undo }) },
  undo: { id: 'sandboxes_undo' },
  'undo/keep': { id: 'sandboxes_undo_keep' },
  snapshots: { id: 'sandboxes_snapshot_put', send: ({ snapshot = '' }) => ({ path: { snapshot: snapshot.trim() } }) },
  restore: {
    id: 'sandboxes_snapshot_restore',
    send: ({ restore: snapshot = '' }) => ({ path: { snapshot }, query: undo }),
  },
  'snapshots/delete': {
    id: 'sandboxes_snapshot_delete',
    send: ({ restore: snapshot = '' }) => ({ path: { snapshot } }),
  },
  'clock/set': { id: 'sandboxes_clock_put', send: ({ now }) => ({ body: { now: now?.trim() } }) },
  'clock/advance': { id: 'sandboxes_clock_advance', send: ({ by }) => ({ body: { by: by?.trim() } }) },
  'clock/run': { id: 'sandboxes_clock_put', send: () => ({ body: { now: null } }) },
  delete: {
    id: 'sandboxes_delete',
    send({ name }, sandbox) {
      if (name?.trim() === sandbox) return {};
      throw validationError([errorLine('name', 'invalid', `Type ${sandbox}, which is the name.`)]);
    },
  },
  'faults/add': { id: 'faults_add', send: (form) => ({ body: form['rule'] ?? readRule(form) }), tab: 'faults/' },
  'faults/remove': { id: 'faults_remove', send: ({ key = '' }) => ({ path: { key } }), tab: 'faults/' },
  'faults/clear': { id: 'faults_clear', tab: 'faults/' },
  'faults/json': { id: 'faults_put', send: ({ json }) => ({ body: json }), tab: 'faults/' },
  'journal/clear': { id: 'journal_clear', tab: 'journal/' },
};

export const actRoutes: readonly ConsoleRoute[] = Object.entries(acts).map(([done, { id, send, tab }]) => {
  const handle: Handle = async (visit) => {
    const { start, url, sandbox, form } = visit;
    await operate(id, visit, send?.(form, sandbox));
    if (tab !== undefined) return { redirect: url + tab };
    return redirectDone(done === 'delete' ? start : `${url}state/`, done);
  };
  return post(`console/:name/${done}/`, handle, tab === undefined ? statePage : showFaults);
});
