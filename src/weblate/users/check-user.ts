// Reads a body's values for a user, or reports every error in them (transcripts users__create-invalid,
// users__update).
import { checkFields, inFieldOrder, readFormFields } from '../../http/body/check-fields.ts';
import { decodeFields, type Fields, isForm, readIfPermitted } from '../../http/body/decode.ts';
import { type Call, readAsCaller, type Services } from '../../http/call.ts';
import { pythonType } from '../../http/wire/python-text.ts';
import { violatedUnique } from '../../database/sqlstates.ts';
import { type ErrorLine, errorLine, validationError } from '../../base/errors.ts';
import { findTakenToChange, findTakenToCreate, type Taken } from './change-queries.ts';
import { ProfileFields, type StoredProfile } from './profile.ts';
import { SelfFields, UserFields, type UserValues } from './serialize.ts';

export const takenErrors = {
  email: errorLine('email', 'unique', 'A user with this e-mail already exists.'),
  username: errorLine('username', 'unique', 'A user with that username already exists.'),
};

const unverified = errorLine('email', 'invalid', 'This e-mail address has not been verified.');

/**
 * Returns a valid body's values for the profile and for the fields that the caller may set. `leftOut` names
 * the booleans that a form left out: they become false. Throws the error of a missing permission, or 400.
 */
export async function readUserBody(call: Call, services: Services) {
  const partial = call.method === 'PATCH';
  const statement = call.method === 'POST' ? findTakenToCreate : findTakenToChange;
  const permit = ({ username, email }: UserValues = {}) =>
    readAsCaller(call, services, statement, { new_username: username ?? null, email: email ?? null });
  const sent = await readIfPermitted(call, permit, () => decodeFields(call));
  const fields = isForm(call) ? readFormFields(UserFields, sent, partial) : sent;
  // A name that breaks the rules may be taken too, by an internal bot. Then both errors are reported.
  const { username } = fields;
  const isText = typeof username === 'string' && !username.includes('\0');
  const { values } = checkFields(UserFields, fields, partial);
  const row = await permit(isText ? { username: username.trim(), ...values } : values);
  const checked = checkFields(row.may_edit_users ? UserFields : SelfFields, fields, partial, row.clock);
  const all = inFieldOrder(UserFields, [...checked.errors, ...findRefused(row, checked.values)]);
  const profile = readProfile(fields['profile'], call.method === 'POST');
  // Errors of the profile are reported only if the other fields are valid (transcript users__profile).
  const reported = all.length > 0 ? all : profile.errors;
  if (reported.length > 0) throw validationError(reported);
  const leftOut = row.may_edit_users ? Object.keys(fields).filter((name) => !Object.hasOwn(sent, name)) : [];
  return { values: checked.values, profile: profile.values, leftOut };
}

/** Throws 400 if another request took the name or the address after the check. */
export const explainTaken = (call: Call, services: Services) => async (error: unknown) => {
  const constraint = violatedUnique(error);
  const field = (['email', 'username'] as const).find((name) => constraint === `users_sandbox_id_${name}_key_key`);
  if (field === undefined) throw error;
  // The constraint names one field, but both may be taken by now, or none. A second check tells.
  await readUserBody(call, services);
  throw validationError([takenErrors[field]]);
};

// Callers without `may_edit_users` can't change a username, and only their present address is verified.
function findRefused(row: Taken, values: UserValues) {
  const taken = row.taken_email ? [takenErrors.email] : [];
  if (row.may_edit_users) return row.taken_username ? [...taken, takenErrors.username] : taken;
  return row.taken_email || row.own_email || values.email === undefined ? taken : [unverified];
}

const nothing = { values: {} as StoredProfile, errors: [] as readonly ErrorLine[] };

/**
 * The profile's keys that a body sets.
 * @param isNew a new user's profile must be an object, but isn't kept (transcript users__watched)
 */
function readProfile(profile: unknown, isNew: boolean) {
  if (profile === undefined || profile === null) return nothing;
  if (pythonType(profile) !== 'dict')
    return { ...nothing, errors: [errorLine('profile', 'invalid', 'Expected an object.')] };
  if (isNew) return nothing;
  const { values, errors } = checkFields(ProfileFields, profile as Fields, true);
  return {
    // Null empties a list.
    values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value ?? []])),
    errors: errors.map((error) => ({ ...error, attr: `profile.${error.attr}` })),
  };
}
