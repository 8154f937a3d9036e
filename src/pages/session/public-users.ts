// The users of a sandbox whose tokens are public, and what they show: those of the seeds that ship.
import { hashToken } from '../../access/credentials.ts';
import type { Database } from '../../database/database.ts';
import type { Choice } from '../../http/visitor.ts';
import { listSampleStates, type SampleState } from './queries.ts';

export type Samples = ReturnType<typeof createSamples>;

/** @param readPublicTokens called at the first page that shows users: not at start */
export function createSamples(
  { reads }: Pick<Database, 'reads'>,
  readPublicTokens: () => Promise<readonly { readonly token: string }[]>,
) {
  let reading: Promise<ReadonlyMap<string, string>> | undefined;

  async function read(): Promise<ReadonlyMap<string, string>> {
    const samples = await readPublicTokens();
    return new Map(samples.map(({ token }) => [hashToken(token).toString('hex'), token]));
  }

  return {
    /** Those that are in the sandbox now, whatever it was seeded with. */
    async of(sandbox: string): Promise<Choice[]> {
      reading ??= read();
      // A failed read is tried again.
      reading.catch(() => (reading = undefined));
      const tokens = await reading;
      const found = await listSampleStates(reads, { sandbox, hashes: [...tokens.keys()] });
      return found.map((state) => ({
        username: state.username,
        note: describe(state),
        token: tokens.get(state.hash) as string,
      }));
    },
  };
}

function describe({ is_superuser, subscriptions, targeted }: SampleState): string {
  const count = ['no subscriptions', 'one subscription'][subscriptions] ?? `${subscriptions} subscriptions`;
  const limited = targeted > 0 && `${targeted} of them limited to a project or component`;
  return [is_superuser && 'superuser', count, limited].filter(Boolean).join(', ');
}
