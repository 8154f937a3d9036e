// Sandboxes expire unless they are used. Requests only note a use in memory; a timer writes the notes once
// per minute.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { defaultSandbox } from '../access/which-sandbox.ts';
import type { Database } from '../database/database.ts';
import { findSandboxId } from '../access/caller-queries.ts';
import { deleteUnusedTemplate } from '../seeds/load/write-queries.ts';
import * as queries from './queries.ts';

export type Expiry = ReturnType<typeof createExpiry>;

// Each service renews used sandboxes this often, so a sandbox is dropped only this long after it expires.
const tickSeconds = 60;

/** @param templateSeconds the age from which unused templates (templates.ts) are deleted */
export function createExpiry(
  { read, act }: Pick<Database, 'read' | 'act'>,
  onDeleted?: (name: string) => void,
  templateSeconds = 3600,
) {
  // A handle that belongs to no sandbox.
  const sweep = act('', 'long');
  // Each sandbox's last use, as a number. A use while notes are written gets a new number: its note stays.
  const used = new Map<string, number>();
  let uses = 0;
  let ticking: Promise<string[]> | undefined;

  async function renewUsed() {
    const noted = [...used];
    const locked = await queries.renew(sweep, { names: noted.map(([name]) => name) });
    const left = new Set(locked.map(({ name }) => name));
    for (const [name, use] of noted) if (!left.has(name) && used.get(name) === use) used.delete(name);
  }

  // Each template is deleted by its own statement, which has the whole time limit.
  async function deleteUnused() {
    const unused = await queries.listUnused(read, { older_than_seconds: templateSeconds });
    for (const template of unused) await deleteUnusedTemplate(sweep, template);
    for (const owner of await queries.listOldUndos(read, {})) await queries.dropOldUndo(sweep, owner);
  }

  async function tick() {
    const failures: unknown[] = [];
    const deleted: string[] = [];
    await renewUsed();
    for (const { name } of await queries.listExpired(read, { grace_seconds: tickSeconds })) {
      if (used.has(name)) continue;
      try {
        const expired = { name, expired_for_seconds: tickSeconds };
        if ((await queries.deleteSandbox(act(name, 'long'), expired))[0]?.value !== true) continue;
        deleted.push(name);
        onDeleted?.(name);
      } catch (error) {
        failures.push(error);
      }
    }
    await deleteUnused();
    if (failures.length > 0) throw new AggregateError(failures, `could not drop ${failures.length} expired sandboxes`);
    return deleted;
  }

  return {
    /** The sandbox must exist. */
    noteUse: (name: string) => void used.set(name, ++uses),
    /** Whether a use is noted but not written yet. At that use, the sandbox existed. */
    isNoted: (name: string) => used.has(name),
    forget: (name: string) => void used.delete(name),
    /** Returns the deleted sandboxes' names. Throws failed deletions only after all were tried. */
    tick: () => (ticking ??= tick().finally(() => (ticking = undefined))),
  };
}

// These routes make a sandbox. Its lifetime starts then anyway, so they note no use.
const makers = new Set(['PUT /_understudy/sandboxes/:name', 'POST /_understudy/console/:name/make/']);

/** For the control API and the open pages. For the Weblate API, traffic.ts notes uses. */
export function noteUses(app: FastifyInstance, expiry: Expiry, reads: Database['read']) {
  app.addHook('onResponse', async (request, { statusCode }) => {
    const { prefix, sandbox } = request.context.place;
    const { name = prefix === '' ? defaultSandbox : sandbox } = request.params as { name?: string };
    if (statusCode >= 400 || makers.has(`${request.method} ${request.routeOptions.url}`)) return;
    if (name === defaultSandbox || expiry.isNoted(name)) return;
    // The sandbox may be gone, for example because this request deleted it.
    if ((await findSandboxId(reads, name).catch(() => undefined)) !== undefined) expiry.noteUse(name);
  });
}

export function startExpiry(expiry: Expiry, log: FastifyBaseLogger) {
  const tick = async () => {
    const sandboxes = await expiry.tick();
    if (sandboxes.length > 0) log.info({ sandboxes }, 'dropped expired sandboxes');
  };
  const warn = (err: unknown) =>
    log.warn({ err }, 'could not renew or drop some sandboxes; the next attempt follows in a minute');
  const timer = setInterval(() => void tick().catch(warn), tickSeconds * 1000).unref();
  return () => clearInterval(timer);
}
