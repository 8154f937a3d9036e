// A sandbox's faults: the rules in force, usual ones to add, and all of them as JSON; and what the forms do to them.
import { apiError, type ErrorLine } from '../../../base/errors.ts';
import { checkValue } from '../../../base/check-value.ts';
import { parseJson } from '../../../sandboxes/own-body.ts';
import { getSandboxId } from '../../../sandboxes/sandboxes.ts';
import { type FaultInForce, type FaultRule, FaultRules } from '../../../traffic/fault-rules.ts';
import type { Faults, KeyedRule } from '../../../traffic/faults.ts';
import { html, type Html } from '../../html.ts';
import { pathUnder } from '../../links.ts';
import { renderButton, renderErrorLine, renderField, renderSection, renderTextarea } from '../../parts.ts';
import { sandboxUrl } from '../console-frame.ts';
import type { ConsoleServices, Handle, Page, Visit } from '../console-page.ts';
import { getFaults } from '../read-form.ts';
import { presets } from './fault-presets.ts';
import { describeFault } from '../../session/visitors.ts';

const faultsUrl = (origin: string, sandbox: string): string => `${sandboxUrl(origin, sandbox)}faults/`;

interface Rejected {
  /** What was sent as JSON. */
  readonly text: string;
  readonly lines: readonly ErrorLine[];
}

export async function showFaults(visit: Visit, services: ConsoleServices, rejected?: Rejected): Promise<Page> {
  const { origin, sandbox } = visit;
  await getSandboxId(services.database.reads, sandbox);
  const rules = services.faults.listKeyed(sandbox);
  const url = faultsUrl(origin, sandbox);
  return {
    title: 'Faults',
    of: { sandbox, tab: 'faults' },
    status: rejected === undefined ? 200 : 400,
    main: html`${renderRules(url, rules)}
      <div class="columns halves">
        <div>${renderPresets(url)}</div>
        <div>${renderJson(visit, rules, rejected)}</div>
      </div>`,
  };
}

/** A form that changes the rules of a sandbox. */
const changing =
  (change: (faults: Faults, sandbox: string, form: Visit['form']) => void): Handle =>
  async ({ origin, sandbox, form }, { database, faults }) => {
    await getSandboxId(database.reads, sandbox);
    change(faults, sandbox, form);
    return { redirect: pathUnder(origin, form['next']) ?? faultsUrl('', sandbox) };
  };

export const addPreset = changing((faults, sandbox, { preset = '' }) => {
  const rule = Object.hasOwn(presets, preset) ? presets[preset]?.rule : undefined;
  if (rule === undefined) throw apiError('not_found');
  checkValue(FaultRules, { rules: [rule, ...faults.list(sandbox).map(ruleOf)] });
  faults.add(sandbox, rule);
});

export const removeFaults = changing((faults, sandbox, { key }) => {
  if (key === undefined) faults.clear(sandbox);
  else faults.remove(sandbox, Number(key));
});

const setFaults = changing((faults, sandbox, { json = '' }) =>
  faults.set(sandbox, checkValue(FaultRules, parse(json))),
);

export async function replaceFaults(visit: Visit, services: ConsoleServices): ReturnType<Handle> {
  try {
    return await setFaults(visit, services);
  } catch (error) {
    return showFaults(visit, services, { text: visit.form['json'] ?? '', lines: getFaults(error).lines });
  }
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw apiError('json_invalid', (error as Error).message);
  }
}

function renderRules(url: string, rules: readonly KeyedRule[]): Html {
  const rows = rules.map(
    ({ key, rule }) =>
      html`<li class="row between line" id="rule-${key}">
        <div>
          <h3 class="effect">
            ${describeFault(rule)}${some('after the first', rule.skip)}${some('the next', rule.next)}
          </h3>
          <p class="hint">
            <code>${rule.name}</code>:
            ${times(rule.struck)}${rule.next && `, of ${rule.next}`}${some('passed', rule.skipped)}, ends at
            <time datetime="${rule.expires}">${rule.expires.slice(11, 19)}</time> UTC
          </p>
        </div>
        ${renderButton(`${url}remove/`, 'Remove', html`name="key" value="${key}" aria-label="Remove ${rule.name}"`)}
      </li>`,
  );
  return renderSection(
    'in-force',
    'Faults in force',
    rules.length === 0
      ? html`<p>None: requests are answered normally.</p>`
      : html`<ol class="rows">
          ${rows}
        </ol>`,
    rules.length > 1 && [
      renderButton(`${url}remove/`, 'Remove all'),
      html`<p class="hint">Only the first rule that matches a request applies. A new rule comes first.</p>`,
    ],
  );
}

const some = (words: string, count = 0): string => (count === 0 ? '' : `, ${words} ${count === 1 ? 'one' : count}`);

const times = (count: number): string =>
  count === 0 ? 'not applied yet' : count === 1 ? 'applied once' : `applied ${count} times`;

const renderPresets = (url: string): Html =>
  renderSection(
    'add',
    'Add a fault',
    html`<ul class="rows">
      ${Object.entries(presets).map(
        ([id, { title, note }]) =>
          html`<li class="row between line">
            <div>
              <h3>${title}</h3>
              <p class="hint">${note}</p>
            </div>
            ${renderButton(`${url}add/`, 'Add', html`name="preset" value="${id}" aria-label="Add ${title}"`)}
          </li>`,
      )}
    </ul>`,
  );

/** A rule in force as a client would send it. */
export function ruleOf({ skipped: _skipped, struck: _struck, expires, ...same }: FaultInForce): FaultRule {
  return {
    ...same,
    expires_in_seconds: Math.max(1, Math.ceil((Date.parse(expires) - Date.now()) / 1000)),
  };
}

function renderJson({ origin, sandbox }: Visit, rules: readonly KeyedRule[], rejected: Rejected | undefined): Html {
  const inForce = { rules: rules.map(({ rule }) => ruleOf(rule)) };
  return renderSection(
    'all',
    'All rules as JSON',
    html`<form method="post" action="${faultsUrl(origin, sandbox)}json/">
      ${renderField({
        id: 'json',
        label: 'Rules, as PUT …/faults takes them',
        hint: html`All counts restart. <a href="${origin}/_understudy/docs/">The documentation</a> names each property.`,
        faults: rejected?.lines.map(renderErrorLine),
        control: (attributes) =>
          renderTextarea(html`${attributes} name="json" rows="20"`, rejected?.text ?? JSON.stringify(inForce, null, 2)),
      })}
      <p class="actions row"><button>Replace all rules</button></p>
    </form>`,
  );
}
