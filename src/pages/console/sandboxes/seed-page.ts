// Loads a seed into a sandbox, and shows what that changed.
import { html } from '../../html.ts';
import { describeSummary, hasChanges } from '../../../seeds/load/summary.ts';
import { sandboxUrl } from '../console-frame.ts';
import type { ConsoleRoute, Page, Visit } from '../console-page.ts';
import { faultsAt, getFaults } from '../fields.ts';
import { describeSeedFaults, readSeed, renderSeedFields } from './seed-fields.ts';

type Shown = Omit<Parameters<typeof renderSeedFields>[0], 'text'> & {
  readonly text?: string;
  readonly status?: number;
};

function seedPage({ origin, params }: Visit, { text = '', faults, status = 200 }: Shown = {}): Page {
  const { name = '' } = params;
  const url = sandboxUrl(origin, name);
  return {
    status,
    title: 'Load a seed',
    of: { sandbox: name, tab: 'overview' },
    main: html`<h2 class="heading">Load a seed</h2>
      <p>
        The sandbox then holds exactly what the seed says, and a reset leads back to it. Its own tokens, snapshots,
        faults and journal stay. To change what it holds now,
        <a href="${url}export/?format=yaml" download>export</a> it, edit the file, and load it here.
      </p>
      <form method="post" action="${url}seed/" enctype="multipart/form-data">
        ${renderSeedFields({ text, ...(faults && { faults }) })}
        <p class="actions"><button class="primary">Load the seed</button> <a href="${url}">Cancel</a></p>
      </form>`,
  };
}

async function load(visit: Visit, text: string, put: (text: string) => Promise<Parameters<typeof hasChanges>[0]>) {
  const { origin, params } = visit;
  const { name = '' } = params;
  const summary = await put(text);
  return {
    title: 'Seed loaded',
    of: { sandbox: name, tab: 'overview' },
    notice: hasChanges(summary) ? 'The seed was loaded.' : 'The seed was loaded. The sandbox held exactly that before.',
    main: html`<h2 class="heading">What changed</h2>
      <ul class="plain">
        ${describeSummary(summary).map((line) => html`<li>${line}</li>`)}
      </ul>
      <p class="actions"><a href="${sandboxUrl(origin, name)}">To the overview</a></p>`,
  } satisfies Page;
}

export const seedRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: 'console/:name/seed/',
    handle: async (visit, { sandboxesAt }) => {
      await sandboxesAt(visit.origin).get(visit.params['name'] ?? '');
      return seedPage(visit);
    },
  },
  {
    method: 'POST',
    path: 'console/:name/seed/',
    handle: async (visit, { sandboxesAt }) => {
      let text = visit.form['seed'] ?? '';
      try {
        text = readSeed(visit);
        if (text === '') return seedPage(visit, { faults: ['Paste a seed, or choose a file.'], status: 400 });
        const { name = '' } = visit.params;
        return await load(visit, text, (seed) => sandboxesAt(visit.origin).putSeed(name, seed));
      } catch (error) {
        const { status, lines } = getFaults(error);
        if (status === 404) throw error;
        const bySeed = describeSeedFaults(error, text);
        return seedPage(visit, { text, status, faults: bySeed ? [bySeed] : faultsAt(lines, 'seed') });
      }
    },
  },
];
