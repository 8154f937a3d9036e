// /_understudy/sandboxes: make them, look at them, put them back, drop them (docs/sandboxes.md).
import { apiError, validationError } from '../errors.ts';
import type { ExportFormat, ExportSeed } from '../export/export-sandbox.ts';
import { tokensNote } from '../export/export-write.ts';
import type { Sandboxes } from './sandboxes.ts';
import { fault, isObject, readSandboxRequest } from './requests.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, nameOf, nothing, ok } from '../api/own-dispatch.ts';
import { forget, startAfresh, type Traffic } from '../traffic/traffic.ts';

type Act = (sandboxes: Sandboxes, call: AdminCall, traffic: Traffic) => Promise<AdminAnswer>;
const snapshotOf = (call: AdminCall) => call.params['snapshot'] as string;

const list: Act = async (sandboxes) => ok(await sandboxes.list());
const get: Act = async (sandboxes, call) => ok(await sandboxes.get(nameOf(call)));

const create: Act = async (sandboxes, { params, body }, traffic) => {
  const json = await sandboxes.create(params['name'], readSandboxRequest(await body.value(), body.text));
  traffic.expiry.forget(json.name);
  startAfresh(traffic, json.name);
  return { status: 201, json };
};

const remove: Act = async (sandboxes, call, traffic) => {
  const name = nameOf(call);
  await sandboxes.remove(name);
  forget(traffic, name);
  return nothing;
};

const reset: Act = async (sandboxes, call, traffic) => {
  const name = nameOf(call);
  await sandboxes.reset(name);
  startAfresh(traffic, name);
  return nothing;
};

const getSeed = async (exportSeed: ExportSeed, call: AdminCall): Promise<AdminAnswer> => {
  const format = formatOf(call);
  const stream = await exportSeed(nameOf(call), format);
  return { status: 200, stream, headers: { 'content-type': `application/${format}`, 'x-understudy-hint': tokensNote } };
};

const putSeed: Act = async (sandboxes, call) => {
  const { text } = call.body;
  if (text === undefined) throw validationError([fault(null, 'required', 'The body must be a seed, YAML or JSON.')]);
  return ok(await sandboxes.putSeed(nameOf(call), text, 'uploaded'));
};

const putSnapshot: Act = async (sandboxes, call) => {
  await sandboxes.putSnapshot(nameOf(call), snapshotOf(call));
  return nothing;
};

const restore: Act = async (sandboxes, call, traffic) => {
  const name = nameOf(call);
  await sandboxes.restore(name, snapshotOf(call));
  startAfresh(traffic, name);
  return nothing;
};

const addToken: Act = async (sandboxes, call) => {
  const body = await call.body.value();
  const username = isObject(body) ? body['username'] : undefined;
  if (typeof username !== 'string' || username.includes('\0'))
    throw validationError([fault('username', 'required', 'Whose token? A username.')]);
  return { status: 201, json: await sandboxes.addToken(nameOf(call), username) };
};

const table: readonly (readonly [AdminRoute['method'], string, Act])[] = [
  ['GET', '/sandboxes', list],
  ['POST', '/sandboxes', create],
  ['GET', '/sandboxes/:name', get],
  ['PUT', '/sandboxes/:name', create],
  ['DELETE', '/sandboxes/:name', remove],
  ['POST', '/sandboxes/:name/reset', reset],
  ['PUT', '/sandboxes/:name/seed', putSeed],
  ['PUT', '/sandboxes/:name/snapshots/:snapshot', putSnapshot],
  ['POST', '/sandboxes/:name/snapshots/:snapshot/restore', restore],
  ['POST', '/sandboxes/:name/tokens', addToken],
];

/** @param open the sandboxes as they are seen under a base of URLs */
export const sandboxRoutes = (
  open: (origin: string) => Sandboxes,
  traffic: Traffic,
  exportSeed: ExportSeed,
): readonly AdminRoute[] => [
  { method: 'GET', path: '/sandboxes/:name/seed', handler: (call) => getSeed(exportSeed, call) },
  ...table.map(([method, path, act]): AdminRoute => ({
    method,
    path,
    handler: (call) => act(open(call.origin), call, traffic),
  })),
];

// YAML unless JSON is asked for.
function formatOf({ query, accept = '' }: AdminCall): ExportFormat {
  const { format } = query;
  if (format !== undefined && format !== 'yaml' && format !== 'json') throw apiError('not_found');
  return format ?? (accept.includes('application/json') ? 'json' : 'yaml');
}
