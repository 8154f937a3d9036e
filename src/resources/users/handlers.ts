// Users: list, create, read, change, delete (transcripts users__*), and their membership of groups (transcript
// membership__access).
import { randomBytes } from 'node:crypto';
import type { Static } from '@sinclair/typebox';
import { admitted } from '../../access/permissions.ts';
import { findCaller, findManager } from '../../access/queries.ts';
import { type Fields, readFields, wholeBody } from '../../api/body/decode.ts';
import { type Answer, type Call, callerParams, noContent, ok, type Services } from '../../api/call.ts';
import type { PageQuery } from '../../api/operation.ts';
import { answerPage, readPageRequest } from '../../api/paginate.ts';
import { toId } from '../../api/wire/ids.ts';
import { pythonInteger } from '../../api/wire/python-integer.ts';
import { JsonNumber } from '../../api/wire/python-text.ts';
import { violatedForeignKey, violatedUnique } from '../../database/sqlstates.ts';
import { ApiError, apiError, type ErrorLine, validationError } from '../../errors.ts';
import { changeUser, findTakenToChange, findTakenToCreate, removeUser } from './change-queries.ts';
import { explainTaken, findRefusals, readUserBody, type UserBody } from './check-user.ts';
import { createUser } from './create-queries.ts';
import { type FilterQuery, readFilters } from './filters.ts';
import {
  addMember,
  lockSandbox,
  type MembershipParams,
  type MembershipRow,
  removeMember,
} from './membership-queries.ts';
import { listOf, wholeProfile } from './profile.ts';
import { findUser, listUsers } from './queries.ts';
import { languageCodes } from '../language-codes.ts';
import { serializeUser, type UserRow, userUrl } from './serialize.ts';

type OfUser = { readonly username: string };
type Query = Static<typeof PageQuery>;

export async function list(call: Call<unknown, FilterQuery>, services: Services): Promise<Answer> {
  const { reads } = services.database;
  const params = callerParams(call, services);
  const request = readPageRequest(call.query, services.pageSize);
  const { filters, faults } = readFilters(call.query);
  if (faults.length > 0) {
    const { may_view_users } = admitted(await findCaller(reads, params), call.sandbox);
    const found = may_view_users ? faults : faults.filter(({ attr }) => attr !== 'email');
    if (found.length > 0) throw validationError(found);
  }
  const row = admitted(await listUsers(filters)(reads, { ...params, ...filters, ...request }), call.sandbox);
  const form = row.may_view_users ? 'full' : 'basic';
  return answerPage(call, request, row.total, row.items.map((user) => serializeUser(user, form, call)).join(','));
}

const newUser = { is_superuser: false, is_active: true, is_bot: false };

export async function create(call: Call<{ readonly username?: never }>, services: Services): Promise<Answer> {
  const check = { call, services, find: findTakenToCreate, partial: false };
  const { values, leftOut } = await readUserBody(check);
  const rows = await createUser(services.database.writes(call.sandbox), {
    ...callerParams(call, services),
    values: JSON.stringify({ ...newUser, ...values }),
  }).catch((error: unknown) => explainTaken(error, check, values));
  const user = existing(admitted(rows, call.sandbox).found);
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
  const row = admitted(rows, call.sandbox);
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
  const { found, may_edit_users } = admitted(rows, call.sandbox);
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
    removeUser(services.database.writes(call.sandbox), { ...params, suffix: `-${randomBytes(5).toString('hex')}` });
  // Another request may have taken the name while the statement waited.
  const rows = await send().catch((error: unknown) => {
    if (violatedUnique(error) === undefined) throw error;
    return send();
  });
  if (admitted(rows, call.sandbox).removed_id === null) throw apiError('not_found');
  return noContent;
}

export const joinGroup = (call: Call<OfUser>, services: Services): Promise<Answer> =>
  changeMembership(call, services, async (params, fields) => {
    const fault = findLanguageFault(call, fields);
    const send = addMember(services.database.writes(call.sandbox), { ...params, may_join: fault === undefined });
    const row = await send.catch((error: unknown) => {
      // The user or the group was deleted meanwhile.
      throw violatedForeignKey(error) === undefined ? error : apiError('not_found');
    });
    return { row, fault: fault ?? (row[0]?.found?.is_active === false && inactive) };
  });

