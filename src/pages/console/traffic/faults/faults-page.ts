// A sandbox's faults: the rules in force, usual ones to add, and all of them as JSON.
import type { ErrorLine } from '../../../../base/errors.ts';
import { curlLine, renderCopy } from '../../../curl.ts';
import { html, type Html } from '../../../html.ts';
import type { FaultInForce, FaultRule } from '../../../../traffic/fault-rules.ts';
import type { KeyedRule } from '../../../../traffic/faults.ts';
import { sandboxUrl } from '../../console-frame.ts';
import type { Page, Visit } from '../../console-page.ts';
import { renderField } from '../../fields.ts';
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
  const url = faultsUrl(origin, sandbox);
  if (rules.length === 0)
    return html`<section aria-labelledby="in-force">
      <h2 id="in-force">In force</h2>
      <p>No fault is in force: requests are answered normally.</p>
    </section>`;
  return html`<section aria-labelledby="in-force">
    <h2 id="in-force">In force</h2>
    <ol class="rows">
      ${rules.map(({ key, rule }) => {
        const count = describeCount(rule);
        return html`<li id="rule-${key}">
          <div>
            <p class="effect">${describeEffect(rule)}</p>
            <p><code>${describeRequests(rule)}</code>${count === '' ? undefined : html`, ${count}`}</p>
            <p class="hint">
              <code>${rule.name}</code>
              ${times(rule.struck)}${rule.next === undefined ? undefined : html`, of ${rule.next}`}, ends at
              <time datetime="${rule.expires}">${rule.expires.slice(11, 19)}</time> UTC
            </p>
          </div>
          <form method="post" action="${url}remove/">
            <button name="key" value="${key}" aria-label="Remove ${rule.name}">Remove</button>
          </form>
        </li>`;
      })}
    </ol>
    ${
      rules.length === 1
        ? undefined
        : html`<form class="actions" method="post" action="${url}remove/"><button>Remove all</button></form>
            <p class="hint">The first rule that matches a request strikes it. A new rule comes first.</p>`
    }
  </section>`;
}

const times = (count: number): string =>
  count === 0 ? 'has not struck yet' : count === 1 ? 'struck once' : `struck ${count} times`;

const renderPresets = ({ origin }: Visit, sandbox: string): Html =>
  html`<section aria-labelledby="add">
    <h2 id="add">Add a fault</h2>
    <ul class="rows">
      ${Object.entries(presets).map(
        ([id, { title, note }]) =>
          html`<li>
            <div>
              <h3>${title}</h3>
              <p class="hint">${note}</p>
            </div>
            <form method="post" action="${faultsUrl(origin, sandbox)}add/">
              <button name="preset" value="${id}" aria-label="Add ${title}">Add</button>
            </form>
          </li>`,
      )}
    </ul>
  </section>`;

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
  return html`<section aria-labelledby="all">
      <h2 id="all">All rules as JSON</h2>
      <form method="post" action="${faultsUrl(origin, sandbox)}json/">
        ${renderField({
          name: 'json',
          label: 'Rules, as PUT …/faults takes them',
          hint: html`All counts begin anew. <a href="${origin}/_understudy/docs/">The documentation</a> names each
            property.`,
          faults: faults.map(
            ({ attr, detail }) => html`${attr === null ? undefined : html`<code>${attr}</code>: `}${detail}`,
          ),
          // HTML drops a line break at the beginning.
          control: (attributes) => html`<textarea rows="12" spellcheck="false" ${attributes}>${'\n'}${text}</textarea>`,
        })}
        <p class="actions"><button>Replace all rules</button></p>
      </form>
    </section>
    ${
      rules.length === 0
        ? undefined
        : html`<section aria-labelledby="by-curl">
            <h2 id="by-curl">The same by curl</h2>
            ${token === undefined ? undefined : html`<p class="hint">Put the admin token into the shell first: <code>export TOKEN=…</code></p>`}
            ${renderCopy(curlLine({ method: 'PUT', url, token, body: JSON.stringify(inForce) }), 'The rules in force by curl')}
          </section>`
    }`;
}
