// What can be done with sandboxes, over HTTP as from the command line. Failures are ApiErrors with their final texts.
import type { Database } from '../database/database.ts';
import { randomBytes } from 'node:crypto';
import { apiError, validationError } from '../errors.ts';
import { defaultSandbox, isSandboxName } from '../access/which-sandbox.ts';
import { applySeed, type SeedSummary } from '../load/apply.ts';
import { findSandboxId, SandboxGone } from '../load/queries.ts';
import { readSeedText } from '../seed/read-text.ts';
import type { NewSandbox, Sandbox, SandboxDetail, UserToken } from './sandbox-schemas.ts';
import { badSnapshot, checkNewName, type SandboxRequest, seedRefused } from './sandbox-requests.ts';
import {
  addToken,
  dropSandbox,
  findSandbox,
  findSource,
  listSandboxes,
  listUsers,
  putSandbox,
  putSnapshot,
  resetSandbox,
  type SandboxRow,
} from './queries.ts';
import { createTemplates, listShippedSeeds, type SeedOrigin, seedOfText, shippedSeed } from './templates.ts';
import { SeedError } from '../seed/seed-faults.ts';

/** Implemented here on the database, and for the command line's `--url` by requests to a service. */
export interface Sandboxes {
  list(): Promise<Sandbox[]>;
  get(name: string): Promise<SandboxDetail>;
  /** Generates a name if none is given. Replaces a sandbox of that name. */
  create(name: string | undefined, request: SandboxRequest): Promise<NewSandbox>;
  remove(name: string): Promise<void>;
  reset(name: string): Promise<void>;
  /** Replaces the content by the seed's. `file` is its name in messages. */
  putSeed(name: string, text: string, file: string): Promise<SeedSummary>;
  putSnapshot(name: string, snapshot: string): Promise<void>;
  restore(name: string, snapshot: string): Promise<void>;
  addToken(name: string, username: string): Promise<UserToken>;
}

// Further users get a token by `addToken`.
const maxTokens = 100;
const maxSnapshots = 20;

/**
 * Returns the sandboxes with their URLs under an origin, such as `http://127.0.0.1:8000`. All origins share the templates.
 * @param maximum how many there may be, `default` included
 */
export function createSandboxes(
  { reads, transactions }: Pick<Database, 'reads' | 'transactions'>,
  maximum: number,
): (origin: string) => Sandboxes {
  const templates = createTemplates();

  async function findSourceOf({ from, seed }: SandboxRequest): Promise<SeedOrigin | number> {
    if (seed !== undefined) return seedOfText(seed);
    if (from === undefined) {
      const [source = refuse(defaultSandbox)] = await findSource(reads, { name: defaultSandbox });
      return source.baseline_id ?? source.id;
    }
    if ((await listShippedSeeds()).includes(from)) return shippedSeed(from);
    const [source] = await findSource(reads, { name: from });
    if (source === undefined) throw apiError('sandbox_source_unknown', from);
    return source.id;
  }

  // An unused template may have been dropped since it was found.
  async function put(name: string, request: SandboxRequest): Promise<UserToken[]> {
    const db = transactions(name);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const source = await findSourceOf(request);
      const sourceId = typeof source === 'number' ? source : await templates.get(db, source);
      const lifetimeSeconds = request.expires_in_seconds;
      const { outcome, tokens } = await putSandbox(db, { name, sourceId, lifetimeSeconds, maximum, maxTokens });
      if (outcome === 'full') throw apiError('sandbox_limit', String(maximum));
      if (outcome !== 'source gone') return tokens;
      if (typeof source !== 'number') templates.forget(source);
    }
    throw apiError('sandbox_source_unknown', request.from ?? defaultSandbox);
  }

  return (origin) => {
    const shown = (row: SandboxRow): Sandbox => ({
      name: row.name,
      base_url: row.name === defaultSandbox ? origin : `${origin}/sandboxes/${row.name}`,
      seed: row.seed_name,
      created: row.created_at.toISOString(),
      expires: row.expires_at?.toISOString() ?? null,
      expires_in_seconds: row.lifetime_seconds,
      snapshots: row.snapshots,
    });
    async function get(name: string): Promise<Sandbox> {
      const [row = refuse(name)] = await findSandbox(reads, { name });
      return shown(row);
    }

    return {
      list: async () => (await listSandboxes(reads, {})).map(shown),
      get: async (name) => ({ ...(await get(name)), users: await listUsers(reads, { name, limit: maxTokens }) }),
      async create(name = `sandbox-${randomBytes(5).toString('hex')}`, request) {
        checkNewName(name, await listShippedSeeds());
        const users = await explainSeed(put(name, request));
        const token = (users.find((user) => user.is_superuser) ?? users[0])?.token ?? null;
        return { ...(await get(name)), token, users };
      },
      async remove(name) {
        if (name === defaultSandbox) throw apiError('sandbox_permanent');
        if (!(await dropSandbox(transactions(name), name))) refuse(name);
      },
      async reset(name) {
        const outcome = await resetSandbox(transactions(name), name);
        if (outcome === 'no sandbox') refuse(name);
        if (outcome === 'no source') throw apiError('sandbox_without_baseline', name);
      },
      async putSeed(name, text, file) {
        const seed = await explainSeed(readSeedText({ text, file }));
        const sandboxId = (await findSandboxId(reads, name)) ?? refuse(name);
        const applied = applySeed(transactions(name), { sandboxId, seeds: [seed], mode: 'replace', seedName: file });
        return explainSeed(applied.catch((error: unknown) => refuseGone(error, name)));
      },
      async putSnapshot(name, snapshot) {
        if (!isSandboxName(snapshot)) throw validationError([badSnapshot]);
        const outcome = await putSnapshot(transactions(name), name, snapshot, maxSnapshots);
        if (outcome === 'no sandbox') refuse(name);
        if (outcome === 'full') throw apiError('snapshot_limit', String(maxSnapshots));
      },
      async restore(name, snapshot) {
        // Not sent to the database, which rejects NUL.
        if (!isSandboxName(snapshot)) throw apiError('snapshot_not_found', snapshot.slice(0, 63));
        const outcome = await resetSandbox(transactions(name), name, snapshot);
        if (outcome === 'no sandbox') refuse(name);
        if (outcome === 'no source') throw apiError('snapshot_not_found', snapshot);
      },
      async addToken(name, username) {
        const token = await addToken(transactions(name), name, username);
        if (token !== undefined) return token;
        await get(name);
        throw apiError('user_not_found', username);
      },
    };
  };
}

function refuse(name: string): never {
  throw apiError('sandbox_not_found', name.slice(0, 63));
}

// A sandbox may be dropped after its id was found.
function refuseGone(error: unknown, name: string): never {
  if (error instanceof SandboxGone) refuse(name);
  throw error;
}

async function explainSeed<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof SeedError ? seedRefused(error) : error;
  }
}
