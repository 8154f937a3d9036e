// Sandboxes expire unless they are used. Requests only note a use in memory, and a timer writes the notes once a
// minute. Several services may do so on one database.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { defaultSandbox } from '../access/which-sandbox.ts';
import type { Handle } from '../database/prepare.ts';
import { findSandboxId } from '../access/queries.ts';
import { type Db, deleteSandbox, deleteUnusedTemplates, listExpired, renew } from './queries.ts';

export type Expiry = ReturnType<typeof createExpiry>;

interface ExpiryOptions {
  /** Unused templates are deleted after so long. */
  readonly templateSeconds?: number;
  /** Called as soon as a sandbox is deleted. */
  readonly onDeleted?: (name: string) => void;
}

// Within a minute, every service has renewed what it saw used.
const tickSeconds = 60;

export function createExpiry(db: Db, { templateSeconds = 3600, onDeleted }: ExpiryOptions = {}) {
  const used = new Set<string>();

  // A note stays until it is written, even if the statement fails. A use during the statement counts from the
  // statement's start; that shortens the lifetime by far less than the grace of a tick.
  async function renewUsed(): Promise<void> {
    const names = [...used];
    if (names.length === 0) return;
    const locked = await renew(db, names);
    for (const name of names) if (!locked.includes(name)) used.delete(name);
  }

  return {
    /** Notes a use of a sandbox that exists. */
    noteUse: (name: string) => void used.add(name),
    /** Whether a use is noted and not yet written, so that the sandbox existed a minute ago. */
    isNoted: (name: string) => used.has(name),
    /** Deletes the note of a sandbox that no longer exists. */
    forget: (name: string) => void used.delete(name),
    /**
     * Renews the used sandboxes, then deletes the expired ones and returns their names. A failure for one sandbox doesn't
     * stop the others: it is thrown at the end, and the next tick tries again.
     */
    async tick(): Promise<string[]> {
      const failures: unknown[] = [];
      const deleted: string[] = [];
      await renewUsed();
      for (const name of await listExpired(db, tickSeconds)) {
        try {
          if (used.has(name) || !(await deleteSandbox(db, name, tickSeconds))) continue;
          deleted.push(name);
          onDeleted?.(name);
        } catch (error) {
          failures.push(error);
        }
      }
      await deleteUnusedTemplates(db, templateSeconds);
      if (failures.length > 0)
        throw new AggregateError(failures, `could not drop ${failures.length} expired sandboxes`);
      return deleted;
    },
  };
}

// Its lifetime runs from its creation anyway.
const makers = new Set(['PUT /_understudy/sandboxes/:name', 'POST /_understudy/console/:name/make/']);

/**
 * Every request of the app that names a sandbox and succeeds counts as its use. Those of the mirrored API are counted
 * where they are noted in the journal, whatever their answer.
 */
export function noteUses(app: FastifyInstance, expiry: Expiry, reads: Handle): void {
  app.addHook('onResponse', async (request, { statusCode }) => {
    const { prefix, sandbox } = request.context.place;
    const { name = prefix === '' ? defaultSandbox : sandbox } = request.params as { name?: string };
    const { method, routeOptions } = request;
    if (statusCode >= 400 || makers.has(`${method} ${routeOptions.url}`)) return;
    if (name === defaultSandbox || expiry.isNoted(name)) return;
    // It may have been deleted, even by this request. Requests that fail because of the database log that.
    if ((await findSandboxId(reads, name).catch(() => undefined)) !== undefined) expiry.noteUse(name);
  });
}

/** Returns a function that stops the timer. */
export function startExpiry(expiry: Expiry, log: FastifyBaseLogger): () => void {
  const tick = async () => {
    try {
      const deleted = await expiry.tick();
      if (deleted.length > 0) log.info({ sandboxes: deleted }, 'dropped expired sandboxes');
    } catch (error) {
      log.warn({ err: error }, 'could not renew or drop some sandboxes; the next attempt follows in a minute');
    }
  };
  const timer = setInterval(() => void tick(), tickSeconds * 1000).unref();
  return () => clearInterval(timer);
}
