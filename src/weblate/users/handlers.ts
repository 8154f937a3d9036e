// Users: list, create, read, change, delete (transcripts users__*).
import { randomBytes } from 'node:crypto';
import type { Static } from '@sinclair/typebox';
import { getAdmitted } from '../../access/permissions.ts';
import { findCaller } from '../../access/queries.ts';
import { type Answer, type Call, callerParams, noContent, ok, type Services } from '../../http/call.ts';
import type { PageQuery } from '../../http/operation.ts';
import { answerPage, readPageRequest } from '../../http/paginate.ts';
import { violatedUnique } from '../../database/sqlstates.ts';
import { apiError, validationError } from '../../base/errors.ts';
import { initialValues } from '../../model/kinds.ts';
import { changeUser, findTakenToChange, findTakenToCreate, deleteUser } from './change-queries.ts';
import { explainTaken, findRefusals, readUserBody, type UserBody } from './check-user.ts';
import { createUser } from './create-queries.ts';
import { faultsFor, type FilterQuery, readFilters } from './filters.ts';
import { listOf, wholeProfile } from './profile.ts';
import { findUser, listUsers } from './queries.ts';
import { serializeUser, UserFields, type UserRow, userUrl } from './serialize.ts';

type OfUser = { readonly username: string };
type Query = Static<typeof PageQuery>;

export async function list(call: Call<unknown, FilterQuery>, services: Services): Promise<Answer> {
  const { reads } = services.database;
  const params = callerParams(call, services);
  const request = readPageRequest(call.query, services.pageSize);
  const { filters, faults } = readFilters(call.query);
  if (faults.length > 0) {
    const found = faultsFor(getAdmitted(await findCaller(reads, params), call), faults);
    if (found.length > 0) throw validationError(found);
  }
  const row = getAdmitted(await listUsers(filters)(reads, { ...params, ...filters, ...request }), call);
  const form = row.may_view_users ? 'full' : 'basic';
  return answerPage(call, request, row.total, row.items.map((user) => serializeUser(user, form, call)).join(','));
}

const newUser = Object.fromEntries(
  Object.entries(initialValues('users', '')).filter(([name]) => name in UserFields.properties),
);

export async function create(call: Call<{ readonly username?: never }>, services: Services): Promise<Answer> {
  const check = { call, services, find: findTakenToCreate, partial: false };
  const { values, leftOut } = await readUserBody(check);
  const rows = await createUser(services.database.writes(call.sandbox), {
    ...callerParams(call, services),
    values: JSON.stringify({ ...newUser, ...values }),
  }).catch((error: unknown) => explainTaken(error, check, values));
  const user = existing(getAdmitted(rows, call).found);
  return {
    status: 201,
    json: serializeUser(user, 'full', call),
    headers: { location: userUrl(user.username, call), ...hintAtForm(leftOut) },
  };
}

export async function read(call: Call<OfUser>, services: Services): Promise<Answer> {
  const { found, may_view_users } = await getUser(call, services);
  return ok(serializeUser(found, may_view_users ? 'full' : 'basic', call));
}

export async function readStatistics(call: Call<OfUser>, services: Services): Promise<Answer> {
  const { found } = await getUser(call, services);
  const { translated, suggested, uploaded, commented } = wholeProfile(found.profile, call);
  const languages = listOf('languages', found.profile).length;
  return ok(JSON.stringify({ translated, suggested, uploaded, commented, languages }));
}

/** Translations aren't mirrored, so the list is empty. */
export async function listContributions(call: Call<OfUser, Query>, services: Services): Promise<Answer> {
  await getUser(call, services);
  return answerPage(call, readPageRequest(call.query, services.pageSize), 0, '');
}

async function getUser(call: Call<OfUser>, services: Services) {
  const rows = await findUser(services.database.reads, callerParams(call, services, call.params.username));
  const row = getAdmitted(rows, call);
  return { ...row, found: existing(row.found) };
}

export const replace = (call: Call<OfUser>, services: Services): Promise<Answer> => change(call, services, false);
export const update = (call: Call<OfUser>, services: Services): Promise<Answer> => change(call, services, true);

async function change(call: Call<OfUser>, services: Services, partial: boolean): Promise<Answer> {
  const check = { call, services, find: findTakenToChange, partial };
  const { values, profile, leftOut } = await readUserBody(check);
  const rows = await changeUser(services.database.writes(call.sandbox), {
    ...callerParams(call, services, call.params.username),
    values: JSON.stringify(values),
    profile: JSON.stringify(profile),
  }).catch((error: unknown) => explainTaken(error, check, values));
  const { found, may_edit_users } = getAdmitted(rows, call);
  if (found === null && !may_edit_users) {
    const faults = await findRefusals(check, values);
    if (faults.length > 0) throw validationError(faults);
  }
  const answer = ok(serializeUser(existing(found), may_edit_users ? 'full' : 'self', call));
  return may_edit_users ? { ...answer, headers: hintAtForm(leftOut) } : answer;
}

// Clients that send forms make inactive users without knowing it, here as there.
const hintAtForm = (leftOut: UserBody['leftOut']): Record<string, string> =>
  leftOut.length === 0
    ? {}
    : { 'x-understudy-hint': `The form left out ${leftOut.join(', ')}, so the value is false. Send it, or use JSON.` };

export async function remove(call: Call<OfUser>, services: Services): Promise<Answer> {
  const params = callerParams(call, services, call.params.username);
  const send = () =>
    deleteUser(services.database.writes(call.sandbox), { ...params, suffix: `-${randomBytes(5).toString('hex')}` });
  // Another request may have taken the name while the statement waited.
  const rows = await send().catch((error: unknown) => {
    if (violatedUnique(error) === undefined) throw error;
    return send();
  });
  if (getAdmitted(rows, call).deleted_id === null) throw apiError('not_found');
  return noContent;
}

/** Throws 404 where the statement found no user: another request may have renamed or deleted it meanwhile. */
export function existing(found: UserRow | null): UserRow {
  if (found === null) throw apiError('not_found');
  return found;
}
