// What a body says of a user: its values, or every fault of it for this caller, taken names and addresses among them
// (transcripts users__create-invalid, users__update).
import { admitted } from '../../access/permissions.ts';
import { checkFields, inFieldOrder } from '../../api/body/check-fields.ts';
import { readFieldsIfPermitted } from '../../api/body/decode.ts';
import { type Call, callerParams, type Services } from '../../api/call.ts';
import { violatedUnique } from '../../database/sqlstates.ts';
import { type ErrorLine, validationError } from '../../errors.ts';
import { type findTakenToChange, type Taken, uniqueConstraints } from './change-queries.ts';
import { SelfFields, UserFields, type UserValues } from './serialize.ts';

export const taken = {
  email: { code: 'unique', detail: 'A user with this e-mail already exists.', attr: 'email' },
  username: { code: 'unique', detail: 'A user with that username already exists.', attr: 'username' },
} as const;

export interface UserCheck {
  readonly call: Call<{ readonly username?: string }>;
  readonly services: Services;
  /** The statement that knows the caller's rights and what is taken. */
  readonly find: typeof findTakenToChange;
  /** Whether fields may be left out. */
  readonly partial: boolean;
}

/** The values of a valid body. Throws the error of the permission first, then 400 with every fault. */
export async function readUserValues(check: UserCheck): Promise<UserValues> {
  const { call, services, partial } = check;
  const permit = async (values?: UserValues) => admitted(await lookUpTaken(check, values), call.sandbox);
  const fields = await readFieldsIfPermitted(call, services.maxFields, permit);
  const { values, faults } = checkFields(UserFields, fields, partial);
  if (faults.length === 0) return values;
  const row = await permit(values);
  const checked = checkFields(row.may_edit_users ? UserFields : SelfFields, fields, partial);
  if (checked.faults.length > 0)
    throw validationError(inFieldOrder(UserFields, [...checked.faults, ...takenFaults(row)]));
  return checked.values;
}

/** Throws 400 for what a unique constraint refused: it names one field where both may be taken. */
export async function explainTaken(error: unknown, check: UserCheck, values: UserValues): Promise<never> {
  const constraint = violatedUnique(error);
  const named = (['email', 'username'] as const).filter((field) => uniqueConstraints[field] === constraint);
  if (named.length === 0) throw error;
  const [row] = await lookUpTaken(check, values);
  const found = row === undefined ? [] : takenFaults(row);
  // Another request may have freed the name since.
  throw validationError(found.length > 0 ? found : named.map((field) => taken[field]));
}

const lookUpTaken = ({ call, services, find }: UserCheck, { username, email }: UserValues = {}) =>
  find(services.database.reads, {
    ...callerParams(call, services, call.params.username),
    new_username: username ?? null,
    email: email ?? null,
  });

const takenFaults = (row: Taken): ErrorLine[] => [
  ...(row.taken_email ? [taken.email] : []),
  ...(row.taken_username ? [taken.username] : []),
];
