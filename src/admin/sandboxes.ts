// /_understudy/sandboxes: make them, look at them, put them back, drop them (docs/sandboxes.md).
import { apiError, validationError } from '../http/errors.ts';
import { type ExportFormat, tokensNote } from '../seeding/export.ts';
import type { Sandboxes } from '../seeding/sandboxes.ts';
import { fault, isObject, readSandboxRequest } from '../seeding/sandboxes-body.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, nameOf, nothing, ok } from './routes.ts';

type Act = (sandboxes: Sandboxes, call: AdminCall) => Promise<AdminAnswer>;
const snapshotOf = (call: AdminCall) => call.params['snapshot'] as string;

const list: Act = async (sandboxes) => ok(await sandboxes.list());
const get: Act = async (sandboxes, call) => ok(await sandboxes.get(nameOf(call)));

const create: Act = async (sandboxes, { params, body }) => ({
  status: 201,
  json: await sandboxes.create(params['name'], readSandboxRequest(await body.value(), body.text)),
});

const remove: Act = async (sandboxes, call) => {
  await sandboxes.remove(nameOf(call));
  return nothing;
};

const reset: Act = async (sandboxes, call) => {
  await sandboxes.reset(nameOf(call));
  return nothing;
};

const getSeed: Act = async (sandboxes, call) => {
  const format = formatOf(call);
  const text = await sandboxes.exportSeed(nameOf(call), format);
  return { status: 200, text, headers: { 'content-type': `application/${format}`, 'x-understudy-hint': tokensNote } };
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

const restore: Act = async (sandboxes, call) => {
  await sandboxes.restore(nameOf(call), snapshotOf(call));
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
  ['GET', '/sandboxes/:name/seed', getSeed],
  ['PUT', '/sandboxes/:name/seed', putSeed],
  ['PUT', '/sandboxes/:name/snapshots/:snapshot', putSnapshot],
  ['POST', '/sandboxes/:name/snapshots/:snapshot/restore', restore],
  ['POST', '/sandboxes/:name/tokens', addToken],
];

/** @param open the sandboxes as they are seen under a base of URLs */
export const sandboxRoutes = (open: (origin: string) => Sandboxes): readonly AdminRoute[] =>
  table.map(([method, path, act]) => ({ method, path, handler: (call) => act(open(call.origin), call) }));

// YAML unless JSON is asked for.
function formatOf({ query, accept = '' }: AdminCall): ExportFormat {
  const { format } = query;
  if (format !== undefined && format !== 'yaml' && format !== 'json') throw apiError('not_found');
  return format ?? (accept.includes('application/json') ? 'json' : 'yaml');
}
