// A sandbox's faults: the rules in force, usual ones to add, and all of them as JSON.
import type { ErrorLine } from '../../../../base/errors.ts';
import { curlLine, renderCopy } from '../../../curl.ts';
import { html, type Html } from '../../../html.ts';
import { renderButton, renderField, renderSection, renderTextarea } from '../../../parts.ts';
import type { FaultInForce, FaultRule } from '../../../../traffic/fault-rules.ts';
import type { KeyedRule } from '../../../../traffic/faults.ts';
import { sandboxUrl } from '../../console-frame.ts';
import type { Page, Visit } from '../../console-page.ts';
import { describeCount, describeEffect, describeRequests } from './describe-rule.ts';
import { presets } from './fault-presets.ts';

const faultsUrl = (origin: string, sandbox: string): string => `${sandboxUrl(origin, sandbox)}faults/`;

interface Shown {
  readonly visit: Visit;
  readonly sandbox: string;
  readonly rules: readonly KeyedRule[];
  /** What was sent as JSON and is wrong. */
  readonly rejected?: { readonly text: string; readonly faults: readonly ErrorLine[] };
}

export function renderFaults(shown: Shown): Page {
  const { visit, sandbox, rejected } = shown;
  return {
    title: 'Faults',
    of: { sandbox, tab: 'faults' },
    status: rejected === undefined ? 200 : 400,
    main: html`${renderRules(shown)} ${renderPresets(visit, sandbox)} ${renderJsonForm(shown)}`,
  };
}

function renderRules({ visit: { origin }, sandbox, rules }: Shown): Html {
  const remove = `${faultsUrl(origin, sandbox)}remove/`;
  const rows = rules.map(({ key, rule }) => {
    const count = describeCount(rule);
    return html`<li class="row between" id="rule-${key}">
      <div>
        <h3 class="effect">${describeEffect(rule)}</h3>
        <p><code>${describeRequests(rule)}</code>${count !== '' && `, ${count}`}</p>
        <p class="hint">
          <code>${rule.name}</code>
          ${times(rule.struck)}${rule.next !== undefined && `, of ${rule.next}`}, ends at
          <time datetime="${rule.expires}">${rule.expires.slice(11, 19)}</time> UTC
        </p>
      </div>
      ${renderButton(remove, 'Remove', html`name="key" value="${key}" aria-label="Remove ${rule.name}"`)}
    </li>`;
  });
  return renderSection(
    'in-force',
    'In force',
    rules.length === 0
      ? html`<p>No fault is in force: requests are answered normally.</p>`
      : html`<ol class="rows">
          ${rows}
        </ol>`,
    rules.length > 1 && [
      renderButton(remove, 'Remove all'),
      html`<p class="hint">The first rule that matches a request strikes it. A new rule comes first.</p>`,
    ],
  );
}

const times = (count: number): string =>
  count === 0 ? 'has not struck yet' : count === 1 ? 'struck once' : `struck ${count} times`;

const renderPresets = ({ origin }: Visit, sandbox: string): Html =>
  renderSection(
    'add',
    'Add a fault',
    html`<ul class="rows">
      ${Object.entries(presets).map(
        ([id, { title, note }]) =>
          html`<li class="row between">
            <div>
              <h3>${title}</h3>
              <p class="hint">${note}</p>
            </div>
            ${renderButton(
              `${faultsUrl(origin, sandbox)}add/`,
              'Add',
              html`name="preset" value="${id}" aria-label="Add ${title}"`,
            )}
          </li>`,
      )}
    </ul>`,
  );

/** A rule in force as a client would send it. */
export function ruleOf({ struck: _struck, expires, delay_ms: delay, ...same }: FaultInForce): FaultRule {
  return {
    ...same,
    ...(delay !== undefined && { delay_ms: delay.min === delay.max ? delay.min : delay }),
    expires_in_seconds: Math.max(1, Math.ceil((Date.parse(expires) - Date.now()) / 1000)),
  };
}

function renderJsonForm({ visit: { origin, isSignedIn }, sandbox, rules, rejected }: Shown): Html {
  const inForce = { rules: rules.map(({ rule }) => ruleOf(rule)) };
  const text = rejected?.text ?? JSON.stringify(inForce, null, 2);
  const faults = rejected?.faults ?? [];
  const url = `${origin}/_understudy/sandboxes/${sandbox}/faults`;
  const token = isSignedIn ? '$TOKEN' : undefined;
  const hint = html`All counts begin anew. <a href="${origin}/_understudy/docs/">The documentation</a> names each
    property.`;
  const field = renderField({
    id: 'json',
    label: 'Rules, as PUT …/faults takes them',
    hint,
    faults: faults.map(({ attr, detail }) => html`${attr !== null && html`<code>${attr}</code>: `}${detail}`),
    control: (attributes) => renderTextarea(html`${attributes} name="json" rows="12"`, text),
  });
  return html`${renderSection(
    'all',
    'All rules as JSON',
    html`<form method="post" action="${faultsUrl(origin, sandbox)}json/">
      ${field}
      <p class="actions row"><button>Replace all rules</button></p>
    </form>`,
  )}
  ${
    rules.length > 0 &&
    renderSection(
      'by-curl',
      'The same by curl',
      token && html`<p class="hint">Put the admin token into the shell first: <code>export TOKEN=…</code></p>`,
      renderCopy(curlLine({ method: 'PUT', url, token, body: JSON.stringify(inForce) }), 'The rules in force by curl'),
    )
  }`;
}
