// Makes a sandbox, and shows its tokens, which are shown this once.
import { isSandboxName } from '../../../access/which-sandbox.ts';
import { listShippedSeeds } from '../../../seeds/load/seed-name.ts';
import { html } from '../../html.ts';
import { defaultLifetimeSeconds } from '../../../sandboxes/sandbox-requests.ts';
import type { NewSandbox, Sandbox } from '../../../sandboxes/sandbox-schemas.ts';
import { makeUpName } from '../../../sandboxes/sandboxes.ts';
import {
  type ConsoleAnswer,
  type ConsoleServices,
  faultsAt,
  type Page,
  sandboxUrl,
  type Visit,
} from '../console-page.ts';
import { ask } from '../operate.ts';
import { renderBase, renderField, renderNameInput, renderOption, renderTokens } from '../../parts.ts';
import { readSeed, renderSeedFields, textOf } from './seed-page.ts';

const lifetimes = [
  [3600, '1 hour'],
  [defaultLifetimeSeconds, '24 hours'],
  [604_800, '7 days'],
  [2_592_000, '30 days'],
] as const;

export async function newPage(visit: Visit, services: ConsoleServices): Promise<Page> {
  const { start, form, query, refused } = visit;
  const [seeds, names] = [await listShippedSeeds(), await ask<Sandbox[]>('sandboxes_list', visit, services)];
  const from = form['from'] ?? query['from'] ?? '';
  const lifetime = form['lifetime'] ?? String(defaultLifetimeSeconds);
  const text = textOf(visit);
  return {
    status: refused?.status ?? 200,
    title: 'Make a sandbox',
    main: html`<form method="post" action="${start}console/new/" enctype="multipart/form-data">
      ${renderField({
        id: 'name',
        label: 'Name',
        hint: 'Letters a to z, digits and hyphens. Left empty, one is made up.',
        faults: faultsAt(visit, 'name'),
        control: (attributes) => renderNameInput(html`${attributes} name="name" maxlength="63"`, form['name']),
      })}
      ${renderField({
        id: 'from',
        label: 'Begins with',
        faults: faultsAt(visit, 'from', null),
        control: (attributes) =>
          html`<select ${attributes} name="from">
            ${renderOption('', 'the seed that default started with', from)}
            <optgroup label="A seed that ships">${seeds.map((name) => renderOption(name, name, from))}</optgroup>
            <optgroup label="A copy of a sandbox">${names.map(({ name }) => renderOption(name, name, from))}</optgroup>
          </select>`,
      })}
      <details ${(text !== '' || faultsAt(visit, 'seed').length > 0) && html`open`}>
        <summary>Begin with a seed of your own</summary>
        ${renderSeedFields(visit, text)}
      </details>
      ${renderField({
        id: 'lifetime',
        label: 'Is dropped after',
        hint: 'Counted from its last use.',
        faults: faultsAt(visit, 'expires_in_seconds'),
        control: (attributes) =>
          html`<select ${attributes} name="lifetime">
            ${lifetimes.map(([seconds, length]) => renderOption(String(seconds), length, lifetime))}
          </select>`,
      })}
      <p class="actions row"><button class="primary">Make the sandbox</button> <a href="${start}">Cancel</a></p>
    </form>`,
  };
}

export async function make(visit: Visit, services: ConsoleServices): Promise<Page> {
  const { from, lifetime = defaultLifetimeSeconds } = visit.form;
  const seed = readSeed(visit);
  const body = { from: from || undefined, seed: seed || undefined, expires_in_seconds: Number(lifetime) };
  // To replace a sandbox is left to the API: here it would happen by mistake.
  const sent = { query: { replace: 'false' }, body };
  const { users, base_url: baseUrl } = await ask<NewSandbox>('sandboxes_put', visit, services, sent);
  return {
    status: 201,
    title: 'Sandbox made',
    tab: 'overview',
    notice: `The sandbox was made. ${
      users.length === 0
        ? 'No user of it can have a token.'
        : 'Copy the tokens that you need: they are shown this once.'
    }`,
    main: html`${renderBase(baseUrl)}
    ${users.length > 0 && renderTokens('Tokens, which select this sandbox by themselves', users)}`,
  };
}

/** A balancer reads the name in the path, and chooses the service to which the sandbox belongs. */
export async function chooseName(visit: Visit, services: ConsoleServices): Promise<ConsoleAnswer> {
  const name = (visit.form['name'] ?? '').trim() || makeUpName();
  if (!isSandboxName(name)) return make({ ...visit, sandbox: name }, services);
  return { redirect: `${sandboxUrl(visit.start, name)}make/`, status: 307 };
}
