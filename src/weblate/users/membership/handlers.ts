// A user's membership of groups (transcripts membership__*).
import { findManager } from '../../../access/queries.ts';
import { decodeFields, wholeBody } from '../../../http/body/decode.ts';
import {
  type Answer,
  type Call,
  type Handler,
  ok,
  readAsCaller,
  sendOn,
  type Services,
  writeAsCaller,
} from '../../../http/call.ts';
import { pythonInteger, toId } from '../../../http/wire/python-input.ts';
import { JsonNumber } from '../../../http/wire/python-text.ts';
import { violatedForeignKey } from '../../../database/sqlstates.ts';
import { ApiError, apiError, type ErrorLine, errorLine, validationError } from '../../../base/errors.ts';
import { existing } from '../handlers.ts';
import { serializeUser } from '../serialize.ts';
import { addMember, lockSandbox, type MembershipRow, removeMember } from './queries.ts';

export const joinGroup: Handler = async (call, services) => {
  const group_id = await readGroup(call, services);
  const row = await writeAsCaller(call, services, addMember, { group_id }).catch((error: unknown) => {
    // The user or the group was deleted meanwhile.
    throw violatedForeignKey(error) === undefined ? error : apiError('not_found');
  });
  return answer(call, row, row.found?.is_active === false && inactive);
};

export const leaveGroup: Handler = async (call, services) => {
  const group_id = await readGroup(call, services);
  const transactions = services.database.transactions(call.sandbox);
  const row = await transactions.transaction().execute(async (transaction) => {
    await lockSandbox(transaction, call);
    return sendOn(() => transaction)(call, services, removeMember, { group_id });
  });
  return answer(call, row, row.is_last_of_bot === true && lastOfBot);
};

/** @param error why nothing was changed, although user and group exist */
function answer(call: Call, { found, group_found }: MembershipRow, error: ErrorLine | false): Answer {
  const user = existing(found);
  if (!group_found) throw validationError([unknownGroup]);
  if (error !== false) throw validationError([error]);
  return ok(serializeUser(user, 'full', call));
}

// Checks the permission by itself first, and the statement checks it again: a caller who lacks it must not wait for a lock, or hold one.
async function readGroup(call: Call, services: Services) {
  await readAsCaller(call, services, findManager, {});
  return readGroupId(readFields(call, services)['group_id']);
}

function readFields(call: Call, { maxFields }: Services) {
  try {
    return decodeFields(call, maxFields);
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
  const number = value instanceof JsonNumber ? Math.trunc(Number(value.source)) : Number(value);
  const id = typeof value === 'string' ? pythonInteger(value) : number;
  const isObject = typeof value === 'object' && !(value instanceof JsonNumber);
  // Weblate fails with 500 for 1e400, which is infinite.
  const isInfinite = value instanceof JsonNumber && !/^-?\d+$/.test(value.source) && !Number.isFinite(number);
  if (id === undefined || isObject || isInfinite)
    throw validationError([errorLine('group_id', 'invalid', 'A valid integer is required.')]);
  return toId(id);
}
