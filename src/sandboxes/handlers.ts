// The handlers of the operations on sandboxes that are more than one call.
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { type Answer, type Call, noContent } from '../http/call.ts';
import type { Method } from '../http/operation.ts';
import { shown } from '../http/control.ts';
import { apiError } from '../base/errors.ts';
import { type createExports, tokensNote } from '../seeds/export/export-sandbox.ts';
import { readControlBody, readText, readValue } from './control-body.ts';
import { type Asked, LoadQuery, PutQuery, readFlags, readSandboxRequest } from './sandbox-requests.ts';
import { ofSandbox, type SandboxPath } from './sandbox-schemas.ts';
import { makeUpName, type Sandboxes } from './sandboxes.ts';

export interface SandboxServices {
  /** The sandboxes with the URLs that they have under this origin. */
  readonly sandboxesAt: (origin: string, left?: AbortSignal) => Sandboxes;
  readonly exportSeed: ReturnType<typeof createExports>;
}

type Handler<P = SandboxPath> = (
  call: Call<P, { readonly format?: string }>,
  services: SandboxServices,
) => Promise<Answer>;

/** An operation that answers with what `work` returns, or without a body where that is nothing. */
export const acting = <B extends TObject = TObject, Q extends TObject = TObject>(
  method: Method,
  path: string,
  {
    work,
    ...declared
  }: Parameters<typeof ofSandbox>[3] & {
    readonly body?: B;
    /** Of flags. */
    readonly querystring?: Q;
    readonly work: (store: Sandboxes, path: SandboxPath, sent: Static<B>, asked: Asked<Q>) => Promise<unknown>;
  },
) => {
  const { body, querystring, response = {} } = declared;
  const handle: Handler = async (call, { sandboxesAt }) => {
    const asked = querystring === undefined ? {} : readFlags(querystring, call.query);
    const sent = body && (await readControlBody(body, call));
    const result = await work(sandboxesAt(call.baseUrl, call.left), call.params, sent as Static<B>, asked);
    return result === undefined ? noContent : shown(result, Number(Object.keys(response)[0]));
  };
  return ofSandbox(method, path, handle, declared);
};

export const create: Handler<Partial<SandboxPath>> = async (call, { sandboxesAt }) => {
  const request = readSandboxRequest(await readValue(call), readText(call));
  const { name } = call.params;
  const { replace } = readFlags(name === undefined ? Type.Object({}) : PutQuery, call.query) as Asked<typeof PutQuery>;
  // POST makes up the name, which no other sandbox may have.
  const replaces = name !== undefined && replace !== false;
  return shown(await sandboxesAt(call.baseUrl, call.left).create(name ?? makeUpName(), request, replaces), 201);
};

export const getSeed: Handler = async ({ params, query, accept = '', left }, { exportSeed }) => {
  const format = query.format ?? (accept.includes('application/json') ? 'json' : 'yaml');
  if (format !== 'yaml' && format !== 'json') throw apiError('not_found');
  const content = await exportSeed(params.name, format, left);
  const headers = { 'content-type': `application/${format}`, 'x-understudy-hint': tokensNote };
  return { status: 200, json: null, content, headers };
};

export const putSeed: Handler = async (call, { sandboxesAt }) => {
  const ways = readFlags(LoadQuery, call.query);
  return shown(await sandboxesAt(call.baseUrl, call.left).loadSeed(call.params.name, readText(call) ?? '', ways));
};
