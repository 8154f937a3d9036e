// …/faults and …/requests of a sandbox (docs/reference/own-api.md).
import { Type } from '@sinclair/typebox';
import { checkValue } from '../base/check-value.ts';
import { type Answer, type Call, noContent } from '../http/call.ts';
import { ownOperation, type Resource } from '../http/operation.ts';
import { shown } from '../http/own.ts';
import { readOwnBody } from '../sandboxes/own-body.ts';
import { ofSandbox } from '../sandboxes/sandbox-schemas.ts';
import { getSandboxId } from '../sandboxes/sandboxes.ts';
import { FaultInForce, FaultRules, idleRule } from './fault-rules.ts';
import {
  JournalPage,
  JournalQuery,
  matchOf,
  RequestsFind,
  RequestsFound,
  shownEntry,
} from './journal/journal-entries.ts';
import { strays } from './journal/journal.ts';
import { find, findRequests, whenReadable } from './journal/search.ts';
import { compileMatch } from './match.ts';
import { invalid } from './request-match.ts';
import type { Traffic } from './traffic.ts';

type Handler = (call: Call<{ readonly name: string }>, services: Traffic) => Promise<Answer>;
/** Without a name, it works on the journal of strays: the requests that reached no sandbox. */
type JournalHandler = (call: Call<{ readonly name?: string }>, services: Traffic) => Promise<Answer>;

const listFaults: Handler = async ({ params: { name } }, { database, faults }) => {
  await getSandboxId(database.reads, name);
  return shown(faults.list(name));
};

const putFaults: Handler = async (call, { database, faults }) => {
  const { name } = call.params;
  await faults.change(name, async () => {
    await getSandboxId(database.reads, name);
    return readOwnBody(FaultRules, call);
  });
  return shown(faults.list(name));
};

const clearFaults: Handler = async ({ params: { name } }, { database, faults }) => {
  await getSandboxId(database.reads, name);
  faults.clear(name);
  return noContent;
};

const listRequests: JournalHandler = async ({ params: { name = strays }, query }, { database, journal }) => {
  await whenReadable(database.reads, journal, name);
  const wanted = checkValue(JournalQuery, query);
  const { matching } = await find(journal, name, compileMatch(matchOf(wanted)));
  const requests = matching.slice(-(Number(wanted.limit) || matching.length)).map(shownEntry);
  return shown({ ...journal.droppedOf(name), requests });
};

const clearRequests: JournalHandler = async ({ params: { name = strays } }, { database, journal }) => {
  await whenReadable(database.reads, journal, name);
  journal.clear(name);
  return noContent;
};

const faults = { 200: Type.Array(FaultInForce) };
const lists = { querystring: JournalQuery, response: { 200: JournalPage } };

export const traffic: Resource<Traffic> = {
  tag: 'Faults and journal',
  description: 'Injected faults of a sandbox, and the requests that it received.',
  operations: [
    ofSandbox('GET', '/faults', listFaults, {
      id: 'faults_list',
      summary: 'List the faults in force',
      response: faults,
    }),
    ofSandbox('PUT', '/faults', putFaults, {
      id: 'faults_put',
      summary: 'Replace the faults',
      body: FaultRules,
      response: faults,
      errors: ['faults_limit', 'faults_cleared', { ...idleRule, attr: 'rules[0]' }],
      example: { rules: [{ match: { method: 'GET', path: '/api/users/**' }, status: 503, next: 2 }] },
    }),
    ofSandbox('DELETE', '/faults', clearFaults, {
      id: 'faults_clear',
      summary: 'Clear the faults',
    }),
    ofSandbox('GET', '/requests', listRequests, {
      id: 'journal_list',
      summary: 'List the last requests, oldest first',
      ...lists,
      errors: [invalid('limit', 'Must be a number.')],
    }),
    ofSandbox('POST', '/requests/find', findRequests, {
      id: 'journal_find',
      summary: 'Find requests, and wait for them',
      body: RequestsFind,
      response: { 200: RequestsFound },
      errors: [
        'journal_off',
        'journal_emptied',
        invalid('within_ms', 'Must be a whole number from 0 to 60000, not 61000.'),
      ],
      example: { method: 'POST', path: '/api/users/*/notifications/', body: { scope: 10 }, times: 1, within_ms: 5000 },
    }),
    ofSandbox('DELETE', '/requests', clearRequests, {
      id: 'journal_clear',
      summary: 'Empty the journal',
    }),
    ownOperation('GET', 'requests', listRequests, {
      id: 'strays_list',
      summary: 'List the last requests that reached no sandbox',
      ...lists,
    }),
    ownOperation('DELETE', 'requests', clearRequests, {
      id: 'strays_clear',
      summary: 'Forget the requests that reached no sandbox',
    }),
  ],
};
