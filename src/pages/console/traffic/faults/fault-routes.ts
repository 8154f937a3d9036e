// What can be done with a sandbox's faults.
import { checkValue } from '../../../../http/body/check-value.ts';
import { apiError } from '../../../../base/errors.ts';
import { parseJson } from '../../../../sandboxes/own-body.ts';
import { getSandboxId } from '../../../../sandboxes/sandboxes.ts';
import { FaultRules } from '../../../../traffic/fault-rules.ts';
import type { ConsoleAnswer, ConsoleRoute, ConsoleServices, Visit } from '../../console-page.ts';
import { getFaults } from '../../read-form.ts';
import { presets } from './fault-presets.ts';
import { renderFaults, ruleOf } from './faults-page.ts';

const path = 'console/:name/faults/';
const listPath = (sandbox: string): string => `/_understudy/console/${sandbox}/faults/`;

/** Of a sandbox that exists. */
const ofSandbox =
  (handle: (visit: Visit, services: ConsoleServices, sandbox: string) => ConsoleAnswer): ConsoleRoute['handle'] =>
  async (visit, services) => {
    const sandbox = visit.params['name'] ?? '';
    await getSandboxId(services.database.reads, sandbox);
    return handle(visit, services, sandbox);
  };

export const faultRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path,
    handle: ofSandbox((visit, { faults }, sandbox) =>
      renderFaults({ visit, sandbox, rules: faults.listKeyed(sandbox) }),
    ),
  },
  {
    method: 'POST',
    path: `${path}add/`,
    handle: ofSandbox(({ form }, { faults }, sandbox) => {
      const name = form['preset'] ?? '';
      const rule = Object.hasOwn(presets, name) ? presets[name]?.rule : undefined;
      if (rule === undefined) throw apiError('not_found');
      const others = faults.list(sandbox).map(ruleOf);
      checkValue(FaultRules, { rules: [rule, ...others] });
      faults.add(sandbox, rule);
      return { redirect: listPath(sandbox) };
    }),
  },
  {
    method: 'POST',
    path: `${path}remove/`,
    handle: ofSandbox(({ form }, { faults }, sandbox) => {
      if (form['key'] === undefined) faults.clear(sandbox);
      else faults.remove(sandbox, Number(form['key']));
      return { redirect: listPath(sandbox) };
    }),
  },
  {
    method: 'POST',
    path: `${path}json/`,
    handle: ofSandbox((visit, { faults }, sandbox) => {
      const text = visit.form['json'] ?? '';
      try {
        faults.set(sandbox, checkValue(FaultRules, parse(text)));
        return { redirect: listPath(sandbox) };
      } catch (error) {
        const rejected = { text, faults: getFaults(error).lines };
        return renderFaults({ visit, sandbox, rules: faults.listKeyed(sandbox), rejected });
      }
    }),
  },
];

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw apiError('json_invalid', (error as Error).message);
  }
}
