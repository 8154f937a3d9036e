// The console's forms that call an operation of the control API and lead to a page.
import { errorLine, validationError } from '../../base/errors.ts';
import { type ConsoleRoute, type Handle, post, redirectDone, type Visit, operate, type Sent } from './console-page.ts';
import { statePage } from './sandboxes/state-page.ts';
import { readRule, showFaults } from './traffic/faults-page.ts';

/** An operation, and what the form sends to it. */
type Act = readonly [id: string, send?: (form: Visit['form'], sandbox: string) => Sent];

const undo = { undo: 'true' };
const ofSnapshot = ({ restore = '' }: Visit['form']) => ({ path: { snapshot: restore } });

/** The acts, by the paths of their forms. Forms below `faults/` or `journal/` lead back there. */
const acts: Readonly<Record<string, Act>> = {
  reset: ['sandboxes_reset', () => ({ query: undo })],
  undo: ['sandboxes_undo'],
  'undo/keep': ['sandboxes_undo_keep'],
  snapshots: ['sandboxes_snapshot_put', ({ snapshot = '' }) => ({ path: { snapshot: snapshot.trim() } })],
  restore: ['sandboxes_snapshot_restore', (form) => ({ ...ofSnapshot(form), query: undo })],
  'snapshots/delete': ['sandboxes_snapshot_delete', ofSnapshot],
  'clock/set': ['sandboxes_clock_put', ({ now }) => ({ body: { now: now?.trim() } })],
  'clock/advance': ['sandboxes_clock_advance', ({ by }) => ({ body: { by: by?.trim() } })],
  'clock/run': ['sandboxes_clock_put', () => ({ body: { now: null } })],
  delete: ['sandboxes_delete', confirm],
  'faults/add': ['faults_add', (form) => ({ body: form['rule'] ?? readRule(form) })],
  'faults/remove': ['faults_remove', ({ key = '' }) => ({ path: { key } })],
  'faults/clear': ['faults_clear'],
  'faults/json': ['faults_put', ({ json }) => ({ body: json })],
  'journal/clear': ['journal_clear'],
};

function confirm({ name }: Visit['form'], sandbox: string) {
  if (name?.trim() === sandbox) return {};
  throw validationError([errorLine('name', 'invalid', `Type the sandbox’s name, ${sandbox}.`)]);
}

export const actRoutes: readonly ConsoleRoute[] = Object.entries(acts).map(([done, [id, send]]) => {
  const [tab] = /^(?:faults|journal)\//.exec(done) ?? [];
  const handle: Handle = async (visit) => {
    const { start, url, sandbox, form } = visit;
    await operate(id, visit, send?.(form, sandbox));
    if (tab !== undefined) return { redirect: url + tab };
    return redirectDone(done === 'delete' ? start : `${url}state/`, done);
  };
  return post(`console/:name/${done}/`, handle, tab === undefined ? statePage : showFaults);
});
