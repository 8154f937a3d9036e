// …/faults and …/requests of a sandbox (docs/sandboxes.md).
import { Type } from '@sinclair/typebox';
import type { Resource } from '../api/operation.ts';
import { SandboxPath } from '../sandboxes/sandbox-schemas.ts';
import { FaultInForce, FaultRules, idleRule } from './fault-rules.ts';
import * as handle from './handlers.ts';
import { JournalEntry, JournalQuery } from './journal-entries.ts';

export const traffic: Resource<handle.TrafficServices> = {
  tag: 'Faults and journal',
  description: 'Injected faults of a sandbox, and the requests that it received.',
  operations: [
    {
      method: 'GET',
      url: '/_understudy/sandboxes/:name/faults',
      schema: { params: SandboxPath, response: { 200: Type.Array(FaultInForce) } },
      config: {
        id: 'faults_list',
        summary: 'List the faults in force',
        access: 'admin',
        errors: ['sandbox_not_found'],
      },
      handler: handle.listFaults,
    },
    {
      method: 'PUT',
      url: '/_understudy/sandboxes/:name/faults',
      schema: { params: SandboxPath, response: { 200: Type.Array(FaultInForce) } },
      config: {
        id: 'faults_put',
        summary: 'Replace the faults',
        access: 'admin',
        body: FaultRules,
        errors: ['sandbox_not_found', { ...idleRule, attr: 'rules[0]' }],
        example: { rules: [{ method: 'GET', path: '/api/users/**', status: 503, next: 2 }] },
      },
      handler: handle.putFaults,
    },
    {
      method: 'DELETE',
      url: '/_understudy/sandboxes/:name/faults',
      schema: { params: SandboxPath, response: { 204: null } },
      config: { id: 'faults_clear', summary: 'Clear the faults', access: 'admin', errors: ['sandbox_not_found'] },
      handler: handle.clearFaults,
    },
    {
      method: 'GET',
      url: '/_understudy/sandboxes/:name/requests',
      schema: { params: SandboxPath, querystring: JournalQuery, response: { 200: Type.Array(JournalEntry) } },
      config: {
        id: 'journal_list',
        summary: 'List the last requests, oldest first',
        access: 'admin',
        errors: ['sandbox_not_found', { code: 'invalid', detail: 'Must be a number.', attr: 'limit' }],
      },
      handler: handle.listRequests,
    },
    {
      method: 'DELETE',
      url: '/_understudy/sandboxes/:name/requests',
      schema: { params: SandboxPath, response: { 204: null } },
      config: { id: 'journal_clear', summary: 'Empty the journal', access: 'admin', errors: ['sandbox_not_found'] },
      handler: handle.clearRequests,
    },
  ],
};
