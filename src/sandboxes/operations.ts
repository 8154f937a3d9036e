// /_understudy/sandboxes: create, read, reset and delete sandboxes (docs/reference/control-api.md).
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { readDuration } from '../base/duration.ts';
import { apiError, errorLine } from '../base/errors.ts';
import { type Answer, type Call, noContent } from '../http/call.ts';
import { shown } from '../http/control.ts';
import { controlOperation, type Method, type Resource } from '../http/operation.ts';
import { type createExports, tokensNote } from '../seeds/export/export-sandbox.ts';
import { toTimestamp } from '../seeds/format/normalise.ts';
import * as requests from './sandbox-requests.ts';
import * as schemas from './sandbox-schemas.ts';
import { makeUpName, type Sandboxes } from './sandboxes.ts';

export interface SandboxServices {
  /** The sandboxes with the URLs that they have under this origin. */
  readonly sandboxesAt: (origin: string, left?: AbortSignal) => Sandboxes;
  readonly exportSeed: ReturnType<typeof createExports>;
}

type Handler<P = schemas.SandboxPath> = (
  call: Call<P, { readonly format?: string }>,
  services: SandboxServices,
) => Promise<Answer>;

/** An operation that answers with what `work` returns, or without a body where that is nothing. */
const acting = <B extends TObject = TObject, Q extends TObject = TObject>(
  method: Method,
  path: string,
  operation: Parameters<typeof schemas.ofSandbox>[3] & {
    readonly body?: B;
    /** Of flags. */
    readonly querystring?: Q;
    readonly work: (
      store: Sandboxes,
      path: schemas.SandboxPath,
      sent: Static<B>,
      asked: requests.Asked<Q>,
    ) => Promise<unknown>;
  },
) => {
  const { work, ...declared } = operation;
  const { body, querystring, response = {} } = declared;
  const handle: Handler = async (call, { sandboxesAt }) => {
    const asked = querystring === undefined ? {} : requests.readFlags(querystring, call.query);
    const sent = body && (await requests.readControlBody(body, call));
    const result = await work(sandboxesAt(call.baseUrl, call.left), call.params, sent as Static<B>, asked);
    return result === undefined ? noContent : shown(result, Number(Object.keys(response)[0]));
  };
  return schemas.ofSandbox(method, path, handle, declared);
};

const list: Handler<unknown> = async ({ baseUrl }, { sandboxesAt }) => shown(await sandboxesAt(baseUrl).list());

const create: Handler<Partial<schemas.SandboxPath>> = async (call, { sandboxesAt }) => {
  const request = requests.readSandboxRequest(await requests.readValue(call), requests.readText(call));
  const { name } = call.params;
  const { replace } = requests.readFlags(
    name === undefined ? Type.Object({}) : requests.PutQuery,
    call.query,
  ) as requests.Asked<typeof requests.PutQuery>;
  // POST makes up the name, which no other sandbox may have.
  const replaces = name !== undefined && replace !== false;
  return shown(await sandboxesAt(call.baseUrl, call.left).create(name ?? makeUpName(), request, replaces), 201);
};

const getSeed: Handler = async ({ params, query, accept = '', left }, { exportSeed }) => {
  const format = query.format ?? (accept.includes('application/json') ? 'json' : 'yaml');
  if (format !== 'yaml' && format !== 'json') throw apiError('not_found');
  const content = await exportSeed(params.name, format, left);
  const headers = { 'content-type': `application/${format}`, 'x-understudy-hint': tokensNote };
  return { status: 200, json: null, content, headers };
};

const putSeed: Handler = async (call, { sandboxesAt }) => {
  const ways = requests.readFlags(requests.LoadQuery, call.query);
  return shown(
    await sandboxesAt(call.baseUrl, call.left).loadSeed(call.params.name, requests.readText(call) ?? '', ways),
  );
};

const example = { from: 'documented', expires_in_seconds: 3600 };
const badLifetime = errorLine('expires_in_seconds', 'invalid', 'Must be a whole number from 60 to 2592000.');

