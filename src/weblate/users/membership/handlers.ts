// A user's membership of groups (transcripts membership__*).
import { getAdmitted } from '../../../access/permissions.ts';
import { findManager } from '../../../access/queries.ts';
import { readFields, wholeBody } from '../../../http/body/decode.ts';
import { type Answer, type Call, callerParams, ok, type Services } from '../../../http/call.ts';
import { toId } from '../../../http/wire/ids.ts';
import { pythonInteger } from '../../../http/wire/python-integer.ts';
import { JsonNumber } from '../../../http/wire/python-text.ts';
import { violatedForeignKey } from '../../../database/sqlstates.ts';
import { ApiError, apiError, type ErrorLine, validationError } from '../../../base/errors.ts';
import { existing } from '../handlers.ts';
import { serializeUser } from '../serialize.ts';
import { addMember, lockSandbox, type MembershipParams, type MembershipRow, removeMember } from './queries.ts';

type OfUser = { readonly username: string };

export const joinGroup = (call: Call<OfUser>, services: Services): Promise<Answer> =>
  changeMembership(call, services, async (params) => {
    const row = await addMember(services.database.writes(call.sandbox), params).catch((error: unknown) => {
      // The user or the group was deleted meanwhile.
      throw violatedForeignKey(error) === undefined ? error : apiError('not_found');
    });
    return { row, fault: row[0]?.found?.is_active === false && inactive };
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
  send: (params: MembershipParams) => Promise<Change>,
): Promise<Answer> {
  const params = callerParams(call, services, call.params.username);
  getAdmitted(await findManager(services.database.reads, params), call);
  const fields = await readFields(call, services.maxFields).catch(explainBody);
  const { row, fault } = await send({ ...params, group_id: readGroup(fields['group_id']) });
  const { found, group_found } = getAdmitted(row, call);
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
