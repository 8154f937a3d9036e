// /_understudy/sandboxes: the operations on sandboxes (docs/reference/control-api.md).
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
  /** The functions of sandboxes.ts. Returned URLs begin with `origin`. */
  readonly sandboxesAt: (origin: string, left?: AbortSignal) => Sandboxes;
  readonly exportSeed: ReturnType<typeof createExports>;
}

type Handler<P = schemas.SandboxPath> = (
  call: Call<P, { readonly format?: string }>,
  services: SandboxServices,
) => Promise<Answer>;

/** An operation that answers with the result of `work`; 204 without a result. */
const acting = <B extends TObject = TObject, Q extends TObject = TObject>(
  method: Method,
  path: string,
  id: string,
  summary: string,
  operation: Parameters<typeof schemas.ofSandbox>[5] & {
    readonly body?: B;
    /** All parameters are flags. */
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
  return schemas.ofSandbox(method, path, id, summary, handle, declared);
};

const list: Handler<unknown> = async ({ baseUrl }, { sandboxesAt }) => shown(await sandboxesAt(baseUrl).list());

const create: Handler<Partial<schemas.SandboxPath>> = async (call, { sandboxesAt }) => {
  const request = requests.readSandboxRequest(await requests.readValue(call), requests.readText(call));
  const { name } = call.params;
  const known = name === undefined ? Type.Object({}) : requests.PutQuery;
  const { replace }: requests.Asked<typeof requests.PutQuery> = requests.readFlags(known, call.query);
  // POST makes up a name, and must not replace a sandbox that happens to have it.
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
  const store = sandboxesAt(call.baseUrl, call.left);
  return shown(await store.loadSeed(call.params.name, requests.readText(call) ?? '', ways));
};

const example = { from: 'documented', expires_in_seconds: 3600 };
const badLifetime = errorLine('expires_in_seconds', 'invalid', 'Must be a whole number from 60 to 2592000.');

export const sandboxes: Resource<SandboxServices> = {
  tag: 'Sandboxes',
  description: 'Isolated places with users, subscriptions and ids of their own.',
  operations: [
    controlOperation('GET', 'sandboxes', 'sandboxes_list', 'List sandboxes', list, {
      response: { 200: Type.Array(schemas.SandboxEntry) },
    }),
    controlOperation('POST', 'sandboxes', 'sandboxes_create', 'Create a sandbox with a generated name', create, {
      body: requests.NewSandboxFields,
      response: { 201: schemas.NewSandbox },
      errors: ['sandbox_source_unknown', 'sandbox_limit', badLifetime],
      example,
    }),
    acting('GET', '', 'sandboxes_read', 'Read a sandbox', {
      response: { 200: schemas.SandboxDetail },
      work: (store, { name }) => store.get(name),
    }),
    schemas.ofSandbox('PUT', '', 'sandboxes_put', 'Create a sandbox, or replace it', create, {
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
    acting('DELETE', '', 'sandboxes_delete', 'Drop a sandbox', {
      errors: ['sandbox_permanent'],
      work: (store, { name }) => store.delete(name),
    }),
    acting('POST', '/reset', 'sandboxes_reset', 'Put a sandbox back to its seed', {
      querystring: requests.UndoQuery,
      errors: ['sandbox_without_baseline'],
      work: (store, { name }, _sent, { undo }) => store.reset(name, undo),
    }),
    acting('PUT', '/undo', 'sandboxes_undo_keep', 'Keep what a sandbox holds, for an undo', {
      work: (store, { name }) => store.keepUndo(name),
    }),
    acting('POST', '/undo', 'sandboxes_undo', 'Restore what was kept for an undo', {
      errors: ['nothing_to_undo'],
      work: (store, { name }) => store.undo(name),
    }),
    schemas.ofSandbox('GET', '/seed', 'sandboxes_seed_read', 'Export a sandbox as a seed', getSeed, {
      querystring: Type.Object({ format: Type.Optional(Type.Union([Type.Literal('yaml'), Type.Literal('json')])) }),
      response: { 200: { content: { 'application/json': requests.Seed, 'application/yaml': Type.String() } } },
      errors: ['not_found', 'export_limit'],
    }),
    schemas.ofSandbox('PUT', '/seed', 'sandboxes_seed_put', 'Replace the content of a sandbox by a seed', putSeed, {
      querystring: requests.LoadQuery,
      body: requests.Seed,
      response: { 200: schemas.SeedSummary },
      errors: [
        errorLine('users[0].usernme', 'invalid_seed', 'Not a known key; did you mean username? (line 2, column 5)'),
      ],
      example: { users: [{ username: 'alice' }] },
    }),
    acting('GET', '/snapshots', 'sandboxes_snapshots_list', 'List the snapshots of a sandbox', {
      response: { 200: Type.Array(schemas.SnapshotEntry) },
      work: (store, { name }) => store.listSnapshots(name),
    }),
    acting('PUT', '/snapshots/:snapshot', 'sandboxes_snapshot_put', 'Save a sandbox as a snapshot', {
      errors: ['snapshot_limit', requests.badSnapshot],
      work: (store, { name, snapshot }) => store.putSnapshot(name, snapshot),
    }),
    acting('POST', '/snapshots/:snapshot/restore', 'sandboxes_snapshot_restore', 'Restore a sandbox from a snapshot', {
      querystring: requests.UndoQuery,
      errors: ['snapshot_not_found'],
      work: (store, { name, snapshot }, _sent, { undo }) => store.restore(name, snapshot, undo),
    }),
    acting('DELETE', '/snapshots/:snapshot', 'sandboxes_snapshot_delete', 'Delete a snapshot', {
      errors: ['snapshot_not_found'],
      work: (store, { name, snapshot }) => store.deleteSnapshot(name, snapshot),
    }),
    acting('GET', '/clock', 'sandboxes_clock_read', 'Read the clock of a sandbox', {
      response: { 200: schemas.Clock },
      work: (store, { name }) => store.getClock(name),
    }),
    acting('PUT', '/clock', 'sandboxes_clock_put', 'Stop the clock of a sandbox, or let it run', {
      response: { 200: schemas.Clock },
      body: requests.ClockFields,
      errors: [requests.noMoment],
      example: { now: '2026-01-02T03:04:05Z' },
      work: (store, { name }, { now }) => store.changeClock(name, now && toTimestamp(now)),
    }),
    acting('POST', '/clock/advance', 'sandboxes_clock_advance', 'Advance the clock of a sandbox, and stop it', {
      response: { 200: schemas.Clock },
      body: requests.AdvanceFields,
      errors: ['clock_limit'],
      example: { by: '1h' },
      work: (store, { name }, { by }) => store.changeClock(name, undefined, readDuration(by)),
    }),
    acting('POST', '/tokens', 'sandboxes_tokens_create', 'Create a token that selects the sandbox', {
      body: requests.TokenFields,
      response: { 201: schemas.UserToken },
      errors: ['user_not_found', 'token_limit', errorLine('username', 'required', 'This field is required.')],
      example: { username: 'alice' },
      work: (store, { name }, { username }) => store.addToken(name, username),
    }),
    acting('GET', '/tokens', 'sandboxes_tokens_list', 'List the created tokens of a sandbox', {
      response: { 200: Type.Array(schemas.TokenEntry) },
      work: (store, { name }) => store.listTokens(name),
    }),
    acting('DELETE', '/tokens/:token', 'sandboxes_tokens_delete', 'Revoke a created token of a sandbox', {
      errors: ['token_not_found'],
      work: (store, { name, token }) => store.revokeToken(name, token),
    }),
  ],
};
