// The handlers of the operations on a sandbox's faults and journal.
import { checkValue } from '../http/body/check-value.ts';
import { apiError } from '../base/errors.ts';
import { type Answer, type Call, noContent } from '../http/call.ts';
import { shown } from '../http/own.ts';
import { readOwnBody, readValue } from '../sandboxes/own-body.ts';
import { getSandboxId } from '../sandboxes/sandboxes.ts';
import { FaultRules } from './fault-rules.ts';
import { withTokensRemoved } from './entry.ts';
import { RequestsFind } from './journal/find-schemas.ts';
import { JournalQuery, matchOf, shownEntry } from './journal/journal-entries.ts';
import { strays } from './journal/journal.ts';
import { answerFound, countOn, find, isCertain, whenReadable } from './journal/search.ts';
import { compileMatch } from './match.ts';
import { rangeOf } from './request-match.ts';
import type { Traffic } from './traffic.ts';

type Handler = (call: Call<{ readonly name: string }>, services: Traffic) => Promise<Answer>;
/** Without a name: on the journal of strays. */
type JournalHandler = (call: Call<{ readonly name?: string }>, services: Traffic) => Promise<Answer>;

export const listFaults: Handler = async ({ params: { name } }, { database, faults }) => {
  await getSandboxId(database.reads, name);
  return shown(faults.list(name));
};

export const putFaults: Handler = async (call, { database, faults }) => {
  const { name } = call.params;
  await faults.change(name, async () => {
    await getSandboxId(database.reads, name);
    return readOwnBody(FaultRules, call);
  });
  return shown(faults.list(name));
};

export const clearFaults: Handler = async ({ params: { name } }, { database, faults }) => {
  await getSandboxId(database.reads, name);
  faults.clear(name);
  return noContent;
};

export const listRequests: JournalHandler = async ({ params: { name = strays }, query }, { database, journal }) => {
  await whenReadable(database.reads, journal, name);
  const wanted = checkValue(JournalQuery, query);
  const { matching } = await find({ journal, sandbox: name, matcher: compileMatch(matchOf(wanted)) });
  const requests = matching.slice(-(Number(wanted.limit) || matching.length)).map(shownEntry);
  return shown({ ...journal.droppedOf(name), requests });
};

export const findRequests: Handler = async (call, { database, journal, waitFor }) => {
  const { name: sandbox } = call.params;
  const {
    times = { min: 1 },
    within_ms: withinMs = 0,
    ...match
  } = withTokensRemoved(checkValue(RequestsFind, (await readValue(call)) ?? {}));
  if (!journal.isKept) throw apiError('journal_off');
  const range = rangeOf(times);
  const search = { journal, sandbox, matcher: compileMatch(match) };
  const findNow = async () => {
    // Throws 404 if the sandbox was deleted. Before the search: the journal of one that is replaced meanwhile is empty.
    await whenReadable(database.reads, journal, sandbox);
    return find(search);
  };
  let found = await findNow();
  if (withinMs > 0 && !isCertain(found.matching.length, found.lost, range)) {
    const isEnough = countOn(search, found, range);
    const wait = { sandbox, withinMs, left: call.idle?.() };
    const isEmptied = !found.readOn().some(isEnough) && (await waitFor(wait, isEnough));
    found = await findNow();
    if (isEmptied && !isCertain(found.matching.length, found.lost, range)) throw apiError('journal_emptied');
  }
  return shown(answerFound(search, found, range));
};

export const clearRequests: JournalHandler = async ({ params: { name = strays } }, { database, journal }) => {
  await whenReadable(database.reads, journal, name);
  journal.clear(name);
  return noContent;
};
