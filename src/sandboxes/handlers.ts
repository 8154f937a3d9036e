// The handlers of the operations on sandboxes.
import type { Static, TSchema } from '@sinclair/typebox';
import { type Answer, type Call, noContent } from '../http/call.ts';
import { shown } from '../http/own.ts';
import { apiError } from '../base/errors.ts';
import { type createExports, tokensNote } from '../seeds/export/export-sandbox.ts';
import { readOwnBody, readText, readValue } from './own-body.ts';
import { readSandboxRequest, TokenFields } from './sandbox-requests.ts';
import type { SnapshotPath, TokenPath } from './sandbox-schemas.ts';
import { makeUpName, type Sandboxes } from './sandboxes.ts';

export interface SandboxServices {
  /** The sandboxes with the URLs that they have under this origin. */
  readonly sandboxesAt: (origin: string) => Sandboxes;
  readonly exportSeed: ReturnType<typeof createExports>;
}

type Handler<Params = { readonly name: string }> = (
  call: Call<Params, { readonly format?: string }>,
  services: SandboxServices,
) => Promise<Answer>;

/** Answers with the result, or without a body where there is none. @param schema of the body, where there is one */
export const act =
  <P = { name: string }, S extends TSchema = TSchema>(
    work: (sandboxes: Sandboxes, params: P, sent: Static<S>) => Promise<unknown>,
    schema?: S,
    status = 200,
  ): Handler<P> =>
  async (call, { sandboxesAt }) => {
    const sent = schema && (await readOwnBody(schema, call));
    const result = await work(sandboxesAt(call.baseUrl), call.params, sent);
    return result === undefined ? noContent : shown(result, status);
  };

type OfSnapshot = Static<typeof SnapshotPath>;
export const list = act((sandboxes) => sandboxes.list());
export const read = act((sandboxes, { name }) => sandboxes.get(name));
export const deleteSandbox = act((sandboxes, { name }) => sandboxes.delete(name));
export const reset = act((sandboxes, { name }) => sandboxes.reset(name));
export const putSnapshot = act((sandboxes, { name, snapshot }: OfSnapshot) => sandboxes.putSnapshot(name, snapshot));
export const restore = act((sandboxes, { name, snapshot }: OfSnapshot) => sandboxes.restore(name, snapshot));
export const addToken = act(
  (sandboxes, { name }, { username }) => sandboxes.addToken(name, username),
  TokenFields,
  201,
);
export const listTokens = act((sandboxes, { name }) => sandboxes.listTokens(name));
export const revokeToken = act((sandboxes, { name, token }: Static<typeof TokenPath>) =>
  sandboxes.revokeToken(name, token),
);

export const create: Handler<{ readonly name?: string }> = async (call, { sandboxesAt }) => {
  const request = readSandboxRequest(await readValue(call), readText(call));
  const { name } = call.params;
  // POST makes up the name, which no other sandbox may have.
  const replaces = name !== undefined;
  return shown(await sandboxesAt(call.baseUrl).create(name ?? makeUpName(), request, replaces), 201);
};

export const getSeed: Handler = async ({ params, query, accept = '' }, { exportSeed }) => {
  const format = query.format ?? (accept.includes('application/json') ? 'json' : 'yaml');
  if (format !== 'yaml' && format !== 'json') throw apiError('not_found');
  const content = await exportSeed(params.name, format);
  const headers = { 'content-type': `application/${format}`, 'x-understudy-hint': tokensNote };
  return { status: 200, json: null, content, headers };
};

export const putSeed: Handler = async (call, { sandboxesAt }) =>
  shown((await sandboxesAt(call.baseUrl).loadSeed(call.params.name, readText(call) ?? '')).summary);
