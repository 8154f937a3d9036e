// …/faults and …/requests of a sandbox (docs/reference/control-api.md).
import { type TSchema, Type } from '@sinclair/typebox';
import { checkValue } from '../base/check-value.ts';
import { apiError } from '../base/errors.ts';
import { type Answer, type Call, noContent } from '../http/call.ts';
import { controlOperation, type Resource } from '../http/operation.ts';
import { shown } from '../http/control.ts';
import { readControlBody } from '../sandboxes/sandbox-requests.ts';
import { ofSandbox } from '../sandboxes/sandbox-schemas.ts';
import { shownEntry, StatusCounts } from './entry.ts';
import { FaultInForce, FaultRule, FaultRules, idleRule } from './fault-rules.ts';
import { expectRequests, findRequests } from './journal/expect.ts';
import * as schemas from './journal/journal-schemas.ts';
import { strays } from './journal/journal.ts';
import { findIn, findInAll, whenReadable } from './journal/search.ts';
import { invalid } from './request-match.ts';
import type { Traffic } from './traffic.ts';

type Handler<P = { name: string; key?: string }> = (call: Call<P>, services: Traffic) => Promise<Answer>;
const listFaults: Handler = async ({ params: { name } }, { faults }) => shown(await faults.list(name));

const putFaults: Handler = async (call, { faults }) =>
  shown(await faults.replace(call.params.name, () => readControlBody(FaultRules, call)));

const addFault: Handler = async (call, { faults }) =>
  shown(await faults.add(call.params.name, () => readControlBody(FaultRule, call)), 201);

const removeFaults: Handler = async ({ params: { name, key } }, { faults }) => {
  if (!(await faults.remove(name, key))) throw apiError('fault_not_found', key?.slice(0, 63));
  return noContent;
};

const listRequests: Handler = async (call, { database, journal, lists }) => {
  const { name } = call.params;
  await whenReadable(database.read, journal, name);
  const { limit, since, ...wanted } = checkValue(schemas.JournalQuery, call.query);
  return lists(name, call, limit, () => findIn(journal, [name], schemas.matcherOf(wanted), since));
};

const countRequests: Handler = async ({ params: { name } }, { database, journal }) => {
  await whenReadable(database.read, journal, name);
  return shown(journal.open(name).countByStatus());
};

const listAll: Handler<unknown> = async (call, { journal, lists }) => {
  const { sandbox: chosen, limit, since, ...wanted } = checkValue(schemas.AllQuery, call.query);
  await journal.settled();
  return lists(strays, call, limit, async () => ({
    ...(await findInAll(journal, schemas.matcherOf(wanted), chosen, since)),
    show: (kept, { journal: own }) => ({ sandbox: own.sandbox || null, ...shownEntry(kept) }),
  }));
};

/** Without a name, clears the requests that reached no sandbox. */
const clearRequests: Handler<{ name?: string }> = async ({ params: { name = strays } }, { database, journal }) => {
  await whenReadable(database.read, journal, name);
  journal.clear(name);
  return noContent;
};

const faults = { 200: Type.Array(FaultInForce) };
const listOf = (json: TSchema) => ({ 200: { content: { 'application/json': json, 'text/plain': Type.String() } } });
const rule = { match: { method: 'GET', path: '/api/users/**' }, status: 503, next: 2 };

export const traffic: Resource<Traffic> = {
  tag: 'Faults and journal',
  description: 'Injected faults of a sandbox, and the requests that it received.',
  operations: [
    ofSandbox('GET', '/faults', 'faults_list', 'List the faults in force', listFaults, {
      response: faults,
    }),
    ofSandbox('PUT', '/faults', 'faults_put', 'Replace the faults', putFaults, {
      body: FaultRules,
      response: faults,
      errors: ['faults_limit', 'faults_cleared', { ...idleRule, attr: 'rules[0]' }],
      example: { rules: [rule] },
    }),
    ofSandbox('POST', '/faults', 'faults_add', 'Add a fault, before all others', addFault, {
      body: FaultRule,
      response: { 201: FaultInForce },
      errors: ['faults_limit', 'faults_cleared', idleRule],
      example: rule,
    }),
    ofSandbox('DELETE', '/faults', 'faults_clear', 'Remove all faults', removeFaults),
    ofSandbox('DELETE', '/faults/:key', 'faults_remove', 'Remove a fault', removeFaults, {
      errors: ['fault_not_found'],
    }),
    ofSandbox('GET', '/requests', 'journal_list', 'List the last requests, oldest first', listRequests, {
      querystring: schemas.JournalQuery,
      response: listOf(schemas.JournalPage),
      errors: [invalid('limit', 'Must be a number.')],
    }),
    ofSandbox('GET', '/requests/counts', 'journal_count', 'Count requests by class of status', countRequests, {
      response: { 200: StatusCounts },
    }),
    ofSandbox('POST', '/requests/find', 'journal_find', 'Find requests, and wait for them', findRequests, {
      body: schemas.RequestsFind,
      response: listOf(schemas.RequestsFound),
      errors: [
        'journal_off',
        'journal_emptied',
        invalid('within_ms', 'Must be a whole number from 0 to 60000, not 61000.'),
      ],
      example: { method: 'POST', path: '/api/users/*/notifications/', body: { scope: 10 }, times: 1, within_ms: 5000 },
    }),
    ofSandbox('POST', '/requests/expect', 'journal_expect', 'Assert requests, and wait for them', expectRequests, {
      body: schemas.RequestsExpect,
      response: { 200: schemas.RequestsExpected },
      errors: ['journal_off', 'journal_emptied', invalid('times', 'Belongs to match.')],
      example: {
        in_order: [{ method: 'POST', path: '/api/users/*/notifications/' }, { method: 'DELETE' }],
        within_ms: 5000,
      },
    }),
    ofSandbox('DELETE', '/requests', 'journal_clear', 'Empty the journal', clearRequests),
    controlOperation('GET', 'requests', 'journal_list_all', 'List the last requests of all sandboxes', listAll, {
      querystring: schemas.AllQuery,
      response: listOf(schemas.RequestsOfAll),
      errors: [invalid('limit', 'Must be a number.')],
    }),
    controlOperation('DELETE', 'requests', 'strays_clear', 'Forget requests that reached no sandbox', clearRequests),
  ],
};
