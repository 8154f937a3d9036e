// …/faults and …/requests of a sandbox (docs/sandboxes.md).
import type { Database } from '../database/database.ts';
import { apiError, validationError } from '../errors.ts';
import { findSandboxId } from '../load/queries.ts';
import { fault, unknownKey } from '../sandboxes/requests.ts';
import { readFaultRules } from './fault-rules.ts';
import type { KeptEntry } from './journal.ts';
import {
  filterEntries,
  filterNames,
  findFilterFaults,
  hexHashOf,
  type JournalEntry,
  shownEntry,
} from './journal-entries.ts';
import { listOwners } from './queries.ts';
import { type AdminCall, type AdminRoute, nameOf, nothing, ok } from '../api/own-dispatch.ts';
import type { Traffic } from './traffic.ts';

export function trafficRoutes({ database, faults, journal }: Traffic): readonly AdminRoute[] {
  /** Of a sandbox that exists. */
  async function getName(call: AdminCall): Promise<{ name: string; id: number }> {
    const name = nameOf(call);
    const id = await findSandboxId(database.reads, name);
    if (id === undefined) throw apiError('sandbox_not_found', name);
    return { name, id };
  }

  async function listRequests(call: AdminCall) {
    const unknown = Object.keys(call.query).filter((key) => !filterNames.includes(key));
    const wrong = findFilterFaults(call.query).map(([key, must]) => fault(key, 'invalid', `Must ${must}.`));
    const refused = [...unknown.map((key) => unknownKey(key, filterNames)), ...wrong];
    if (refused.length > 0) throw validationError(refused);
    const { name, id } = await getName(call);
    return ok(filterEntries(await withPrincipals(database, id, journal.list(name)), call.query));
  }

  const base = '/sandboxes/:name';
  return [
    { method: 'GET', path: `${base}/faults`, handler: async (call) => ok(faults.list((await getName(call)).name)) },
    {
      method: 'PUT',
      path: `${base}/faults`,
      handler: async (call) => {
        const { name } = await getName(call);
        faults.set(name, readFaultRules(await call.body.value()));
        return ok(faults.list(name));
      },
    },
    {
      method: 'DELETE',
      path: `${base}/faults`,
      handler: async (call) => {
        faults.clear((await getName(call)).name);
        return nothing;
      },
    },
    { method: 'GET', path: `${base}/requests`, handler: listRequests },
    {
      method: 'DELETE',
      path: `${base}/requests`,
      handler: async (call) => {
        journal.clear((await getName(call)).name);
        return nothing;
      },
    },
  ];
}

async function withPrincipals(
  database: Database,
  sandboxId: number,
  entries: readonly KeptEntry[],
): Promise<JournalEntry[]> {
  const hashes = [...new Set(entries.flatMap((entry) => hexHashOf(entry) ?? []))];
  const owners = hashes.length === 0 ? [] : await listOwners(database.reads, { sandbox_id: sandboxId, hashes });
  const names = new Map(owners.map((row) => [row.hash, row.username]));
  return entries.map((entry) => shownEntry(entry, names));
}
