// The users of a sandbox whose tokens are public, and what they show: those of the documented sample.
import { hashToken } from '../access/credentials.ts';
import type { Database } from '../database/database.ts';
import type { Choice } from '../pages/frame/visitor.ts';
import { listSampleStates, type SampleState } from './queries.ts';

export interface Sample {
  readonly username: string;
  /** A public token. */
  readonly token: string;
}

export type Samples = ReturnType<typeof createSamples>;

/** @param samples what the service started with; none where the seed isn't the documented sample */
export function createSamples({ reads }: Pick<Database, 'reads'>, samples: readonly Sample[]) {
  const tokens = new Map(samples.map(({ token }) => [hashToken(token).toString('hex'), token]));
  return {
    /** Those that are in the sandbox now: it may have been seeded with something else. */
    async of(sandbox: string): Promise<Choice[]> {
      if (tokens.size === 0) return [];
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
  const count =
    subscriptions === 0
      ? 'no subscriptions'
      : subscriptions === 1
        ? 'one subscription'
        : `${subscriptions} subscriptions`;
  return [
    ...(is_superuser ? ['superuser'] : []),
    count,
    ...(targeted > 0 ? [`${targeted} of them limited to a project or component`] : []),
  ].join(', ');
}
