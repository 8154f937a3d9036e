// Sandboxes expire unless they are used. Use is noted in memory and written down once a minute, so that no request pays for it;
// several services on one database may do so at once.
import { dropExpired, dropUnusedTemplates, renew } from './sandboxes-expiry-queries.ts';
import type { Db } from './sandboxes-queries.ts';

export interface Expiry {
  /** A request meant this sandbox. */
  noteUse(name: string): void;
  /** Renews what was used, then drops what has expired. Gives the names of those that went. */
  tick(): Promise<string[]>;
}

/** A minute: what another service saw used is renewed by then. */
export const tickSeconds = 60;
// Names come from requests, whether such sandboxes exist or not.
const maxNoted = 10_000;

export function createExpiry(db: Db, { graceSeconds = tickSeconds, templateSeconds = 3600 } = {}): Expiry {
  let used = new Set<string>();
  return {
    noteUse(name) {
      if (used.size < maxNoted) used.add(name);
    },
    async tick() {
      const names = [...used];
      used = new Set();
      if (names.length > 0) await renew(db, names);
      const dropped = await dropExpired(db, graceSeconds);
      await dropUnusedTemplates(db, templateSeconds);
      return dropped;
    },
  };
}
