// A replace by a person, as pages do it: users whom the seed names without a token keep theirs, what was is kept for Undo,
// and it can be tried. An export holds no tokens, so that its replace would end all of them.
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { foldName, hashOf, type Seed } from '../format/seed-types.ts';
import { loadAll, replace, type ReplaceOptions, type SeedSummary } from './apply.ts';
import { keepUndo } from './copy-queries.ts';
import { type HeldToken, listHeldTokens } from './existing-queries.ts';
import { lockCounters, rollBack } from './queries.ts';

interface CarefulOptions extends ReplaceOptions {
  readonly seeds: readonly [Seed];
  /** A sandbox with more users and subscriptions gets no undo. */
  readonly maxUndoRows: number;
  /** Everything is checked and counted, and nothing changed. */
  readonly isTrial: boolean;
}

export interface Loaded {
  readonly summary: SeedSummary;
  /** The users who lose a token, by name. */
  readonly losers: readonly string[];
}

/** Throws SeedError with all errors, and SandboxGone. */
export const replaceCarefully = (db: Kysely<Tables>, options: CarefulOptions) =>
  loadAll(db, options, async (locked): Promise<Loaded> => {
    const { sandboxId, seeds, maxUndoRows, isTrial } = options;
    await lockCounters(locked, sandboxId);
    const { seed, losers } = keepTokens(seeds[0], await listHeldTokens(locked, sandboxId));
    if (!isTrial) await keepUndo(locked, sandboxId, maxUndoRows);
    const summary = await replace(locked, { ...options, seeds: [seed] });
    if (isTrial) await rollBack(locked);
    return { summary, losers };
  });

const fold = (username: string): string => foldName('users', username);

function keepTokens(seed: Seed, held: readonly HeldToken[]): { seed: Seed; losers: string[] } {
  const given = new Set(seed.users.flatMap(({ tokens }) => tokens.map(hashOf)));
  const heldBy = Map.groupBy(held, ({ username }) => fold(username));
  const users = seed.users.map((user) => {
    if (user.tokens.length > 0) return user;
    const kept = (heldBy.get(fold(user.username)) ?? []).filter(({ hash, is_own }) => !is_own && !given.has(hash));
    return { ...user, tokens: kept.map(({ hash }) => ({ place: user.place, hash })) };
  });
  const names = new Set(users.map(({ username }) => fold(username)));
  const valid = new Set(users.flatMap(({ tokens }) => tokens.map(hashOf)));
  // The sandbox's own tokens are valid for as long as it has users of their names.
  const lost = held.filter(({ hash, username, is_own }) => (is_own ? !names.has(fold(username)) : !valid.has(hash)));
  return { seed: { ...seed, users }, losers: [...new Set(lost.map(({ username }) => username))] };
}
