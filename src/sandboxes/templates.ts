// Templates: hidden sandboxes that never change, one for each seed. A sandbox from a seed is a copy of its
// template. A copy made in advance waits to become the next sandbox: it then gets a name and tokens.
import { hash } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { getTemplate } from '../seeds/load/apply.ts';
import { readSeedText } from '../seeds/load/load-rows.ts';
import type { Reader } from '../seeds/yaml/thread.ts';
import type { NamedText } from '../seeds/yaml/yaml-text.ts';
import { addWaitingCopy } from './queries.ts';

// Remembered seeds. A test run uses one or two.
const maxRemembered = 100;
// A client that makes many sandboxes in a row asks for the next one within this time.
const idleMs = 5;

export function createTemplates(db: Database['load']) {
  // Concurrent calls for one seed share a promise.
  const known = new Map<string, { id: Promise<number>; left: AbortSignal | undefined }>();
  return {
    /** Makes the template if there is none, and returns its id. Throws SeedError. */
    async get(text: NamedText, reader: Reader): Promise<number> {
      const key = keyOf(text);
      const making = known.get(key) ?? { id: findOrMake(db, text, reader), left: reader.left };
      known.set(key, making);
      if (known.size > maxRemembered) known.delete(known.keys().next().value as string);
      try {
        return await making.id;
      } catch (error) {
        if (known.get(key) === making) known.delete(key);
        // The client who asked first may have left, which ends the work: then it is repeated.
        if (making.left?.aborted !== true || reader.left?.aborted === true) throw error;
        return this.get(text, reader);
      }
    },
    forget: (text: NamedText) => void known.delete(keyOf(text)),
  };
}

const keyOf = ({ text, file, at }: NamedText) => hash('sha256', JSON.stringify([file, at, text]));

const findOrMake = async (db: Database['load'], text: NamedText, reader: Reader) =>
  getTemplate(db, { rows: await readSeedText(text, reader), seedName: text.file, signal: reader.left });

export function createWaitingCopies(act: Database['act']) {
  /** How many sandboxes were made from each template. Only the last used templates are kept. */
  const uses = new Map<number, number>();
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;

  // If the database is unavailable, the copy is made after the next use.
  const make = (template: number) => addWaitingCopy(act('', 'copy'), { template }).catch(() => undefined);

  return {
    /** Calls `work` to make a sandbox. From a template's second use on, copies it for the next sandbox. */
    async use<T>(template: number, work: () => Promise<T>) {
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
