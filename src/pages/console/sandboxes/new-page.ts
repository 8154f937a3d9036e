// Makes a sandbox, and shows its tokens, which are shown this once.
import { isSandboxName } from '../../../access/which-sandbox.ts';
import { listShippedSeeds } from '../../../seeds/load/seed-name.ts';
import { html, type Piece } from '../../html.ts';
import { defaultLifetimeSeconds, readSandboxRequest } from '../../../sandboxes/sandbox-requests.ts';
import { SeedError } from '../../../seeds/format/seed-errors.ts';
import { makeUpName } from '../../../sandboxes/sandboxes.ts';
import { donePage, startOf } from '../console-frame.ts';
import type { ConsoleAnswer, ConsoleServices, Page, Visit } from '../console-page.ts';
import { renderBase, renderField, renderNameInput, renderOption, renderTokens } from '../../parts.ts';
import { faultsAt, getFaults } from '../read-form.ts';
import { describeLength } from '../time-from-now.ts';
import { listNames } from './queries.ts';
import { listSeedFaults, readSeed, renderSeedFields } from './seed-page.ts';

const lifetimes = [3600, defaultLifetimeSeconds, 604_800, 2_592_000];

export async function newPage(
  { origin, form, query }: Visit,
  { database }: ConsoleServices,
  text = '',
  status = 200,
  faults: (field: string) => readonly Piece[] = () => [],
): Promise<Page> {
  const [seeds, names] = await Promise.all([listShippedSeeds(), listNames(database.reads, {})]);
  const from = form['from'] ?? query['from'] ?? '';
  const lifetime = form['lifetime'] ?? String(defaultLifetimeSeconds);
  const seedFaults = faults('seed');
  return {
    status,
    title: 'Make a sandbox',
    main: html`<form method="post" action="${startOf(origin)}console/new/" enctype="multipart/form-data">
      ${renderField({
        id: 'name',
        label: 'Name',
        hint: 'Letters a to z, digits and hyphens. Left empty, one is made up.',
        faults: faults('name'),
        control: (attributes) => renderNameInput(html`${attributes} name="name" maxlength="63"`, form['name']),
      })}
      ${renderField({
        id: 'from',
        label: 'Begins with',
        faults: faults('from'),
        control: (attributes) =>
          html`<select ${attributes} name="from">
            ${renderOption('', 'the seed that default started with', from)}
            <optgroup label="A seed that ships">${seeds.map((name) => renderOption(name, name, from))}</optgroup>
            <optgroup label="A copy of a sandbox">${names.map(({ name }) => renderOption(name, name, from))}</optgroup>
          </select>`,
      })}
      <details ${(text !== '' || seedFaults.length > 0) && html`open`}>
        <summary>Begin with a seed of your own</summary>
        ${renderSeedFields(text, seedFaults)}
      </details>
      ${renderField({
        id: 'lifetime',
        label: 'Is dropped after',
        hint: 'Counted from its last use.',
        faults: faults('expires_in_seconds'),
        control: (attributes) =>
          html`<select ${attributes} name="lifetime">
            ${lifetimes.map((seconds) => renderOption(String(seconds), describeLength(seconds * 1000), lifetime))}
          </select>`,
      })}
      <p class="actions row">
        <button class="primary">Make the sandbox</button> <a href="${startOf(origin)}">Cancel</a>
      </p>
    </form>`,
  };
}

export async function make(visit: Visit, services: ConsoleServices): Promise<Page> {
  const { form, origin } = visit;
  const name = visit.sandbox || enteredName(visit);
  let text = form['seed'] ?? '';
  try {
    text = readSeed(visit);
    const request = readSandboxRequest({
      ...(form['from'] ? { from: form['from'] } : {}),
      ...(text === '' ? {} : { seed: text }),
      expires_in_seconds: Number(form['lifetime'] ?? defaultLifetimeSeconds),
    });
    // To replace a sandbox is left to the API: here it would happen by mistake.
    const { users, base_url: baseUrl } = await services.sandboxesAt(origin).create(name, request, false);
    return donePage(origin, name, {
      status: 201,
      title: 'Sandbox made',
      notice: `The sandbox was made. ${
        users.length === 0
          ? 'No user of it can have a token.'
          : 'Copy the tokens that you need: they are shown this once.'
      }`,
      main: html`${renderBase(baseUrl)}
      ${users.length > 0 && renderTokens('Tokens, which select this sandbox by themselves', users)}`,
    });
  } catch (error) {
    const { status, lines } = getFaults(error);
    const seedFaults = listSeedFaults(error, text);
    // Errors that concern no field, such as an unknown source or too many sandboxes, but not those of a seed.
    const ofNone = error instanceof SeedError ? [] : faultsAt(lines, null);
    return newPage(visit, services, text, status, (field) =>
      field === 'seed' ? seedFaults : [...faultsAt(lines, field), ...(field === 'from' ? ofNone : [])],
    );
  }
}

const enteredName = ({ form }: Visit): string => (form['name'] ?? '').trim();

/** A balancer reads the name in the path, and chooses the service to which the sandbox belongs. */
export async function chooseName(visit: Visit, services: ConsoleServices): Promise<ConsoleAnswer> {
  const name = enteredName(visit) || makeUpName();
  if (!isSandboxName(name)) return make(visit, services);
  return { redirect: `/_understudy/console/${name}/make/`, status: 307 };
}
