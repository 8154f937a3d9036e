// The handlers of the operations on a sandbox's faults and journal.
import { checkValue } from '../api/body/check-value.ts';
import { type Answer, type Call, noContent } from '../api/call.ts';
import { shown } from '../api/own.ts';
import { readOwnBody } from '../sandboxes/own-body.ts';
import { getSandboxId } from '../sandboxes/sandboxes.ts';
import { FaultRules } from './fault-rules.ts';
import { filterEntries, JournalQuery, shownEntry } from './journal-entries.ts';
import { listOwners } from './queries.ts';
import type { Traffic } from './traffic.ts';

type Handler = (call: Call<{ readonly name: string }>, services: Traffic) => Promise<Answer>;

export const listFaults: Handler = async ({ params: { name } }, { database, faults }) => {
  await getSandboxId(database.reads, name);
  return shown(faults.list(name));
};

export const putFaults: Handler = async (call, { database, faults }) => {
  const { name } = call.params;
  await getSandboxId(database.reads, name);
  faults.set(name, await readOwnBody(FaultRules, call));
  return shown(faults.list(name));
};

export const clearFaults: Handler = async ({ params: { name } }, { database, faults }) => {
  await getSandboxId(database.reads, name);
  faults.clear(name);
  return noContent;
};

export const listRequests: Handler = async ({ params: { name }, query }, { database, journal }) => {
  const wanted = checkValue(JournalQuery, query);
  const sandbox_id = await getSandboxId(database.reads, name);
  const entries = journal.list(name);
  const hashes = [...new Set(entries.flatMap(({ tokenHash }) => tokenHash ?? []))];
  const owners = hashes.length === 0 ? [] : await listOwners(database.reads, { sandbox_id, hashes });
  const usernames = new Map(owners.map(({ hash, username }) => [hash, username]));
  const all = entries.map((entry) => shownEntry(entry, usernames));
  return shown(filterEntries(all, wanted));
};

export const clearRequests: Handler = async ({ params: { name } }, { database, journal }) => {
  await getSandboxId(database.reads, name);
  journal.clear(name);
  return noContent;
};
