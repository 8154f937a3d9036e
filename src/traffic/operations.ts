// …/faults and …/requests of a sandbox (docs/reference/own-api.md).
import { Type } from '@sinclair/typebox';
import { ownOperation, type Resource } from '../http/operation.ts';
import { ofSandbox } from '../sandboxes/sandbox-schemas.ts';
import { FaultInForce, FaultRules, idleRule } from './fault-rules.ts';
import * as handle from './handlers.ts';
import { RequestsFind, RequestsFound } from './journal/find-schemas.ts';
import { JournalPage, JournalQuery } from './journal/journal-entries.ts';
import { invalid } from './request-match.ts';
import type { Traffic } from './traffic.ts';

const faults = { 200: Type.Array(FaultInForce) };
const lists = { querystring: JournalQuery, response: { 200: JournalPage } };

export const traffic: Resource<Traffic> = {
  tag: 'Faults and journal',
  description: 'Injected faults of a sandbox, and the requests that it received.',
  operations: [
    ofSandbox('GET', '/faults', handle.listFaults, {
      id: 'faults_list',
      summary: 'List the faults in force',
      response: faults,
    }),
    ofSandbox('PUT', '/faults', handle.putFaults, {
      id: 'faults_put',
      summary: 'Replace the faults',
      body: FaultRules,
      response: faults,
      errors: ['faults_limit', 'faults_cleared', { ...idleRule, attr: 'rules[0]' }],
      example: { rules: [{ match: { method: 'GET', path: '/api/users/**' }, status: 503, next: 2 }] },
    }),
    ofSandbox('DELETE', '/faults', handle.clearFaults, {
      id: 'faults_clear',
      summary: 'Clear the faults',
    }),
    ofSandbox('GET', '/requests', handle.listRequests, {
      id: 'journal_list',
      summary: 'List the last requests, oldest first',
      ...lists,
      errors: [invalid('limit', 'Must be a number.')],
    }),
    ofSandbox('POST', '/requests/find', handle.findRequests, {
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
    ofSandbox('DELETE', '/requests', handle.clearRequests, {
      id: 'journal_clear',
      summary: 'Empty the journal',
    }),
    ownOperation('GET', 'requests', handle.listRequests, {
      id: 'strays_list',
      summary: 'List the last requests that reached no sandbox',
      ...lists,
    }),
    ownOperation('DELETE', 'requests', handle.clearRequests, {
      id: 'strays_clear',
      summary: 'Forget the requests that reached no sandbox',
    }),
  ],
};
