// A user's membership of groups (transcripts membership__*).
import { findManager } from '../../access/queries.ts';
import { decodeFields, readIfPermitted, wholeBody } from '../../http/body/decode.ts';
import { existing } from '../../access/permissions.ts';
import { type Call, type Handler, ok, readAsCaller, writeAsCaller } from '../../http/call.ts';
import { pythonInteger, toId } from '../../http/wire/python-input.ts';
import { JsonNumber } from '../../http/wire/python-text.ts';
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

const missingGroup = errorLine('group_id', 'invalid', 'Missing group_id parameter');
export const unknownGroup = errorLine('group_id', 'invalid', 'Group not found.');
const refusals: Readonly<Record<NonNullable<MembershipRow['outcome']>, ErrorLine>> = {
  'no group': unknownGroup,
  inactive: errorLine('username', 'invalid', 'Inactive users can not be assigned to teams.'),
  'last of bot': errorLine(null, 'invalid', 'At least one team is required for a project token.'),
};

// As Python's int() reads a value: 4.9 is 4, and true is 1 (transcript membership__values).
function readGroupId(value: unknown): number {
  if (value === undefined || value === null) throw validationError([missingGroup]);
  const source = value instanceof JsonNumber ? value.source : undefined;
  const number = Math.trunc(Number(source ?? value));
  const id = typeof value === 'string' ? pythonInteger(value) : number;
  // Weblate fails with 500 for 1e400, which is infinite.
  const isInfinite = source !== undefined && !/^-?\d+$/.test(source) && !Number.isFinite(number);
  if (id === undefined || isInfinite || (typeof value === 'object' && source === undefined))
    throw validationError([errorLine('group_id', 'invalid', 'A valid integer is required.')]);
  return toId(id);
}
