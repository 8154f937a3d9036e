// /_understudy/sandboxes: create, read, reset and drop sandboxes (docs/sandboxes.md).
import { Type } from '@sinclair/typebox';
import type { Resource } from '../api/operation.ts';
import * as handle from './handlers.ts';
import { badSnapshot, NewSandboxFields, Seed, TokenFields } from './sandbox-requests.ts';
import {
  NewSandbox,
  SandboxDetail,
  SandboxEntry,
  SandboxPath,
  SeedSummary,
  SnapshotPath,
  UserToken,
} from './sandbox-schemas.ts';

const example = { from: 'documented', expires_in_seconds: 3600 };
const badLifetime = {
  code: 'invalid',
  detail: 'Must be a whole number from 60 to 2592000.',
  attr: 'expires_in_seconds',
};

export const sandboxes: Resource<handle.SandboxServices> = {
  tag: 'Sandboxes',
  description: 'Isolated places with users, subscriptions and ids of their own.',
  operations: [
    {
      method: 'GET',
      url: '/_understudy/sandboxes',
      schema: { response: { 200: Type.Array(SandboxEntry) } },
      config: { id: 'sandboxes_list', summary: 'List sandboxes', access: 'admin' },
      handler: handle.list,
    },
    {
      method: 'POST',
      url: '/_understudy/sandboxes',
      schema: { response: { 201: NewSandbox } },
      config: {
        id: 'sandboxes_create',
        summary: 'Create a sandbox with a generated name',
        access: 'admin',
        body: NewSandboxFields,
        errors: ['sandbox_source_unknown', 'sandbox_limit', badLifetime],
        example,
      },
      handler: handle.create,
    },
    {
      method: 'GET',
      url: '/_understudy/sandboxes/:name',
      schema: { params: SandboxPath, response: { 200: SandboxDetail } },
      config: { id: 'sandboxes_read', summary: 'Read a sandbox', access: 'admin', errors: ['sandbox_not_found'] },
      handler: handle.read,
    },
    {
      method: 'PUT',
      url: '/_understudy/sandboxes/:name',
      schema: { params: SandboxPath, response: { 201: NewSandbox } },
      config: {
        id: 'sandboxes_put',
        summary: 'Create a sandbox, or replace it',
        access: 'admin',
        body: NewSandboxFields,
        errors: [
          'sandbox_source_unknown',
          'sandbox_limit',
          'sandbox_not_found',
          { code: 'reserved', detail: 'The name all is reserved.', attr: 'name' },
          badLifetime,
        ],
        example,
      },
      handler: handle.create,
    },
    {
      method: 'DELETE',
      url: '/_understudy/sandboxes/:name',
      schema: { params: SandboxPath, response: { 204: null } },
      config: {
        id: 'sandboxes_delete',
        summary: 'Drop a sandbox',
        access: 'admin',
        errors: ['sandbox_not_found', 'sandbox_permanent'],
      },
      handler: handle.remove,
    },
    {
      method: 'POST',
      url: '/_understudy/sandboxes/:name/reset',
      schema: { params: SandboxPath, response: { 204: null } },
      config: {
        id: 'sandboxes_reset',
        summary: 'Reset a sandbox to what it was made from',
        access: 'admin',
        errors: ['sandbox_not_found', 'sandbox_without_baseline'],
      },
      handler: handle.reset,
    },
    {
      method: 'GET',
      url: '/_understudy/sandboxes/:name/seed',
      schema: {
        params: SandboxPath,
        querystring: Type.Object({
          format: Type.Optional(Type.Union([Type.Literal('yaml'), Type.Literal('json')])),
        }),
        response: { 200: { content: { 'application/json': Seed, 'application/yaml': Type.String() } } },
      },
      config: {
        id: 'sandboxes_seed_read',
        summary: 'Export a sandbox as a seed',
        access: 'admin',
        errors: ['sandbox_not_found', 'not_found', 'export_limit'],
      },
      handler: handle.getSeed,
    },
    {
      method: 'PUT',
      url: '/_understudy/sandboxes/:name/seed',
      schema: { params: SandboxPath, response: { 200: SeedSummary } },
      config: {
        id: 'sandboxes_seed_put',
        summary: 'Load a seed into a sandbox, which then holds exactly that',
        access: 'admin',
        body: Seed,
        errors: [
          'sandbox_not_found',
          {
            code: 'invalid_seed',
            detail: 'Not a known key; did you mean username? (line 2, column 5)',
            attr: 'users[0].usernme',
          },
        ],
        example: { users: [{ username: 'alice' }] },
      },
      handler: handle.putSeed,
    },
    {
      method: 'PUT',
      url: '/_understudy/sandboxes/:name/snapshots/:snapshot',
      schema: { params: SnapshotPath, response: { 204: null } },
      config: {
        id: 'sandboxes_snapshot_put',
        summary: 'Save the current state of a sandbox as a snapshot',
        access: 'admin',
        errors: ['sandbox_not_found', 'snapshot_limit', badSnapshot],
      },
      handler: handle.putSnapshot,
    },
    {
      method: 'POST',
      url: '/_understudy/sandboxes/:name/snapshots/:snapshot/restore',
      schema: { params: SnapshotPath, response: { 204: null } },
      config: {
        id: 'sandboxes_snapshot_restore',
        summary: 'Restore a sandbox from a snapshot',
        access: 'admin',
        errors: ['sandbox_not_found', 'snapshot_not_found'],
      },
      handler: handle.restore,
    },
    {
      method: 'POST',
      url: '/_understudy/sandboxes/:name/tokens',
      schema: { params: SandboxPath, response: { 201: UserToken } },
      config: {
        id: 'sandboxes_tokens_create',
        summary: 'Create a token that selects the sandbox by itself',
        access: 'admin',
        body: TokenFields,
        errors: [
          'sandbox_not_found',
          'user_not_found',
          { code: 'required', detail: 'This field is required.', attr: 'username' },
        ],
        example: { username: 'alice' },
      },
      handler: handle.addToken,
    },
  ],
};
