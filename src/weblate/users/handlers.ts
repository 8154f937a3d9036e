// Lists, creates, reads, changes and deletes users, and changes their groups (transcripts users__*,
// membership__*).
import { randomBytes } from 'node:crypto';
import type { Static } from '@sinclair/typebox';
import { findManager } from '../../access/caller-queries.ts';
import { existing } from '../../access/permissions.ts';
import { decodeObject, readIfPermitted, wholeBody } from '../../http/body/decode.ts';
import { noInteger } from '../../http/body/read-value.ts';
import { type Call, type Handler, noContent, ok, readAsCaller, type Services, writeAsCaller } from '../../http/call.ts';
import type { PageQuery } from '../../http/operation.ts';
import { answerPage, readPageRequest } from '../../http/paginate.ts';
import { toId } from '../../http/wire/python-input.ts';
import { toInteger } from '../../http/wire/python-text.ts';
import { violatedUnique } from '../../database/sqlstates.ts';
import { errorLine, validationError } from '../../base/errors.ts';
import { initialValues } from '../../model/kinds.ts';
import { inOrderOf, linkTo } from '../answers.ts';
import { anonymiseUser, changeMembership, changeUser, createUser } from './change-queries.ts';
import { explainTaken, readUserBody } from './check-user.ts';
import { userFilters } from './filter-queries.ts';
import { wholeProfile } from './profile.ts';
import { findUser, listUsers } from './queries.ts';
import { BasicUser, OwnUser, serializeUser, Statistics, User, UserFields, userPath } from './serialize.ts';

export const list: Handler<unknown, Static<typeof userFilters.Query>> = async (call, services) => {
  const request = readPageRequest(call.query);
  const { values, errors } = userFilters.read(call.query);
  const row = await readAsCaller(call, services, listUsers(values), { ...values, ...request });
  // For callers who may not view all users, the filter by address is ignored, and so are its errors.
  const counted = errors.filter(({ attr }) => row.may_view_users || attr !== 'email');
  if (counted.length > 0) throw validationError(counted);
  const form = row.may_view_users ? User : BasicUser;
  return answerPage(call, request, row.total, row.items.map((user) => serializeUser(user, form, call)).join(','));
};

const newUser = inOrderOf(UserFields, initialValues('users', ''));

export const create: Handler = async (call, services) => {
  const { values, leftOut } = await readUserBody(call, services);
  const { found } = await writeAsCaller(call, services, createUser, {
    values: JSON.stringify({ ...newUser, ...values }),
  }).catch(explainTaken(call, services));
  const user = existing(found);
  return {
    status: 201,
    json: serializeUser(user, User, call),
    headers: { location: linkTo(call, userPath(user.username)), ...hintAtForm(leftOut) },
  };
};

export const read: Handler = async (call, services) => {
  const { found, may_view_users } = await getUser(call, services);
  return ok(serializeUser(found, may_view_users ? User : BasicUser, call));
};

export const readStatistics: Handler = async (call, services) => {
  const { found } = await getUser(call, services);
  const { languages, ...others } = wholeProfile(found.profile, call);
  return ok(JSON.stringify(inOrderOf(Statistics, { ...others, languages: languages.length })));
};

export const listContributions: Handler<unknown, Static<typeof PageQuery>> = async (call, services) => {
  await getUser(call, services);
  return answerPage(call, readPageRequest(call.query), 0, '');
};

async function getUser(call: Call, services: Services) {
  const row = await readAsCaller(call, services, findUser, {});
  return { ...row, found: existing(row.found) };
}

export const change: Handler = async (call, services) => {
  const { values, profile, leftOut } = await readUserBody(call, services);
  const { found, may_edit_users } = await writeAsCaller(call, services, changeUser, {
    values: JSON.stringify(values),
    profile: JSON.stringify(profile),
  }).catch(explainTaken(call, services));
  const json = serializeUser(existing(found), may_edit_users ? User : OwnUser, call);
  return { ...ok(json), headers: hintAtForm(leftOut) };
};

// As in Weblate, a form without `is_active` makes the user inactive. The hint says so.
const hintAtForm = (leftOut: readonly string[]): Record<string, string> =>
  leftOut.length === 0
    ? {}
    : { 'x-understudy-hint': `The form left out ${leftOut.join(', ')}, which means false. Send true, or use JSON.` };

export const deleteUser: Handler = async (call, services) => {
  const send = () => writeAsCaller(call, services, anonymiseUser, { suffix: `-${randomBytes(5).toString('hex')}` });
  // Meanwhile another request may have taken the deleted user's new name.
  const { found } = await send().catch((error: unknown) => {
    if (violatedUnique(error) === undefined) throw error;
    return send();
  });
  existing(found);
  return noContent;
};

/** @param joins whether the user joins the group that the body names, or leaves it */
export const changeGroups =
  (joins: boolean): Handler =>
  async (call, services) => {
    const permit = () => readAsCaller(call, services, findManager, {});
    const group_id = await readIfPermitted(call, permit, () => readGroupId(call));
    const { found, outcome } = await writeAsCaller(call, services, changeMembership, { group_id, joins });
    const user = existing(found);
    if (outcome !== null) throw validationError([refusals[outcome]]);
    return ok(serializeUser(user, User, call));
  };

export const inactiveMember = 'Inactive users can not be assigned to teams.';
const missingGroup = errorLine('group_id', 'invalid', 'Missing group_id parameter');
export const unknownGroup = errorLine('group_id', 'invalid', 'Group not found.');
const refusals = {
  'no group': unknownGroup,
  inactive: errorLine('username', 'invalid', inactiveMember),
  'last of bot': errorLine(null, 'invalid', 'At least one team is required for a project token.'),
};

function readGroupId(call: Call) {
  const { group_id: value } = decodeObject(call, () => {
    throw validationError([wholeBody('invalid', 'Expected an object.')]);
  });
  if (value === undefined || value === null) throw validationError([missingGroup]);
  const id = toInteger(value);
  if (id === undefined) throw validationError([errorLine('group_id', 'invalid', noInteger)]);
  return toId(id);
}
