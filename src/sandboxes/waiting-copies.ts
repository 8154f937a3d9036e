// Finished copies of templates wait for the next sandbox, which then needs only a name and tokens.
import type { Database } from '../database/database.ts';
import { addWaitingCopy } from './queries.ts';

// Test runs use one or two seeds.
const maxRemembered = 100;
// A client that makes several sandboxes in a row has asked for the next one by then.
const idleMs = 5;

export function createWaitingCopies(act: Database['act']) {
  /** How often sandboxes were made from each; of those that were used last. */
  const uses = new Map<number, number>();
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;

  // One whose database is away or ends is made after the next use.
  const make = (template: number) => addWaitingCopy(act('', 'copy'), { template }).catch(() => undefined);

  return {
    /** Makes a sandbox. From the second one of a template on, a copy is made for the next, once nothing is under way. */
    async use<T>(template: number, work: () => Promise<T>): Promise<T> {
      const count = (uses.get(template) ?? 0) + 1;
      uses.delete(template);
      uses.set(template, count);
      if (uses.size > maxRemembered) uses.delete(uses.keys().next().value as number);
      clearTimeout(timer);
      underWay++;
      try {
        return await work();
      } finally {
        underWay--;
        if (underWay === 0 && count > 1) timer = setTimeout(() => void make(template), idleMs).unref();
      }
    },
  };
}
