// A sandbox's faults: the rules in force, usual ones to add, and all of them as JSON.
import type { ErrorLine } from '../../../errors.ts';
import { curlLine, renderCopy } from '../../../pages/curl.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { KeyedRule } from '../../../traffic/faults.ts';
import { sandboxUrl } from '../../console-frame.ts';
import type { Page, Visit } from '../../console-page.ts';
import { renderField } from '../../fields.ts';
import { describeCount, describeEffect, describeRequests } from './describe-rule.ts';
import { renderTextarea } from './fault-form.ts';
import { ruleOf, textsOf } from './fault-fields.ts';
import { presets } from './fault-presets.ts';

export const faultsUrl = (origin: string, sandbox: string): string => `${sandboxUrl(origin, sandbox)}faults/`;

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
    assets: ['traffic.css'],
    main: html`${renderRules(shown)} ${renderPresets(visit, sandbox)} ${renderJsonForm(shown)}`,
  };
}

function renderRules({ visit: { origin }, sandbox, rules }: Shown): Html {
  const url = faultsUrl(origin, sandbox);
  if (rules.length === 0)
    return html`<section class="rules" aria-labelledby="in-force">
      <h2 id="in-force">In force</h2>
      <p>No fault is in force: requests are answered normally.</p>
    </section>`;
  return html`<section class="rules" aria-labelledby="in-force">
    <h2 id="in-force">In force</h2>
    <ol>
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
          <form class="actions" method="post" action="${url}remove/">
            <a class="button" href="${url}${key}/" aria-label="Edit ${rule.name}">Edit</a>
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
  html`<section class="presets" aria-labelledby="add">
    <h2 id="add">Add a fault</h2>
    <ul>
      ${Object.entries(presets).map(
        ([id, { title, note, rule }]) =>
          html`<li>
            <h3>${title}</h3>
            <p class="hint">${note}</p>
            <form class="actions" method="post" action="${faultsUrl(origin, sandbox)}new/">
              ${Object.entries(textsOf(rule)).map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}" />`)}
              <button aria-label="Add ${title}">Add</button>
              <a class="button" href="${faultsUrl(origin, sandbox)}new/?preset=${id}" aria-label="Edit first: ${title}"
                >Edit first</a
              >
            </form>
          </li>`,
      )}
    </ul>
    <p><a href="${faultsUrl(origin, sandbox)}new/">Another fault</a></p>
  </section>`;

function renderJsonForm({ visit: { origin, isSignedIn }, sandbox, rules, rejected }: Shown): Html {
  const inForce = { rules: rules.map(({ rule }) => ruleOf(rule)) };
  const text = rejected?.text ?? JSON.stringify(inForce, null, 2);
  const faults = rejected?.faults ?? [];
  const url = `${origin}/_understudy/sandboxes/${sandbox}/faults`;
  const token = isSignedIn ? '$TOKEN' : undefined;
  const fields = html`<summary>All rules as JSON</summary>
    <form method="post" action="${faultsUrl(origin, sandbox)}json/">
      ${renderField({
        name: 'json',
        label: 'Rules, as PUT …/faults takes them',
        hint: 'All counts begin anew.',
        faults: faults.map(
          ({ attr, detail }) => html`${attr === null ? undefined : html`<code>${attr}</code>: `}${detail}`,
        ),
        control: (attributes) => renderTextarea(html`rows="12" spellcheck="false" ${attributes}`, text),
      })}
      <p class="actions"><button>Replace all rules</button></p>
    </form>
    ${
      rules.length === 0
        ? undefined
        : html`<h3 class="heading">The same by curl</h3>
            ${token === undefined ? undefined : html`<p class="hint">Put the admin token into the shell first: <code>export TOKEN=…</code></p>`}
            ${renderCopy(curlLine({ method: 'PUT', url, token, body: JSON.stringify(inForce) }), 'The rules in force by curl')}`
    }`;
  return rejected === undefined
    ? html`<details class="raw">${fields}</details>`
    : html`<details class="raw" open>${fields}</details>`;
}
