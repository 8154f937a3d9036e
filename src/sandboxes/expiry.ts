// Sandboxes expire unless they are used. Use is noted in memory and written down once a minute, so that no request pays for it;
// several services on one database may do so at once.
import { dropIfExpired, dropUnusedTemplates, listExpired, renew } from './expiry-queries.ts';
import type { Db } from './queries.ts';

export interface Expiry {
  /** A request meant this sandbox, which exists. */
  noteUse(name: string): void;
  /** Whether its use is noted and not yet written down; so it existed a minute ago. */
  isNoted(name: string): boolean;
  /** Drops the note: the sandbox of that name went, or is another one now. */
  forget(name: string): void;
  /**
   * Renews what was used, then drops what has expired. Gives the names of those that went. One that can't be renewed or dropped keeps
   * none of the others from it; what failed is thrown at the end and done at the next tick.
   */
  tick(): Promise<string[]>;
}

export interface ExpiryOptions {
  readonly graceSeconds?: number;
  readonly templateSeconds?: number;
  /** Called for each sandbox at the moment that it is dropped. */
  readonly onDropped?: (name: string) => void;
}

/** A minute: what another service saw used is renewed by then. */
export const tickSeconds = 60;

export function createExpiry(
  db: Db,
  { graceSeconds = tickSeconds, templateSeconds = 3600, onDropped }: ExpiryOptions = {},
): Expiry {
  let used = new Set<string>();

  async function renewUsed(): Promise<void> {
    const names = [...used];
    used = new Set();
    if (names.length === 0) return;
    // Until it is answered, all of them.
    let open = names;
    try {
      open = await renew(db, names);
    } finally {
      for (const name of open) used.add(name);
    }
  }

  async function dropExpired(failures: unknown[]): Promise<string[]> {
    const dropped: string[] = [];
    for (const { id, name } of await listExpired(db, graceSeconds)) {
      if (used.has(name)) continue;
      try {
        if (!(await dropIfExpired(db, id, graceSeconds))) continue;
        dropped.push(name);
        onDropped?.(name);
      } catch (error) {
        failures.push(error);
      }
    }
    return dropped;
  }

  return {
    noteUse: (name) => void used.add(name),
    isNoted: (name) => used.has(name),
    forget: (name) => void used.delete(name),
    async tick() {
      const failures: unknown[] = [];
      await renewUsed();
      const dropped = await dropExpired(failures);
      await dropUnusedTemplates(db, templateSeconds);
      if (failures.length > 0)
        throw new AggregateError(failures, `${failures.length} expired sandboxes are still there`);
      return dropped;
    },
  };
}
