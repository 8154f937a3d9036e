// The form that makes a sandbox, and leads to the sandbox's page.
import { isSandboxName } from '../../../access/which-sandbox.ts';
import { listShippedSeeds } from '../../../seeds/load/seed-name.ts';
import { html } from '../../html.ts';
import { defaultLifetimeSeconds } from '../../../sandboxes/sandbox-requests.ts';
import type { Sandbox } from '../../../sandboxes/sandbox-schemas.ts';
import { makeUpName } from '../../../sandboxes/sandboxes.ts';
import { errorsAt, type Handle, redirectDone, renderOwnField, sandboxUrl, ask, operate } from '../console-page.ts';
import { renderNameInput, renderOption, renderSelect } from '../../parts.ts';
import { readSeed, renderSeedFields, textOf } from './seed-page.ts';

const lifetimes = [
  [3600, '1 hour'],
  [defaultLifetimeSeconds, '24 hours'],
  [604_800, '7 days'],
  [2_592_000, '30 days'],
] as const;

export const newPage: Handle = async (visit) => {
  const { start, form, query } = visit;
  const [seeds, names] = [await listShippedSeeds(), await ask<Sandbox[]>('sandboxes_list', visit)];
  const { from = '', lifetime = String(defaultLifetimeSeconds) } = { ...query, ...form };
  const text = textOf(visit);
  const name = {
    id: 'name',
    label: 'Name',
    hint: 'Letters a to z, digits and hyphens. If empty, a name is made up.',
    control: renderNameInput(form['name']),
  };
  const ships = seeds.map((seed) => renderOption(seed, seed, from));
  const copies = names.map((one) => renderOption(one.name, one.name, from));
  const content = {
    id: 'from',
    label: 'Begins with',
    control: renderSelect([
      renderOption('', 'what the sandbox “default” resets to', from),
      html`<optgroup label="A seed that ships">${ships}</optgroup>`,
      html`<optgroup label="A copy of a sandbox">${copies}</optgroup>`,
    ]),
  };
  const options = lifetimes.map(([seconds, label]) => renderOption(String(seconds), label, lifetime));
  const length = {
    id: 'lifetime',
    label: 'Is dropped after',
    hint: 'Counted from the last use.',
    control: renderSelect(options),
  };
  return {
    title: 'Make a sandbox',
    main: html`<form method="post" action="${start}console/new/" enctype="multipart/form-data">
      ${renderOwnField(visit, name)} ${renderOwnField(visit, content, null)}
      <details ${(text !== '' || errorsAt(visit, 'seed').length > 0) && html`open`}>
        <summary>Begin with a seed of your own</summary>
        ${renderSeedFields(visit, text)}
      </details>
      ${renderOwnField(visit, length, 'expires_in_seconds')}
      <p class="actions row"><button class="primary">Make the sandbox</button> <a href="${start}">Cancel</a></p>
    </form>`,
  };
};

export const make: Handle = async (visit) => {
  const { from, lifetime = defaultLifetimeSeconds } = visit.form;
  const seed = readSeed(visit);
  const body = { from: from || undefined, seed: seed || undefined, expires_in_seconds: Number(lifetime) };
  // Only the API replaces sandboxes: on a page, people could do so by mistake.
  await operate('sandboxes_put', visit, { query: { replace: 'false' }, body });
  return redirectDone(visit.url, 'make');
};

/** Puts the name into the path, where a load balancer may read it to choose a service. */
export const chooseName: Handle = async (visit) => {
  const name = (visit.form['name'] ?? '').trim() || makeUpName();
  if (!isSandboxName(name)) return make({ ...visit, sandbox: name });
  return { redirect: `${sandboxUrl(visit.start, name)}make/`, status: 307 };
};