export const sandboxes: Resource<SandboxServices> = {
  tag: 'Sandboxes',
  description: 'Isolated places with users, subscriptions and ids of their own.',
  operations: [
    controlOperation('GET', 'sandboxes', list, {
      id: 'sandboxes_list',
      summary: 'List sandboxes',
      response: { 200: Type.Array(schemas.SandboxEntry) },
    }),
    controlOperation('POST', 'sandboxes', create, {
      id: 'sandboxes_create',
      summary: 'Create a sandbox with a generated name',
      body: requests.NewSandboxFields,
      response: { 201: schemas.NewSandbox },
      errors: ['sandbox_source_unknown', 'sandbox_limit', badLifetime],
      example,
    }),
    acting('GET', '', {
      id: 'sandboxes_read',
      summary: 'Read a sandbox',
      response: { 200: schemas.SandboxDetail },
      work: (store, { name }) => store.get(name),
    }),
    schemas.ofSandbox('PUT', '', create, {
      id: 'sandboxes_put',
      summary: 'Create a sandbox, or replace it',
      querystring: requests.PutQuery,
      body: requests.NewSandboxFields,
      response: { 201: schemas.NewSandbox },
      errors: [
        'sandbox_source_unknown',
        'sandbox_limit',
        errorLine('name', 'reserved', 'The name all is reserved.'),
        requests.takenName,
        badLifetime,
      ],
      example,
    }),
    acting('DELETE', '', {
      id: 'sandboxes_delete',
      summary: 'Drop a sandbox',
      errors: ['sandbox_permanent'],
      work: (store, { name }) => store.delete(name),
    }),
    acting('POST', '/reset', {
      id: 'sandboxes_reset',
      summary: 'Reset a sandbox to what it was made from',
      querystring: requests.UndoQuery,
      errors: ['sandbox_without_baseline'],
      work: (store, { name }, _sent, { undo }) => store.reset(name, undo),
    }),
    acting('PUT', '/undo', {
      id: 'sandboxes_undo_keep',
      summary: 'Keep what a sandbox holds, for an undo',
      work: (store, { name }) => store.keepUndo(name),
    }),
    acting('POST', '/undo', {
      id: 'sandboxes_undo',
      summary: 'Put a sandbox back to what was kept, by itself or before what was sent with undo=true',
      errors: ['nothing_to_undo'],
      work: (store, { name }) => store.undo(name),
    }),
    schemas.ofSandbox('GET', '/seed', getSeed, {
      id: 'sandboxes_seed_read',
      summary: 'Export a sandbox as a seed',
      querystring: Type.Object({ format: Type.Optional(Type.Union([Type.Literal('yaml'), Type.Literal('json')])) }),
      response: { 200: { content: { 'application/json': requests.Seed, 'application/yaml': Type.String() } } },
      errors: ['not_found', 'export_limit'],
    }),
    schemas.ofSandbox('PUT', '/seed', putSeed, {
      id: 'sandboxes_seed_put',
      summary: 'Load a seed into a sandbox, which then holds exactly that',
      querystring: requests.LoadQuery,
      body: requests.Seed,
      response: { 200: schemas.SeedSummary },
      errors: [
        errorLine('users[0].usernme', 'invalid_seed', 'Not a known key; did you mean username? (line 2, column 5)'),
      ],
      example: { users: [{ username: 'alice' }] },
    }),
    acting('GET', '/snapshots', {
      id: 'sandboxes_snapshots_list',
      summary: 'List the snapshots of a sandbox',
      response: { 200: Type.Array(schemas.SnapshotEntry) },
      work: (store, { name }) => store.listSnapshots(name),
    }),
    acting('PUT', '/snapshots/:snapshot', {
      id: 'sandboxes_snapshot_put',
      summary: 'Save the current state of a sandbox as a snapshot',
      errors: ['snapshot_limit', requests.badSnapshot],
      work: (store, { name, snapshot }) => store.putSnapshot(name, snapshot),
    }),
    acting('POST', '/snapshots/:snapshot/restore', {
      id: 'sandboxes_snapshot_restore',
      summary: 'Restore a sandbox from a snapshot',
      querystring: requests.UndoQuery,
      errors: ['snapshot_not_found'],
      work: (store, { name, snapshot }, _sent, { undo }) => store.restore(name, snapshot, undo),
    }),
    acting('DELETE', '/snapshots/:snapshot', {
      id: 'sandboxes_snapshot_delete',
      summary: 'Delete a snapshot',
      errors: ['snapshot_not_found'],
      work: (store, { name, snapshot }) => store.deleteSnapshot(name, snapshot),
    }),
    acting('GET', '/clock', {
      response: { 200: schemas.Clock },
      id: 'sandboxes_clock_read',
      summary: 'Read the clock of a sandbox',
      work: (store, { name }) => store.getClock(name),
    }),
    acting('PUT', '/clock', {
      response: { 200: schemas.Clock },
      id: 'sandboxes_clock_put',
      summary: 'Set the clock of a sandbox, which then stands still, or let it run',
      body: requests.ClockFields,
      errors: [requests.noMoment],
      example: { now: '2026-01-02T03:04:05Z' },
      work: (store, { name }, { now }) => store.changeClock(name, now && toTimestamp(now)),
    }),
    acting('POST', '/clock/advance', {
      response: { 200: schemas.Clock },
      id: 'sandboxes_clock_advance',
      summary: 'Advance the clock of a sandbox, from the present if it runs',
      body: requests.AdvanceFields,
      errors: ['clock_limit'],
      example: { by: '1h' },
      work: (store, { name }, { by }) => store.changeClock(name, undefined, readDuration(by)),
    }),
    acting('POST', '/tokens', {
      id: 'sandboxes_tokens_create',
      summary: 'Create a token that selects the sandbox by itself',
      body: requests.TokenFields,
      response: { 201: schemas.UserToken },
      errors: ['user_not_found', 'token_limit', errorLine('username', 'required', 'This field is required.')],
      example: { username: 'alice' },
      work: (store, { name }, { username }) => store.addToken(name, username),
    }),
    acting('GET', '/tokens', {
      id: 'sandboxes_tokens_list',
      summary: 'List the tokens that were created for the sandbox',
      response: { 200: Type.Array(schemas.TokenEntry) },
      work: (store, { name }) => store.listTokens(name),
    }),
    acting('DELETE', '/tokens/:token', {
      id: 'sandboxes_tokens_delete',
      summary: 'Revoke a token that was created for the sandbox',
      errors: ['token_not_found'],
      work: (store, { name, token }) => store.revokeToken(name, token),
    }),
  ],
};
