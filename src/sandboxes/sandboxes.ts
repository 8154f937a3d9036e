// The operations on sandboxes. They throw ApiErrors, whose texts clients get.
import type { Database } from '../database/database.ts';
import { randomBytes } from 'node:crypto';
import { apiError, validationError } from '../base/errors.ts';
import { didYouMean } from '../base/nearest.ts';
import { baseUrlOf, defaultSandbox, isSandboxName } from '../access/which-sandbox.ts';
import { replaceBy } from '../seeds/load/apply.ts';
import { findSandboxId } from '../access/caller-queries.ts';
import { SandboxGone } from '../seeds/load/queries.ts';
import { readSeedText } from '../seeds/load/load-rows.ts';
import { maxUndoRows } from './sandbox-schemas.ts';
import { badSnapshot, findNameErrors, type LoadWays, type SandboxRequest, takenName } from './sandbox-requests.ts';
import * as queries from './queries.ts';
import { listShippedSeeds, readNamedText } from '../seeds/load/seed-name.ts';
import { createTemplates, createWaitingCopies } from './templates.ts';
import { SeedError } from '../seeds/format/seed-errors.ts';

export type Sandboxes = ReturnType<ReturnType<typeof createSandboxes>>;

/** Called after changes. `onFresh`: created, reset or restored. `onSeeded`: a seed loaded, or an undo. */
type SandboxWatch = Readonly<Record<'onFresh' | 'onDeleted' | 'onSeeded', (name: string) => void>>;

export const makeUpName = () => `sandbox-${randomBytes(5).toString('hex')}`;

