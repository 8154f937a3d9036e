// POST, PUT, PATCH and DELETE of a user (transcripts users__create, users__create-invalid, users__update, users__delete).
import { randomBytes } from 'node:crypto';
import type { Static } from '@sinclair/typebox';
import { admittedTo, type Intent, type UserAccess } from '../../access/permissions.ts';
import { violatedUnique } from '../../database/sqlstates.ts';
import { readFieldsIfPermitted } from '../../api/body/decode.ts';
import { type Answer, askedOf, askingOf, type Call, ok, type Services } from '../../api/call.ts';
import { apiError, type ErrorLine, validationError } from '../../errors.ts';
import { checkFields, inFieldOrder } from '../../api/body/check-fields.ts';
import { changeUser, findTaken, removeUser, type TakenRow, uniqueConstraints } from './change-queries.ts';
import { createUser } from './create-queries.ts';
import { defaultSubscriptions } from './default-subscriptions.ts';
import { SelfFields, UserFields, type UserPath } from './schema.ts';
import { serializeUser, userUrl } from './serialize.ts';

type Values = Partial<Static<typeof UserFields>>;

const taken = {
  email: { code: 'unique', detail: 'A user with this e-mail already exists.', attr: 'email' },
  username: { code: 'unique', detail: 'A user with that username already exists.', attr: 'username' },
} as const;

export function changeHandlers({ database, anonymous, maxFields }: Services) {
  const ask = (call: Call, username?: string) => ({ ...askedOf(call, username), open: anonymous === 'write' });
  type Asked = ReturnType<typeof ask>;

  const allowed = <R extends UserAccess>(rows: readonly R[], call: Call, intent: Intent): R =>
    admittedTo(rows, askingOf(call, anonymous), intent);

  const lookUp = (asked: Asked, { username, email }: Values) =>
    findTaken(database.reads, { ...asked, new_username: username ?? null, email: email ?? null });

  /** The values of a body in which nothing is wrong for this caller. Throws 400 with every fault where something is. */
  async function readValues(call: Call, asked: Asked, intent: Intent, partial: boolean): Promise<Values> {
    const permit = async (said: Values = {}) => allowed(await lookUp(asked, said), call, intent);
    const fields = await readFieldsIfPermitted(call, maxFields, permit);
    const body = checkFields(UserFields, fields, partial);
    if (body.faults.length === 0) return body.values;
    const row = await permit(body.values);
    const { values, faults } = checkFields(row.may_edit_users ? UserFields : SelfFields, fields, partial);
    if (faults.length > 0) throw validationError(inFieldOrder(UserFields, [...faults, ...takenFaults(row)]));
    return values;
  }

  /** Throws 400 for what a unique constraint refused: the constraint names one field, and both may be taken. */
  async function explain(error: unknown, asked: Asked, values: Values): Promise<never> {
    const constraint = violatedUnique(error);
    const named = (['email', 'username'] as const).filter((field) => uniqueConstraints[field] === constraint);
    if (named.length === 0) throw error;
    const [row] = await lookUp(asked, values);
    const found = row === undefined ? [] : takenFaults(row);
    // Nobody has it any more: the one who did was quicker than this look.
    throw validationError(found.length > 0 ? found : named.map((field) => taken[field]));
  }

  async function create(call: Call): Promise<Answer> {
    const asked = ask(call);
    const values = await readValues(call, asked, 'create', false);
    const { username = '', full_name = '', email = null, date_expires = null } = values;
    const { is_superuser = false, is_active = true, is_bot = false } = values;
    const parameters = { full_name, email, is_superuser, is_active, is_bot, date_expires, ...defaultSubscriptions };
    const rows = await createUser(database.writes(call.sandbox), {
      ...asked,
      new_username: username,
      ...parameters,
    }).catch((error: unknown) => explain(error, asked, values));
    const { found } = allowed(rows, call, 'create');
    if (found === null) throw apiError('not_found');
    return {
      status: 201,
      json: serializeUser(found, 'full', call),
      headers: { location: userUrl(found.username, call) },
    };
  }

  /** PUT says every field that must be there, PATCH those that change. */
  const change =
    (partial: boolean) =>
    async (call: Call<UserPath>): Promise<Answer> => {
      const asked = ask(call, call.params.username);
      const values = await readValues(call, asked, 'change', partial);
      const rows = await changeUser(database.writes(call.sandbox), {
        ...asked,
        new_username: values.username ?? null,
        full_name: values.full_name ?? null,
        is_superuser: values.is_superuser ?? null,
        is_active: values.is_active ?? null,
        is_bot: values.is_bot ?? null,
        email: values.email ?? null,
        says_email: values.email !== undefined,
        date_expires: values.date_expires ?? null,
        says_date_expires: values.date_expires !== undefined,
      }).catch((error: unknown) => explain(error, asked, values));
      const { found, may_edit_users } = allowed(rows, call, 'change');
      // It was renamed or deleted while this change was on its way.
      if (found === null) throw apiError('not_found');
      return ok(serializeUser(found, may_edit_users ? 'full' : 'self', call));
    };

  async function remove(call: Call<UserPath>): Promise<Answer> {
    const asked = ask(call, call.params.username);
    const send = (suffix: string) => removeUser(database.writes(call.sandbox), { ...asked, suffix });
    // Anybody may be called deleted-7: then the deleted one gets a name that nobody has.
    const rows = await send('').catch((error: unknown) => {
      if (violatedUnique(error) === undefined) throw error;
      return send(`-${randomBytes(5).toString('hex')}`);
    });
    const { removed_id } = allowed(rows, call, 'manage');
    if (removed_id === null) throw apiError('not_found');
    return { status: 204, json: null };
  }

  return { create, replace: change(false), update: change(true), remove };
}

const takenFaults = (row: TakenRow): ErrorLine[] => [
  ...(row.taken_email ? [taken.email] : []),
  ...(row.taken_username ? [taken.username] : []),
];
