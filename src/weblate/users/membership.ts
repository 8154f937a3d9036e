// A user's membership of groups (transcripts membership__*).
import { findManager } from '../../access/caller-queries.ts';
import { decodeFields, readIfPermitted, wholeBody } from '../../http/body/decode.ts';
import { existing } from '../../access/permissions.ts';
import { type Call, type Handler, ok, readAsCaller, writeAsCaller } from '../../http/call.ts';
import { noInteger } from '../../http/body/read-value.ts';
import { toId } from '../../http/wire/python-input.ts';
import { toInteger } from '../../http/wire/python-text.ts';
import { ApiError, type ErrorLine, errorLine, validationError } from '../../base/errors.ts';
import { serializeUser, User } from './serialize.ts';
import { addMember, type MembershipRow, removeMember } from './change-queries.ts';

const membershipHandler =
  (statement: typeof addMember): Handler =>
  async (call, services) => {
    const permit = () => readAsCaller(call, services, findManager, {});
    const group_id = await readIfPermitted(call, permit, () => readGroupId(readFields(call)['group_id']));
    const { found, outcome } = await writeAsCaller(call, services, statement, { group_id });
    const user = existing(found);
    if (outcome !== null) throw validationError([refusals[outcome]]);
    return ok(serializeUser(user, User, call));
  };

export const joinGroup = membershipHandler(addMember);

export const leaveGroup = membershipHandler(removeMember);

function readFields(call: Call) {
  try {
    return decodeFields(call);
  } catch (error) {
    // A body that is JSON but no object has other words here.
    const isNoObject = error instanceof ApiError && error.type === 'validation_error';
    throw isNoObject ? validationError([wholeBody('invalid', 'Expected an object.')]) : error;
  }
}

export const inactiveMember = 'Inactive users can not be assigned to teams.';
const missingGroup = errorLine('group_id', 'invalid', 'Missing group_id parameter');
export const unknownGroup = errorLine('group_id', 'invalid', 'Group not found.');
const refusals: Readonly<Record<NonNullable<MembershipRow['outcome']>, ErrorLine>> = {
  'no group': unknownGroup,
  inactive: errorLine('username', 'invalid', inactiveMember),
  'last of bot': errorLine(null, 'invalid', 'At least one team is required for a project token.'),
};

function readGroupId(value: unknown): number {
  if (value === undefined || value === null) throw validationError([missingGroup]);
  const id = toInteger(value);
  if (id === undefined) throw validationError([errorLine('group_id', 'invalid', noInteger)]);
  return toId(id);
}
