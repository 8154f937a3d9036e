// A user's membership of groups (transcripts membership__*).
import { findManager } from '../../../access/queries.ts';
import { decodeFields, wholeBody } from '../../../http/body/decode.ts';
import { type Call, type Handler, ok, readAsCaller, sendOn } from '../../../http/call.ts';
import { pythonInteger, toId } from '../../../http/wire/python-input.ts';
import { JsonNumber } from '../../../http/wire/python-text.ts';
import { ApiError, type ErrorLine, errorLine, validationError } from '../../../base/errors.ts';
import { existing } from '../handlers.ts';
import { serializeUser } from '../serialize.ts';
import { addMember, lockSandbox, type MembershipRow, removeMember } from './queries.ts';

/** @param findError why a row says that nothing was changed, although user and group exist */
const membershipHandler =
  (statement: typeof addMember, findError: (row: MembershipRow) => ErrorLine | false): Handler =>
  async (call, services) => {
    // The statement checks the permission again: a caller who lacks it must not wait for a lock, or hold one.
    await readAsCaller(call, services, findManager, {});
    const group_id = readGroupId(readFields(call)['group_id']);
    const transactions = services.database.transactions(call.place.sandbox);
    const row = await transactions.transaction().execute(async (transaction) => {
      await lockSandbox(transaction, call.place);
      return sendOn(() => transaction)(call, services, statement, { group_id });
    });
    const user = existing(row.found);
    if (!row.group_found) throw validationError([unknownGroup]);
    const error = findError(row);
    if (error !== false) throw validationError([error]);
    return ok(serializeUser(user, 'full', call));
  };

export const joinGroup = membershipHandler(addMember, ({ found }) => found?.is_active === false && inactive);

export const leaveGroup = membershipHandler(removeMember, (row) => row.is_last_of_bot === true && lastOfBot);

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
const inactive = errorLine('username', 'invalid', 'Inactive users can not be assigned to teams.');
const lastOfBot = errorLine(null, 'invalid', 'At least one team is required for a project token.');

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