/** @param maximum how many sandboxes there may be, `default` included */
export function createSandboxes(
  { read, act, load }: Pick<Database, 'read' | 'act' | 'load'>,
  maximum: number,
  watch?: SandboxWatch,
) {
  const templates = createTemplates(load);
  const copies = createWaitingCopies(act);

  async function findSourceOf({ from, seed }: SandboxRequest, shipped: readonly string[]) {
    if (seed !== undefined) return seed;
    if (from === undefined) {
      const [source = refuse(defaultSandbox)] = await queries.findSource(read, { name: defaultSandbox });
      return source.baseline_id ?? source.id;
    }
    if (shipped.includes(from)) return { ...(await readNamedText(from)), file: from };
    const [source = refuseSource(from, shipped)] = await queries.findSource(read, { name: from });
    return source.id;
  }

  // Tries again if the source is deleted meanwhile, such as a seed's template.
  async function put(name: string, request: SandboxRequest, replaces: boolean, left?: AbortSignal) {
    const shipped = await checkNewName(name, request, replaces, left);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const source = await findSourceOf(request, shipped);
      const sourceId = typeof source === 'number' ? source : await templates.get(source, { sandbox: name, left });
      const lifetime_seconds = request.expires_in_seconds;
      const wanted = { name, source_id: sourceId, lifetime_seconds, maximum, replaces };
      const copied = await copies.use(sourceId, () => queries.putSandbox(act(name, 'copy'), wanted));
      const rows = copied[0]?.outcome === 'there' ? await queries.putSandbox(act(name, 'long'), wanted) : copied;
      const outcome = rows[0]?.outcome ?? 'source gone';
      if (outcome === 'taken') throw validationError([takenName]);
      if (outcome === 'full') throw apiError('sandbox_limit', String(maximum));
      if (outcome !== 'source gone') return rows.flatMap(({ added }) => added ?? []);
      if (typeof source !== 'number') templates.forget(source);
    }
    return refuseSource(request.from ?? defaultSandbox);
  }

  /** Returns the shipped seeds' names. Throws the errors of name and seed together. */
  async function checkNewName(name: string, { seed }: SandboxRequest, replaces: boolean, left?: AbortSignal) {
    const shipped = await listShippedSeeds();
    const errors = findNameErrors(name, shipped);
    // Reports a taken name together with a seed's errors. Without a seed, the creating statement finds it.
    const mayBeTaken = errors.length === 0 && seed !== undefined && !replaces;
    if (mayBeTaken && (await findSandboxId(read, name)) !== undefined) errors.push(takenName);
    if (errors.length === 0) return shipped;
    const collect = (error: unknown) => {
      if (!(error instanceof SeedError)) throw error;
      errors.push(...error.lines);
    };
    if (seed !== undefined) await readSeedText(seed, { sandbox: name, left }).catch(collect);
    throw validationError(errors);
  }

  async function resetTo(name: string, snapshot: string | null, withUndo = false) {
    const max_undo_rows = withUndo ? maxUndoRows : null;
    const [outcome] = await queries.resetSandbox(act(name, 'long'), { name, snapshot, max_undo_rows });
    if (outcome?.value === 'no sandbox') refuse(name);
    if (outcome?.value === 'no source')
      throw snapshot === null ? apiError('sandbox_without_baseline', name) : apiError('snapshot_not_found', snapshot);
    watch?.onFresh(name);
  }

  /** @param left aborted when the client leaves, to end its loads */
  return (origin: string, left?: AbortSignal) => {
    const shown = <R extends { readonly name: string }>({ name, ...row }: R) => ({
      name,
      base_url: baseUrlOf(origin, name),
      ...row,
    });
    return {
      list: async () => (await queries.listSandboxes(read, {})).map(shown),
      get: async (name: string) => shown((await queries.findState(read, { name }))[0] ?? refuse(name)),
      async create(name: string, request: SandboxRequest, replaces = true) {
        const users = await put(name, request, replaces, left);
        watch?.onFresh(name);
        const token = (users.find((user) => user.is_superuser) ?? users[0])?.token ?? null;
        const [made = refuse(name)] = await queries.findSandbox(read, { name });
        return { ...shown(made), token, users };
      },
      async delete(name: string) {
        if (name === defaultSandbox) throw apiError('sandbox_permanent');
        const [deleted] = await queries.deleteSandbox(act(name, 'long'), { name, expired_for_seconds: null });
        if (deleted?.value !== true) refuse(name);
        watch?.onDeleted(name);
      },
      reset: (name: string, withUndo?: boolean) => resetTo(name, null, withUndo),
      async loadSeed(name: string, text: string, { check, keep_tokens, undo }: LoadWays = {}) {
        const rows = await readSeedText({ text, file: uploaded }, { sandbox: name, left });
        const ways = { isTrial: check, keepsTokens: keep_tokens, maxUndoRows: undo ? maxUndoRows : 0 };
        const options = { sandboxId: await getSandboxId(read, name), rows, seedName: uploaded, signal: left, ...ways };
        const summary = await replaceBy(load, options).catch((error: unknown) => {
          // The sandbox may have been deleted after its id was found.
          if (error instanceof SandboxGone) refuse(name);
          throw error;
        });
        if (!check) watch?.onSeeded(name);
        return summary;
      },
      /** Keeps the content for an undo, unless the sandbox has too many rows. */
      async keepUndo(name: string) {
        if ((await queries.keepUndo(act(name, 'long'), { name })).length === 0) refuse(name);
      },
      /** Restores the content that was kept last. Journal and fault rules stay. */
      async undo(name: string) {
        const [outcome] = await queries.undo(act(name, 'long'), { name });
        if (outcome?.value === 'no sandbox') refuse(name);
        if (outcome?.value === 'no source') throw apiError('nothing_to_undo', name);
        watch?.onSeeded(name);
      },
      async putSnapshot(name: string, snapshot: string) {
        if (!isSandboxName(snapshot)) throw validationError([badSnapshot]);
        const [outcome] = await queries.putSnapshot(act(name, 'long'), { name, snapshot });
        if (outcome?.value === 'no sandbox') refuse(name);
        if (outcome?.value === 'full') throw apiError('snapshot_limit', String(queries.maxSnapshots));
      },
      async listSnapshots(name: string) {
        await getSandboxId(read, name);
        return queries.listSnapshots(read, { name });
      },
      async deleteSnapshot(name: string, snapshot: string) {
        const wanted = { name, snapshot: isSandboxName(snapshot) ? snapshot : '' };
        const [deleted = refuse(name)] = await queries.deleteSnapshot(act(name, 'long'), wanted);
        if (!deleted.value) throw apiError('snapshot_not_found', snapshot.slice(0, 63));
      },
      async restore(name: string, snapshot: string, withUndo = false) {
        // PostgreSQL would reject a name with NUL.
        if (!isSandboxName(snapshot)) throw apiError('snapshot_not_found', snapshot.slice(0, 63));
        await resetTo(name, snapshot, withUndo);
      },
      getClock: async (name: string) => (await queries.findClock(read, { name }))[0] ?? refuse(name),
      /** @param now null lets the clock run; undefined advances it by `byMs` */
      async changeClock(name: string, now?: string | null, byMs = 0) {
        const advances = now === undefined;
        // A running clock advances from the process's time, which rate limits use too.
        // PostgreSQL's intervals hold at least 1e15 ms.
        const change = { name, advances, now: advances ? new Date() : now, by_ms: Math.min(byMs, 1e15) };
        const [clock] = await queries.changeClock(act(name), change);
        if (clock !== undefined) return clock;
        await getSandboxId(read, name);
        throw apiError('clock_limit');
      },
      async addToken(name: string, username: string) {
        const [{ is_full, added } = refuse(name)] = await queries.addToken(act(name), { name, username });
        if (is_full) throw apiError('token_limit', String(queries.maxCreatedTokens));
        if (added !== null) return added;
        // The sandbox may have been deleted while the statement waited.
        await getSandboxId(read, name);
        throw apiError('user_not_found', username);
      },
      async listTokens(name: string) {
        await getSandboxId(read, name);
        return queries.listTokens(read, { name });
      },
      async revokeToken(name: string, id: string) {
        const wanted = { name, token: /^[0-9a-f]{16}$/.test(id) ? id : '' };
        const [revoked = refuse(name)] = await queries.revokeToken(act(name), wanted);
        if (!revoked.value) throw apiError('token_not_found', id.slice(0, 63));
      },
    };
  };
}

// The name of a sent seed: a sandbox shows it as its seed.
const uploaded = 'uploaded';

/** @throws ApiError 404 */
export const getSandboxId = async (read: Database['read'], name: string) =>
  (await findSandboxId(read, name)) ?? refuse(name);

function refuse(name: string): never {
  throw apiError('sandbox_not_found', name.slice(0, 63));
}

function refuseSource(from: string, shipped: readonly string[] = []): never {
  throw apiError('sandbox_source_unknown', `"${from}"${didYouMean(from, shipped, '.')}`);
}
