// POST and DELETE of a user's membership of a group (transcripts users__groups, membership__access).
import { admittedTo } from '../../auth/access.ts';
import { violatedForeignKey } from '../../database/errors.ts';
import { type Answer, askedOf, askingOf, type Call, ok, type Services } from '../../http/call.ts';
import { apiError, type ErrorLine, validationError } from '../../http/errors.ts';
import { checkFields, type Given, readGiven } from '../../http/fields.ts';
import { toId } from '../../http/ids.ts';
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
  // What is wrong with the body is told after the rights are known, and they come with the statement, which then finds no group.
  const change =
    (send: Send) =>
    async (call: Call<UserPath>): Promise<Answer> => {
      const given = await readGiven(call, maxFields);
      const { id, faults } = readGroup(given);
      const asked = { ...askedOf(call, call.params.username), open: anonymous === 'write' };
      const row = admittedTo(await send({ ...asked, group_id: id }), askingOf(call, anonymous), 'manage');
      if ('refusal' in given) throw given.refusal;
      if (faults.length > 0) throw validationError(faults);
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

function readGroup(given: Given): { id: number; faults: readonly ErrorLine[] } {
  if ('refusal' in given) return { id: noGroup, faults: [] };
  if (given.fields['group_id'] === undefined) return { id: noGroup, faults: [fault('Missing group_id parameter')] };
  const { values, faults } = checkFields(MembershipFields, given.fields, false);
  const { group_id = noGroup } = values;
  return { id: toId(group_id), faults };
}
