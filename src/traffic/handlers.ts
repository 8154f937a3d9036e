// The handlers of the operations on a sandbox's faults and journal.
import { checkValue } from '../api/body/check-value.ts';
import { apiError } from '../errors.ts';
import { type Answer, type Call, noContent } from '../api/call.ts';
import { shown } from '../api/own.ts';
import { readOwnBody, readValue } from '../sandboxes/own-body.ts';
import { getSandboxId } from '../sandboxes/sandboxes.ts';
import { FaultRules } from './fault-rules.ts';
import { rangeOf, RequestsFind, withTokensRemoved } from './journal/find-schemas.ts';
import { JournalQuery, matchOf, shownEntry } from './journal/journal-entries.ts';
import { withoutTokens } from './journal/journal.ts';
import { compileMatch } from './journal/match.ts';
import { answerFound, countOn, find, isCertain, readJournal } from './journal/search.ts';
import type { Traffic } from './traffic.ts';

type Handler = (call: Call<{ readonly name: string }>, services: Traffic) => Promise<Answer>;

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

export const listRequests: Handler = async ({ params: { name }, query }, { database, journal }) => {
  const wanted = checkValue(JournalQuery, query);
  const { fits } = compileMatch(matchOf(wanted));
  const fitting = (await readJournal(database.reads, journal, name)).filter(fits);
  return shown(fitting.slice(-(Number(wanted.limit) || fitting.length)).map(shownEntry));
};

export const findRequests: Handler = async (call, { database, journal, waitFor }) => {
  const { name: sandbox } = call.params;
  const { reads } = database;
  const {
    times,
    within_ms: withinMs = 0,
    ...match
  } = withTokensRemoved(checkValue(RequestsFind, (await readValue(call)) ?? {}));
  if (!journal.isKept) throw apiError('journal_off');
  const range = rangeOf(times);
  const matcher = compileMatch(match);
  const search = { reads, journal, sandbox, matcher };
  let found = await find(search);
  if (withinMs > 0 && !isCertain(found.matching.length, range)) {
    const after = found.candidates.reduce((last, { kept }) => Math.max(last, kept.number), 0);
    const wait = { sandbox, withinMs, after, mayCount: matcher.mayFit, left: call.idle?.() };
    const isEmptied = await waitFor(wait, countOn(search, found, range));
    // Throws 404 if the sandbox was deleted.
    found = await find(search);
    if (isEmptied && !isCertain(found.matching.length, range)) throw apiError('journal_emptied');
  }
  return { status: 200, json: `${withoutTokens(JSON.stringify(answerFound(found, matcher, range), null, 2))}\n` };
};

export const clearRequests: Handler = async ({ params: { name } }, { database, journal }) => {
  await getSandboxId(database.reads, name);
  journal.clear(name);
  return noContent;
};
