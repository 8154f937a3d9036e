// The forms of the console that change something and lead to a page. Each calls an operation of the control API.
import { errorLine, validationError } from '../../base/errors.ts';
import { type ConsoleRoute, type Handle, post, redirectDone, type Visit, operate, type Sent } from './console-page.ts';
import { statePage } from './sandboxes/state-page.ts';
import { readRule, showFaults } from './traffic/faults-page.ts';

interface Act {
  readonly id: string;
  readonly send?: (form: Visit['form'], sandbox: string) => Sent;
}

const undo = { undo: 'true' };
const ofSnapshot = ({ restore = '' }: Visit['form']) => ({ path: { snapshot: restore } });

/** The acts by the paths of their forms. Paths below those of the tabs Faults and Requests lead to the tab. */
const acts: Readonly<Record<string, Act>> = {
  reset: { id: 'sandboxes_reset', send: () => ({ query: undo }) },
  undo: { id: 'sandboxes_undo' },
  'undo/keep': { id: 'sandboxes_undo_keep' },
  snapshots: { id: 'sandboxes_snapshot_put', send: ({ snapshot = '' }) => ({ path: { snapshot: snapshot.trim() } }) },
  restore: { id: 'sandboxes_snapshot_restore', send: (form) => ({ ...ofSnapshot(form), query: undo }) },
  'snapshots/delete': { id: 'sandboxes_snapshot_delete', send: ofSnapshot },
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
  'faults/add': { id: 'faults_add', send: (form) => ({ body: form['rule'] ?? readRule(form) }) },
  'faults/remove': { id: 'faults_remove', send: ({ key = '' }) => ({ path: { key } }) },
  'faults/clear': { id: 'faults_clear' },
  'faults/json': { id: 'faults_put', send: ({ json }) => ({ body: json }) },
  'journal/clear': { id: 'journal_clear' },
};

export const actRoutes: readonly ConsoleRoute[] = Object.entries(acts).map(([done, { id, send }]) => {
  const [tab] = /^(?:faults|journal)\//.exec(done) ?? [];
  const handle: Handle = async (visit) => {
    const { start, url, sandbox, form } = visit;
    await operate(id, visit, send?.(form, sandbox));
    if (tab !== undefined) return { redirect: url + tab };
    return redirectDone(done === 'delete' ? start : `${url}state/`, done);
  };
  return post(`console/:name/${done}/`, handle, tab === undefined ? statePage : showFaults);
});
