// Patterns of subscriptions that many users share: notifications, scopes and frequencies.
import { frequencies, scopes } from '../resources/notifications/codes.ts';
import { notificationNames } from '../resources/notifications/names.ts';
import type { Random } from './random.ts';

export interface Slot {
  readonly notification: string;
  readonly scope: number;
  readonly frequency: number;
  /** Which of the user's projects or components; 0 where the scope has no target. */
  readonly target: number;
}

const patternCount = 64;
// Among a hundred subscriptions that users chose by hand.
const frequencyShares: readonly (readonly [number, number])[] = [
  [frequencies.instant, 50],
  [frequencies.daily, 25],
  [frequencies.weekly, 15],
  [frequencies.none, 7],
  [frequencies.monthly, 3],
];
const weights: Readonly<Record<number, number>> = {
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

/** Patterns of exactly so many different subscriptions, by scope and in each scope by name. */
export function makePatterns(subscriptions: number, targets: number, random: Random): readonly (readonly Slot[])[] {
  const plain = [scopes.all, scopes.watched, scopes.administered].map((scope) => ({ scope, target: 0 }));
  const limited = Array.from({ length: targets }, (_, target) => [
    { scope: scopes.project, target },
    { scope: scopes.component, target },
  ]).flat();
  const all = [...plain, ...limited].flatMap((where) =>
    notificationNames.map((notification) => ({ notification, ...where })),
  );
  return Array.from({ length: patternCount }, () => {
    const drawn = all.map((slot, order) => ({ slot, order, rank: random.below(2 ** 32) / (weights[slot.scope] ?? 1) }));
    return drawn
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, subscriptions)
      .toSorted((a, b) => a.slot.scope - b.slot.scope || a.order - b.order)
      .map(({ slot }) => ({ ...slot, frequency: drawFrequency(random) }));
  });
}

function drawFrequency(random: Random): number {
  let drawn = random.below(100);
  for (const [frequency, share] of frequencyShares) {
    if (drawn < share) return frequency;
    drawn -= share;
  }
  return frequencies.instant;
}
