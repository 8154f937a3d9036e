// POST and DELETE of a user's membership of a group (transcripts users__groups, membership__access).
import { admittedTo, type UserAccess } from '../../access/permissions.ts';
import { findCaller } from '../../access/queries.ts';
import { violatedForeignKey } from '../../database/sqlstates.ts';
import { type Fields, readFields } from '../../api/body/decode.ts';
import { type Answer, askedOf, askingOf, type Call, ok, type Services } from '../../api/call.ts';
import { apiError, type ErrorLine, validationError } from '../../errors.ts';
import { checkFields } from '../../api/body/check-fields.ts';
import { toId } from '../../api/wire/ids.ts';
import {
  addMember,
  lockSandbox,
  type MembershipParameters,
  type MembershipRow,
  removeMember,
} from './membership-queries.ts';
import { MembershipFields, type UserPath } from './schema.ts';
import { serializeUser } from './serialize.ts';

// No group has this id.
const noGroup = 0;
const fault = (detail: string): ErrorLine => ({ code: 'invalid', detail, attr: 'group_id' });

type Send = (parameters: MembershipParameters) => Promise<MembershipRow[]>;

export function membershipHandlers({ database, anonymous, maxFields }: Services) {
  // Whoever may not change it waits for no lock and holds none, so the permission is asked for by itself, and again by the statement.
  const change =
    (send: Send) =>
    async (call: Call<UserPath>): Promise<Answer> => {
      const asked = { ...askedOf(call, call.params.username), open: anonymous === 'write' };
      const allowed = <R extends UserAccess>(rows: readonly R[]): R =>
        admittedTo(rows, askingOf(call, anonymous), 'manage');
      allowed(await findCaller(database.reads, asked));
      const { id, faults } = readGroup(await readFields(call, maxFields));
      if (faults.length > 0) throw validationError(faults);
      const row = allowed(await send({ ...asked, group_id: id }));
      if (row.found === null) throw apiError('not_found');
      if (!row.group_found) throw validationError([fault('Group not found.')]);
      return ok(serializeUser(row.found, 'full', call));
    };

  return {
    add: change((parameters) =>
      addMember(database.writes(parameters.sandbox), parameters).catch((error: unknown) => {
        // The user or the group vanished meanwhile.
        throw violatedForeignKey(error) === undefined ? error : apiError('not_found');
      }),
    ),
    remove: change((parameters) =>
      database
        .transactions(parameters.sandbox)
        .transaction()
        .execute(async (transaction) => {
          await lockSandbox(transaction, parameters);
          return removeMember(transaction, parameters);
        }),
    ),
  };
}

function readGroup(fields: Fields): { id: number; faults: readonly ErrorLine[] } {
  if (fields['group_id'] === undefined) return { id: noGroup, faults: [fault('Missing group_id parameter')] };
  const { values, faults } = checkFields(MembershipFields, fields, false);
  const { group_id = noGroup } = values;
  return { id: toId(group_id), faults };
}