export const leaveGroup = (call: Call<OfUser>, services: Services): Promise<Answer> =>
  changeMembership(call, services, (params) =>
    services.database
      .transactions(call.sandbox)
      .transaction()
      .execute(async (transaction) => {
        await lockSandbox(transaction, params);
        const row = await removeMember(transaction, params);
        return { row, fault: row[0]?.is_last_of_bot === true && lastOfBot };
      }),
  );

interface Change {
  readonly row: readonly MembershipRow[];
  /** Why nothing was changed, although user and group exist. */
  readonly fault: ErrorLine | false;
}

// Checks the permission by itself first, and by the statement again: a caller who lacks it must not wait for a lock, or
// hold one.
async function changeMembership(
  call: Call<OfUser>,
  services: Services,
  send: (params: MembershipParams, fields: Fields) => Promise<Change>,
): Promise<Answer> {
  const params = callerParams(call, services, call.params.username);
  admitted(await findManager(services.database.reads, params), call.sandbox);
  const fields = await readFields(call, services.maxFields).catch(explainBody);
  const { row, fault } = await send({ ...params, group_id: readGroup(fields['group_id']) }, fields);
  const { found, group_found } = admitted(row, call.sandbox);
  const user = existing(found);
  if (!group_found) throw validationError([unknownGroup]);
  if (fault !== false) throw validationError([fault]);
  return ok(serializeUser(user, 'full', call));
}

// A body that is JSON but no object has other words here.
function explainBody(error: unknown): never {
  const isNoObject = error instanceof ApiError && error.type === 'validation_error';
  throw isNoObject ? validationError([wholeBody('invalid', 'Expected an object.')]) : error;
}

const invalid = (attr: string | null, detail: string): ErrorLine => ({ code: 'invalid', detail, attr });
const missingGroup = invalid('group_id', 'Missing group_id parameter');
export const unknownGroup = invalid('group_id', 'Group not found.');
const inactive = invalid('username', 'Inactive users can not be assigned to teams.');
const lastOfBot = invalid(null, 'At least one team is required for a project token.');

// As Python's int() reads a value: 4.9 is 4, and true is 1 (transcript membership__values).
function readGroup(given: unknown): number {
  if (given === undefined || given === null) throw validationError([missingGroup]);
  const number = given instanceof JsonNumber ? Math.trunc(Number(given.source)) : Number(given);
  const id = typeof given === 'string' ? pythonInteger(given) : number;
  const isObject = typeof given === 'object' && !(given instanceof JsonNumber);
  // Weblate fails with 500 for 1e400, which is infinite.
  const isInfinite = given instanceof JsonNumber && !/^-?\d+$/.test(given.source) && !Number.isFinite(number);
  if (id === undefined || isObject || isInfinite)
    throw validationError([invalid('group_id', 'A valid integer is required.')]);
  return toId(id);
}

const isForm = /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
const longestCode = 50;

// The languages that limit a membership are checked, but neither kept nor shown. Of several in a form, the last one is
// checked.
function findLanguageFault({ contentType = '' }: Call, { limit_language_codes: given }: Fields): ErrorLine | undefined {
  if (given === undefined) return undefined;
  const codes: unknown = isForm.test(contentType) ? [given] : given;
  const fault = (detail: string) => invalid('limit_language_codes', detail);
  if (!Array.isArray(codes)) return fault('Expected a list of language codes.');
  const isCode = (code: unknown) =>
    typeof code === 'string' && code.length <= longestCode && /^[A-Za-z0-9]+(?:[-_@][A-Za-z0-9]+)*$/.test(code);
  if (!codes.every(isCode)) return fault('Invalid language code.');
  const missing = [...new Set(codes as string[])].filter((code) => !languageCodes.has(code));
  return missing.length === 0 ? undefined : fault(`Language not found. Missing codes: ${missing.join(', ')}.`);
}

/** Throws 404 where the statement found no user: another request may have renamed or deleted it meanwhile. */
function existing(found: UserRow | null): UserRow {
  if (found === null) throw apiError('not_found');
  return found;
}
