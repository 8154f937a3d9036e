// A sandbox's faults: rules in force, usual rules to add, a form for a rule, all rules as JSON.
import { attempt } from '../../../base/failure.ts';
import { isObject } from '../../../base/json-object.ts';
import { describeFault, type FaultInForce, type FaultRule } from '../../../traffic/fault-rules.ts';
import type { EndedRule } from '../../../traffic/faults.ts';
import { countHits } from '../../frame/layout.ts';
import { html, type Html, type Piece } from '../../html.ts';
import * as parts from '../../parts.ts';
import { type Handle, renderOwnField, urlWith, type Visit, ask } from '../console-page.ts';

export const showFaults: Handle = async (visit) => {
  const { form, refused } = visit;
  const rules = await ask<FaultInForce[]>('faults_list', visit);
  const url = `${visit.url}faults/`;
  return {
    title: 'Faults',
    tab: 'faults',
    main: html`${form['json'] === undefined && form['status'] === undefined && parts.renderAlert(refused?.lines)}
      ${renderRules(url, rules)} ${renderEnded(visit.services.faults.endedIn(visit.sandbox))}
      <div class="columns">
        <div>${renderPresets(visit)} ${renderFields(visit, url)}</div>
        ${renderJson(visit, url, rules)}
      </div>`,
  };
};

function renderRules(url: string, rules: readonly FaultInForce[]) {
  const rows = rules.map((rule) => {
    const { key, name, struck, next, skipped, expires } = rule;
    const hint = html`<code>${name}</code>:
      ${countHits(struck)}${next && `, of ${next}`}${skipped > 0 && `, skipped ${skipped}`}, ends at
      <time datetime="${expires}">${expires.slice(11, 19)}</time> UTC`;
    const attributes = html`name="key" value="${key}" aria-label="Remove ${name}"`;
    return renderRow(describeFault(rule), hint, parts.renderButton(`${url}remove/`, 'Remove', attributes));
  });
  return parts.renderSection(
    'in-force',
    'Rules in force',
    rules.length === 0
      ? html`<p>None: requests are answered normally.</p>`
      : html`<ol class="rows">
          ${rows}
        </ol>`,
    rules.length > 1 && [
      parts.renderButton(`${url}clear/`, 'Remove all'),
      html`<p class="hint">Only the first rule that matches a request applies. A new rule comes first.</p>`,
    ],
  );
}

const renderEnded = (ended: readonly EndedRule[]) =>
  ended.length > 0 &&
  parts.renderSection(
    'ended',
    'Ended in the last five minutes',
    parts.renderRows(
      ended.map(({ name, effect, struck, at }) => {
        const time = new Date(at).toISOString().slice(11, 19);
        return renderRow(effect, html`<code>${name}</code>: ${countHits(struck)}, ended at ${time} UTC`);
      }),
    ),
  );

const renderRow = (title: Piece, hint: Piece, button?: Html) =>
  html`<li class="row between line">
    <div>
      <h3>${title}</h3>
      <p class="hint">${hint}</p>
    </div>
    ${button}
  </li>`;

function renderPresets(visit: Visit) {
  const rows = presets.map(({ title, note, rule }) => {
    const attributes = html`name="rule" value="${JSON.stringify(rule)}" aria-label="Add ${title}"`;
    const buttons = html`<div class="row">
      <a class="button" href="${fieldsUrl(visit.url, rule)}#fields" aria-label="Edit ${title}">Edit</a>
      ${parts.renderButton(`${visit.url}faults/add/`, 'Add', attributes)}
    </div>`;
    return renderRow(title, note, buttons);
  });
  return parts.renderSection('add', 'Add a fault', parts.renderRows(rows));
}

/** The fields, by the names that errors give them. */
const ruleFields = [
  ['match.method', 'Methods', 'POST, PUT'],
  ['match.path', 'Path', '/api/users/**'],
  ['match.user', 'User', 'alice'],
  ['status', 'Answer with the status', '503'],
  ['delay_ms', 'Delay in ms', '500'],
  ['skip', 'After the first', '2'],
  ['next', 'For the next', '1'],
  ['expires_in_seconds', 'Ends after s', '300'],
] as const;

