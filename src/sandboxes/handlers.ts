// The handlers of the operations on sandboxes.
import type { Static } from '@sinclair/typebox';
import { type Answer, type Call, noContent } from '../api/call.ts';
import { shown } from '../api/own.ts';
import { apiError, validationError } from '../errors.ts';
import type { ExportSeed } from '../export/export-sandbox.ts';
import { tokensNote } from '../export/export-write.ts';
import { readOwnBody, readText, readValue } from './own-body.ts';
import { readSandboxRequest, TokenFields } from './sandbox-requests.ts';
import type { SnapshotPath, TokenPath } from './sandbox-schemas.ts';
import { makeUpName, type Sandboxes } from './sandboxes.ts';

export interface SandboxServices {
  /** The sandboxes with the URLs that they have under this origin. */
  readonly sandboxesAt: (origin: string) => Sandboxes;
  readonly exportSeed: ExportSeed;
}

type Handler<Params = { readonly name: string }> = (
  call: Call<Params, { readonly format?: string }>,
  services: SandboxServices,
) => Promise<Answer>;
type SnapshotHandler = Handler<Static<typeof SnapshotPath>>;

export const list: Handler<unknown> = async ({ baseUrl }, { sandboxesAt }) => shown(await sandboxesAt(baseUrl).list());

export const read: Handler = async ({ baseUrl, params }, { sandboxesAt }) =>
  shown(await sandboxesAt(baseUrl).get(params.name));

export const create: Handler<{ readonly name?: string }> = async (call, { sandboxesAt }) => {
  const request = readSandboxRequest(await readValue(call), readText(call));
  const { name } = call.params;
  // By POST its name is made up: no other sandbox may have it.
  const replaces = name !== undefined;
  return shown(await sandboxesAt(call.baseUrl).create(name ?? makeUpName(), request, replaces), 201);
};

export const remove: Handler = async ({ baseUrl, params: { name } }, { sandboxesAt }) => {
  await sandboxesAt(baseUrl).remove(name);
  return noContent;
};

export const reset: Handler = async ({ baseUrl, params: { name } }, { sandboxesAt }) => {
  await sandboxesAt(baseUrl).reset(name);
  return noContent;
};

export const getSeed: Handler = async ({ params, query, accept = '' }, { exportSeed }) => {
  const format = query.format ?? (accept.includes('application/json') ? 'json' : 'yaml');
  if (format !== 'yaml' && format !== 'json') throw apiError('not_found');
  const content = await exportSeed(params.name, format);
  const headers = { 'content-type': `application/${format}`, 'x-understudy-hint': tokensNote };
  return { status: 200, json: null, content, headers };
};

export const putSeed: Handler = async (call, { sandboxesAt }) => {
  const text = readText(call);
  if (text === undefined)
    throw validationError([{ code: 'required', detail: 'The body must be a seed, YAML or JSON.', attr: null }]);
  return shown(await sandboxesAt(call.baseUrl).putSeed(call.params.name, text));
};

export const putSnapshot: SnapshotHandler = async ({ baseUrl, params }, { sandboxesAt }) => {
  await sandboxesAt(baseUrl).putSnapshot(params.name, params.snapshot);
  return noContent;
};

export const restore: SnapshotHandler = async ({ baseUrl, params }, { sandboxesAt }) => {
  await sandboxesAt(baseUrl).restore(params.name, params.snapshot);
  return noContent;
};

export const addToken: Handler = async (call, { sandboxesAt }) => {
  const { username } = await readOwnBody(TokenFields, call);
  return shown(await sandboxesAt(call.baseUrl).addToken(call.params.name, username), 201);
};

export const listTokens: Handler = async ({ baseUrl, params: { name } }, { sandboxesAt }) =>
  shown(await sandboxesAt(baseUrl).listTokens(name));

export const revokeToken: Handler<Static<typeof TokenPath>> = async ({ baseUrl, params }, { sandboxesAt }) => {
  await sandboxesAt(baseUrl).revokeToken(params.name, params.token);
  return noContent;
};
