// The handlers of the operations on a sandbox's faults and journal.
import { checkValue } from '../api/body/check-value.ts';
import { type Answer, type Call, noContent } from '../api/call.ts';
import { shown } from '../api/own.ts';
import type { Database } from '../database/database.ts';
import { apiError } from '../errors.ts';
import { findSandboxId } from '../load/queries.ts';
import { readOwnBody } from '../sandboxes/own-body.ts';
import { FaultRules } from './fault-rules.ts';
import type { Faults } from './faults.ts';
import { filterEntries, hexHashOf, type JournalEntry, JournalQuery, shownEntry } from './journal-entries.ts';
import type { Journal, KeptEntry } from './journal.ts';
import { listOwners } from './queries.ts';

export interface TrafficServices {
  readonly database: Database;
  readonly faults: Faults;
  readonly journal: Journal;
}

type Handler = (call: Call<{ readonly name: string }>, services: TrafficServices) => Promise<Answer>;

export const listFaults: Handler = async (call, services) => {
  await getSandboxId(call, services);
  return shown(services.faults.list(call.params.name));
};

export const putFaults: Handler = async (call, services) => {
  await getSandboxId(call, services);
  services.faults.set(call.params.name, await readOwnBody(FaultRules, call));
  return shown(services.faults.list(call.params.name));
};

export const clearFaults: Handler = async (call, services) => {
  await getSandboxId(call, services);
  services.faults.clear(call.params.name);
  return noContent;
};

export const listRequests: Handler = async (call, services) => {
  const query = checkValue(JournalQuery, call.query);
  const id = await getSandboxId(call, services);
  const entries = services.journal.list(call.params.name);
  return shown(filterEntries(await withPrincipals(services.database, id, entries), query));
};

export const clearRequests: Handler = async (call, services) => {
  await getSandboxId(call, services);
  services.journal.clear(call.params.name);
  return noContent;
};

async function getSandboxId({ params: { name } }: Parameters<Handler>[0], { database }: TrafficServices) {
  const id = await findSandboxId(database.reads, name);
  if (id === undefined) throw apiError('sandbox_not_found', name.slice(0, 63));
  return id;
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