/** The rule with which the fields begin; empty for a text that is no object. */
function readBase(text = '') {
  const value = attempt((): unknown => JSON.parse(text));
  const given = isObject(value) ? value : {};
  const match: Record<string, unknown> = isObject(given['match']) ? { ...given['match'] } : {};
  const rule: Record<string, unknown> = { ...given, match };
  const placeOf = (id: string) => (id.startsWith('match.') ? ([match, id.slice(6)] as const) : ([rule, id] as const));
  return { rule, placeOf };
}

const isShown = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/**
 * The rule that the fields make. What no field shows stays as in the rule with which the fields began. The
 * API refuses a word in a number's field.
 */
export function readRule(form: Visit['form']) {
  const { rule, placeOf } = readBase(form['base']);
  for (const [id] of ruleFields) {
    const [of, name] = placeOf(id);
    const text = form[id]?.trim();
    if (text) of[name] = id === 'match.method' ? text.split(/[\s,]+/) : /^\d+$/.test(text) ? Number(text) : text;
    else if (isShown(of[name])) delete of[name];
  }
  return rule;
}

/** The address of the page whose fields begin with the rule. */
export const fieldsUrl = (url: string, rule: FaultRule) => urlWith(`${url}faults/`, { rule: JSON.stringify(rule) });

function renderFields(visit: Visit, url: string) {
  const { form, query } = visit;
  const base = form['base'] ?? query['rule'];
  const { placeOf } = readBase(base);
  const fields = ruleFields.map(([id, label, example]) => {
    const [of, name] = placeOf(id);
    const value = form[id] ?? (isShown(of[name]) ? String(of[name]) : '');
    const control = parts.renderNameInput(value, html`placeholder="${example}"`);
    return renderOwnField(visit, { id, label, control }, ...(id === 'status' ? [null] : []));
  });
  const begun = html`<input type="hidden" name="base" value="${base}" />
    <p class="hint">From <code>${base}</code>. Properties that no field shows stay.</p>`;
  return parts.renderSection(
    'fields',
    'Make a rule',
    html`<form class="filters row" method="post" action="${url}add/">
      ${fields} ${base !== undefined && begun}
      <p class="actions row"><button>Add the rule</button></p>
    </form>`,
  );
}

/** The rule as a client would send it. */
export function ruleOf({ key: _key, skipped: _skipped, struck: _struck, expires, ...same }: FaultInForce): FaultRule {
  return { ...same, expires_in_seconds: Math.max(1, Math.ceil((Date.parse(expires) - Date.now()) / 1000)) };
}

function renderJson({ start, form, refused }: Visit, url: string, rules: readonly FaultInForce[]) {
  const inForce = { rules: rules.map(ruleOf) };
  const text = form['json'] ?? JSON.stringify(inForce, null, 2);
  return parts.renderSection(
    'all',
    'All rules as JSON',
    html`<form method="post" action="${url}json/">
      ${parts.renderField({
        id: 'json',
        label: 'Rules, as PUT …/faults takes them',
        hint: html`All counts restart. <a href="${start}docs/">The documentation</a> names each property.`,
        errors: form['json'] === undefined ? [] : refused?.lines.map(parts.renderErrorLine),
        control: parts.renderTextarea(text, html`name="json" rows="20"`),
      })}
      <p class="actions row"><button>Replace all rules</button></p>
    </form>`,
  );
}

const match = { path: '/api/**' };

export const presets: readonly { title: string; note: string; rule: FaultRule }[] = [
  {
    title: '429 with Retry-After',
    note: 'Every request is throttled: does the client wait as long as it is told?',
    rule: { name: 'throttled', match, status: 429, headers: { 'Retry-After': '5' } },
  },
  {
    title: '503 twice',
    note: 'The next two requests fail, and the third succeeds: does the client try again?',
    rule: { name: 'twice unavailable', match, status: 503, next: 2 },
  },
  {
    title: 'Slow answers',
    note: 'Each takes half a second to two seconds longer: does a timeout strike?',
    rule: { name: 'slow', match, delay_ms: { min: 500, max: 2000 } },
  },
  {
    title: 'Cut in the middle',
    note: 'The connection breaks after half of the next answer.',
    rule: { name: 'cut', match, connection: 'cut', next: 1 },
  },
  {
    title: 'No answer',
    note: 'The connection is closed before the next answer.',
    rule: { name: 'closed', match, connection: 'close', next: 1 },
  },
];
