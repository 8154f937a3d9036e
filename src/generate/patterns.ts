// Patterns of subscriptions that many users share: notifications, scopes and frequencies.
import { frequencies, scopes } from '../resources/notifications/codes.ts';
import { notificationNames } from '../resources/notifications/names.ts';
import type { Random } from './random.ts';

export type Pattern = ReturnType<typeof makePatterns>[number];

const patternCount = 64;
// The frequencies of a hundred subscriptions.
const hundredFrequencies = (
  [
    [frequencies.instant, 50],
    [frequencies.daily, 25],
    [frequencies.weekly, 15],
    [frequencies.none, 7],
    [frequencies.monthly, 3],
  ] as const
).flatMap(([frequency, share]) => Array.from({ length: share }, () => frequency));
const weights = {
  [scopes.all]: 2,
  [scopes.watched]: 12,
  [scopes.administered]: 5,
  [scopes.project]: 2,
  [scopes.component]: 2,
};

/** How many projects, and as many components, a user needs to choose from for so many subscriptions. */
export function targetsFor(subscriptions: number): number {
  // Twice as many choices as subscriptions, so that patterns differ.
  return Math.max(2, Math.ceil(subscriptions / notificationNames.length - 1.5));
}

/**
 * Patterns of exactly so many different subscriptions. `target` numbers the projects, or components, that a user
 * chooses from.
 */
export function makePatterns(subscriptions: number, random: Random) {
  const limited = Array.from({ length: targetsFor(subscriptions) }, (_, target) =>
    ([scopes.project, scopes.component] as const).map((scope) => ({ scope, target })),
  );
  const plain = ([scopes.all, scopes.watched, scopes.administered] as const).map((scope) => ({ scope, target: 0 }));
  const all = [...plain, ...limited.flat()]
    .flatMap((where) => notificationNames.map((notification) => ({ notification, ...where })))
    .map((slot, order) => ({ ...slot, order }));
  return Array.from({ length: patternCount }, () =>
    all
      .map((slot) => ({ slot, rank: random(2 ** 32) / weights[slot.scope] }))
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, subscriptions)
      .map(({ slot }) => slot)
      .toSorted((a, b) => a.scope - b.scope || a.order - b.order)
      .map((slot) => ({ ...slot, frequency: hundredFrequencies[random(100)] })),
  );
}
