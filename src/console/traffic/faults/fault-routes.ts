// What can be done with a sandbox's faults.
import { checkValue } from '../../../api/body/check-value.ts';
import { apiError, type ErrorLine } from '../../../errors.ts';
import { html } from '../../../pages/html.ts';
import { getSandboxId } from '../../../sandboxes/sandboxes.ts';
import { FaultRules } from '../../../traffic/fault-rules.ts';
import type { ConsoleAnswer, ConsoleRoute, ConsoleServices, Page, Visit } from '../../console-page.ts';
import { getFaults } from '../../fields.ts';
import { ruleIn, ruleOf, type Texts, textsOf } from './fault-fields.ts';
import { checkRule, renderFields } from './fault-form.ts';
import { presets } from './fault-presets.ts';
import { faultsUrl, renderFaults } from './faults-page.ts';

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

interface FormShown {
  readonly visit: Visit;
  readonly sandbox: string;
  readonly texts: Texts;
  readonly faults?: readonly ErrorLine[];
  /** Of the rule that is edited; undefined for a new one. */
  readonly key?: string;
}

function renderForm({ visit: { origin }, sandbox, texts, faults = [], key }: FormShown): Page {
  const url = faultsUrl(origin, sandbox);
  return {
    title: key === undefined ? 'Add a fault' : 'Edit a fault',
    of: { sandbox, tab: 'faults' },
    status: faults.length === 0 ? 200 : 400,
    assets: ['traffic.css'],
    main: html`<form class="rule" method="post" action="${url}${key ?? 'new'}/" aria-labelledby="rule">
      <h2 id="rule" class="heading">${key === undefined ? 'Add a fault' : 'Edit a fault'}</h2>
      ${renderFields(texts, faults)}
      <p class="actions">
        <button class="primary">${key === undefined ? 'Add the fault' : 'Save'}</button>
        <a class="button" href="${url}">Cancel</a>
      </p>
      ${key === undefined ? undefined : html`<p class="hint">The rule’s count begins anew.</p>`}
    </form>`,
  };
}

/** Adds a rule, or replaces the one with the key. */
function putRule(visit: Visit, { faults }: ConsoleServices, sandbox: string, key?: string): ConsoleAnswer {
  const others = faults.listKeyed(sandbox).filter((other) => String(other.key) !== key);
  const checked = checkRule(
    ruleIn(visit.form),
    others.map(({ rule }) => ruleOf(rule)),
  );
  if (checked.faults.length > 0)
    return renderForm({ visit, sandbox, texts: visit.form, faults: checked.faults, ...(key !== undefined && { key }) });
  faults.change(sandbox, checked.rule, key === undefined ? undefined : Number(key));
  return { redirect: listPath(sandbox) };
}

export const faultRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path,
    handle: ofSandbox((visit, { faults }, sandbox) =>
      renderFaults({ visit, sandbox, rules: faults.listKeyed(sandbox) }),
    ),
  },
  {
    method: 'GET',
    path: `${path}new/`,
    handle: ofSandbox((visit, _services, sandbox) => {
      const name = visit.query['preset'] ?? '';
      const rule = Object.hasOwn(presets, name) ? presets[name]?.rule : undefined;
      return renderForm({ visit, sandbox, texts: textsOf(rule ?? {}) });
    }),
  },
  {
    method: 'POST',
    path: `${path}new/`,
    handle: ofSandbox((visit, services, sandbox) => putRule(visit, services, sandbox)),
  },
  {
    method: 'GET',
    path: `${path}:key/`,
    handle: ofSandbox((visit, { faults }, sandbox) => {
      const found = faults.listKeyed(sandbox).find(({ key }) => String(key) === visit.params['key']);
      if (found === undefined) throw apiError('not_found');
      return renderForm({ visit, sandbox, texts: textsOf(ruleOf(found.rule)), key: String(found.key) });
    }),
  },
  {
    method: 'POST',
    path: `${path}:key/`,
    handle: ofSandbox((visit, services, sandbox) => putRule(visit, services, sandbox, visit.params['key'])),
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
      const read = readRules(text);
      if ('faults' in read)
        return renderFaults({
          visit,
          sandbox,
          rules: faults.listKeyed(sandbox),
          rejected: { text, faults: read.faults },
        });
      faults.set(sandbox, read.value);
      return { redirect: listPath(sandbox) };
    }),
  },
];

function readRules(text: string): { readonly value: FaultRules } | { readonly faults: readonly ErrorLine[] } {
  try {
    return { value: checkValue(FaultRules, parse(text)) };
  } catch (error) {
    return { faults: getFaults(error).lines };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw apiError('json_invalid', (error as Error).message);
  }
}
