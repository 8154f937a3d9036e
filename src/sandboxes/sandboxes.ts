// What is done with sandboxes, over HTTP as from the command line. Refusals are ApiErrors with the words for people.
import { randomBytes } from 'node:crypto';
import { apiError } from '../errors.ts';
import { defaultSandbox } from '../access/which-sandbox.ts';
import { applySeed, type SeedSummary } from '../load/apply.ts';
import { findSandboxId, SandboxGone } from '../load/queries.ts';
import { readSeedText } from '../seed/read-text.ts';
import { checkNewName, checkSnapshotName, type SandboxRequest, seedRefused } from './requests.ts';
import {
  addToken,
  type Db,
  dropSandbox,
  findSandbox,
  findSource,
  listSandboxes,
  listUsers,
  type OwnToken,
  putSandbox,
  putSnapshot,
  resetSandbox,
  type SandboxRow,
  type UserRow,
} from './queries.ts';
import { createSeedReader, createTemplates, type KnownSeed, listShippedSeeds } from './templates.ts';
import { SeedError } from '../seed/seed-faults.ts';

export interface Sandbox {
  readonly name: string;
  readonly base_url: string;
  /** What it was made from; null where nobody said. */
  readonly seed: string | null;
  readonly created: string;
  /** Null: never. Renewed by use. */
  readonly expires: string | null;
  readonly expires_in_seconds: number | null;
  readonly snapshots: readonly string[];
}

export interface NewSandbox extends Sandbox {
  /** Chooses the sandbox by itself; that of its first superuser, or of its first user. Null where it has no user. */
  readonly token: string | null;
  /** The first users who can use a token, each with one that chooses the sandbox. They are shown this once. */
  readonly users: readonly OwnToken[];
}

/** `--url` of the command line speaks to one far away, everything else to one at hand. */
export interface Sandboxes {
  list(): Promise<Sandbox[]>;
  get(name: string): Promise<Sandbox & { readonly users: readonly UserRow[] }>;
  /** Without a name one is picked. A sandbox of that name is made anew. */
  create(name: string | undefined, request: SandboxRequest): Promise<NewSandbox>;
  remove(name: string): Promise<void>;
  reset(name: string): Promise<void>;
  /** Leaves exactly what the seed says. `file` is the name that faults give. */
  putSeed(name: string, text: string, file: string): Promise<SeedSummary>;
  putSnapshot(name: string, snapshot: string): Promise<void>;
  restore(name: string, snapshot: string): Promise<void>;
  addToken(name: string, username: string): Promise<OwnToken>;
}

/** Where statements about sandboxes are sent: what only reads, and what changes one. A database, or one handle for both. */
export interface Handles {
  readonly reads: Db;
  readonly transactions: (sandbox: string) => Db;
}

/** Users beyond have no token of their own at first; `addToken` makes one. */
const maxTokens = 100;
const maxSnapshots = 20;

/**
 * Gives the sandboxes as they are seen under a base of URLs, such as `http://127.0.0.1:8000`. What is remembered of seeds is shared.
 * @param maximum how many there may be, `default` included
 * @param reads for what only reads, where that has a connection of its own
 */
export function createSandboxes({ reads, transactions }: Handles, maximum: number): (origin: string) => Sandboxes {
  const seeds = createSeedReader();
  const templates = createTemplates();

  async function findSourceOf({ from, seed }: SandboxRequest): Promise<KnownSeed | number> {
    if (seed !== undefined) return seeds.text(seed);
    if (from === undefined) return (await findSource(reads, defaultSandbox, 'first')) ?? refuse(defaultSandbox);
    if ((await listShippedSeeds()).includes(from)) return seeds.shipped(from);
    const id = await findSource(reads, from, 'now');
    if (id === undefined) throw apiError('sandbox_source_unknown', from);
    return id;
  }

  // A template that nobody used may have been swept away since.
  async function put(name: string, request: SandboxRequest): Promise<OwnToken[]> {
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
    const get = async (name: string) => shown((await findSandbox(reads, name)) ?? refuse(name));

    return {
      list: async () => (await listSandboxes(reads)).map(shown),
      get: async (name) => ({ ...(await get(name)), users: await listUsers(reads, name, maxTokens) }),
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
        checkSnapshotName(snapshot);
        const outcome = await putSnapshot(transactions(name), name, snapshot, maxSnapshots);
        if (outcome === 'no sandbox') refuse(name);
        if (outcome === 'full') throw apiError('snapshot_limit', String(maxSnapshots));
      },
      async restore(name, snapshot) {
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
  throw apiError('sandbox_not_found', name);
}

/** Dropped since it was looked up. */
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
