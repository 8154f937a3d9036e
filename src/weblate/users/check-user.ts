// What a body says of a user: its values, or every fault of it for this caller, taken names and addresses among them
// (transcripts users__create-invalid, users__update).
import { getAdmitted } from '../../access/permissions.ts';
import { checkFields, inFieldOrder } from '../../http/body/check-fields.ts';
import { decodeFields, isForm, readIfPermitted } from '../../http/body/decode.ts';
import { leftOutBooleans, readFormFields } from '../../http/body/form-fields.ts';
import { type Call, callerParams, type Services } from '../../http/call.ts';
import { violatedUnique } from '../../database/sqlstates.ts';
import { type ErrorLine, validationError } from '../../base/errors.ts';
import { type findTakenToChange, type Taken, uniqueConstraints } from './change-queries.ts';
import type { StoredProfile } from './profile.ts';
import { readProfile } from './read-profile.ts';
import { SelfFields, UserFields, type UserValues } from './serialize.ts';

export const taken = {
  email: { code: 'unique', detail: 'A user with this e-mail already exists.', attr: 'email' },
  username: { code: 'unique', detail: 'A user with that username already exists.', attr: 'username' },
} as const;

export const unverified: ErrorLine = {
  code: 'invalid',
  detail: 'This e-mail address has not been verified.',
  attr: 'email',
};

export interface UserCheck {
  readonly call: Call<{ readonly username?: string }>;
  readonly services: Services;
  /** The statement that knows the caller's rights and what is taken. */
  readonly find: typeof findTakenToChange;
  /** Whether fields may be left out. */
  readonly partial: boolean;
}

export interface UserBody {
  readonly values: UserValues;
  /** The keys of the profile to set. */
  readonly profile: StoredProfile;
  /** The booleans that a form left out, which are false therefore. */
  readonly leftOut: readonly string[];
}

/** The values of a valid body. Throws the error of the permission first, then 400 with every fault. */
export async function readUserBody(check: UserCheck): Promise<UserBody> {
  const { call, services, partial } = check;
  const permit = async (values?: UserValues) => getAdmitted(await lookUpTaken(check, values), call);
  const sent = await readIfPermitted(call, permit, () => decodeFields(call, services.maxFields));
  const isSentAsForm = isForm(call);
  const fields = isSentAsForm ? readFormFields(UserFields, sent, partial) : sent;
  const leftOut = isSentAsForm && !partial ? leftOutBooleans(UserFields, sent) : [];
  const profile = readProfile(fields['profile'], call.method === 'POST');
  const { values, faults } = checkFields(UserFields, fields, partial);
  // The sandbox's clock tells which dates lie ahead.
  const needsClock = typeof fields['date_expires'] === 'string';
  if (faults.length === 0 && profile.faults.length === 0 && !needsClock)
    return { values, profile: profile.values, leftOut };
  const row = await permit(values);
  const checked = checkFields(row.may_edit_users ? UserFields : SelfFields, fields, partial, row.clock);
  const all = inFieldOrder(UserFields, [...checked.faults, ...findRefused(row, checked.values)]);
  // The profile is looked at once the fields are right (transcript users__profile).
  const found = all.length > 0 ? all : profile.faults;
  if (found.length > 0) throw validationError(found);
  return { values: checked.values, profile: profile.values, leftOut };
}

/** Throws 400 for what a unique constraint refused: it names one field where both may be taken. */
export async function explainTaken(error: unknown, check: UserCheck, values: UserValues): Promise<never> {
  const constraint = violatedUnique(error);
  const named = (['email', 'username'] as const).filter((field) => uniqueConstraints[field] === constraint);
  if (named.length === 0) throw error;
  const found = await findRefusals(check, values);
  // Another request may have freed the name since.
  throw validationError(found.length > 0 ? found : named.map((field) => taken[field]));
}

/** What of valid values is refused for what the sandbox holds. */
export async function findRefusals(check: UserCheck, values: UserValues): Promise<ErrorLine[]> {
  const [row] = await lookUpTaken(check, values);
  return row === undefined ? [] : findRefused(row, values);
}

const lookUpTaken = ({ call, services, find }: UserCheck, { username, email }: UserValues = {}) =>
  find(services.database.reads, {
    ...callerParams(call, services, call.params.username),
    new_username: username ?? null,
    email: email ?? null,
  });

// Users have no username among what they may change of themselves, and no address but their own is verified.
function findRefused(row: Taken, values: UserValues): ErrorLine[] {
  if (row.may_edit_users)
    return [...(row.taken_email ? [taken.email] : []), ...(row.taken_username ? [taken.username] : [])];
  if (row.taken_email) return [taken.email];
  return values.email === undefined || row.own_email ? [] : [unverified];
}
