// The users of the documented sample, whose tokens are public: the home page lists them.
import type { Seed } from '../seed/seed-types.ts';

export interface Sample {
  readonly username: string;
  readonly token: string;
  /** What the user shows. */
  readonly note: string;
}

/** The users of a seed that have a token. Only for seeds whose tokens are no secret. */
export function listSamples(seed: Seed): Sample[] {
  return seed.users.flatMap((user) => {
    const token = user.tokens[0]?.text;
    if (token === undefined) return [];
    const own = seed.subscriptions.filter((subscription) => subscription.user === user.username);
    const targeted = own.filter((subscription) => subscription.project !== null || subscription.component !== null);
    const note = [
      ...(user.fields['is_superuser'] === true ? ['superuser'] : []),
      own.length === 0 ? 'no subscriptions' : own.length === 1 ? 'one subscription' : `${own.length} subscriptions`,
      ...(targeted.length > 0 ? [`${targeted.length} of them limited to a project or component`] : []),
    ].join(', ');
    return [{ username: user.username, token, note }];
  });
}
