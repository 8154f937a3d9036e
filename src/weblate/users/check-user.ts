// What a body says of a user, or every error of it for this caller (transcripts users__create-invalid, users__update).
import { checkFields, inFieldOrder, readFormFields } from '../../http/body/check-fields.ts';
import { decodeFields, isForm, readIfPermitted } from '../../http/body/decode.ts';
import { type Call, readAsCaller, type Services } from '../../http/call.ts';
import { violatedUnique } from '../../database/sqlstates.ts';
import { type ErrorLine, errorLine, validationError } from '../../base/errors.ts';
import { findTakenToChange, findTakenToCreate, type Taken, uniqueConstraints } from './change-queries.ts';
import type { StoredProfile } from './profile.ts';
import { readProfile } from './read-profile.ts';
import { SelfFields, UserFields, type UserValues } from './serialize.ts';

export const takenErrors = {
  email: errorLine('email', 'unique', 'A user with this e-mail already exists.'),
  username: errorLine('username', 'unique', 'A user with that username already exists.'),
};

const unverified = errorLine('email', 'invalid', 'This e-mail address has not been verified.');

export interface UserBody {
  readonly values: UserValues;
  /** The keys of the profile to set. */
  readonly profile: StoredProfile;
  /** The booleans that a form left out, which count as false. */
  readonly leftOut: readonly string[];
}

/** The values of a valid body. Throws the error of the permission first, then 400 with every error. */
export async function readUserBody(call: Call, services: Services): Promise<UserBody> {
  const partial = call.method === 'PATCH';
  const permit = (values?: UserValues) => findTaken(call, services, values);
  const sent = await readIfPermitted(call, permit, () => decodeFields(call, services.maxFields));
  const fields = isForm(call) ? readFormFields(UserFields, sent, partial) : sent;
  const leftOut = Object.keys(fields).filter((name) => !Object.hasOwn(sent, name));
  const profile = readProfile(fields['profile'], call.method === 'POST');
  const { values, errors } = checkFields(UserFields, fields, partial);
  // The sandbox's clock tells which dates are in the future.
  const needsClock = typeof fields['date_expires'] === 'string';
  if (errors.length === 0 && profile.errors.length === 0 && !needsClock)
    return { values, profile: profile.values, leftOut };
  // An internal bot has a name that breaks the rule: it is wrong, and taken.
  const { username } = fields;
  const isText = typeof username === 'string' && !username.includes('\0');
  const row = await permit(isText ? { username: username.trim(), ...values } : values);
  const checked = checkFields(row.may_edit_users ? UserFields : SelfFields, fields, partial, row.clock);
  const all = inFieldOrder(UserFields, [...checked.errors, ...findRefused(row, checked.values)]);
  // The profile is looked at once the fields are right (transcript users__profile).
  const reported = all.length > 0 ? all : profile.errors;
  if (reported.length > 0) throw validationError(reported);
  return { values: checked.values, profile: profile.values, leftOut };
}

/** Throws 400 for what a unique constraint refused: it names one field where both may be taken. */
export const explainTaken = (call: Call, services: Services, values: UserValues) => async (error: unknown) => {
  const constraint = violatedUnique(error);
  const named = (['email', 'username'] as const).filter((field) => uniqueConstraints[field] === constraint);
  if (named.length === 0) throw error;
  const refusals = await findRefusals(call, services, values);
  // Another request may have freed the name since.
  throw validationError(refusals.length > 0 ? refusals : named.map((field) => takenErrors[field]));
};

/** What of valid values the sandbox refuses: taken names and addresses, and addresses that aren't verified. */
export const findRefusals = async (call: Call, services: Services, values: UserValues): Promise<ErrorLine[]> =>
  findRefused(await findTaken(call, services, values), values);

/** The caller's rights, and which values are taken. */
const findTaken = (call: Call, services: Services, { username, email }: UserValues = {}) =>
  readAsCaller(call, services, call.method === 'POST' ? findTakenToCreate : findTakenToChange, {
    new_username: username ?? null,
    email: email ?? null,
  });

// Users can't change their own username, and no address but their own is verified.
function findRefused(row: Taken, values: UserValues): ErrorLine[] {
  if (row.may_edit_users)
    return [...(row.taken_email ? [takenErrors.email] : []), ...(row.taken_username ? [takenErrors.username] : [])];
  if (row.taken_email) return [takenErrors.email];
  return values.email === undefined || row.own_email ? [] : [unverified];
}
