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
import { filterEntries, JournalQuery, shownEntry } from './journal-entries.ts';
import type { Journal } from './journal.ts';
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
  const sandbox_id = await getSandboxId(call, services);
  const entries = services.journal.list(call.params.name);
  const hashes = [...new Set(entries.flatMap(({ tokenHash }) => tokenHash ?? []))];
  const owners = hashes.length === 0 ? [] : await listOwners(services.database.reads, { sandbox_id, hashes });
  const usernames = new Map(owners.map(({ hash, username }) => [hash, username]));
  const all = entries.map((entry) => shownEntry(entry, usernames));
  return shown(filterEntries(all, query));
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
