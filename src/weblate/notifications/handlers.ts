// One subscription: create, read, change, delete (transcripts create__*, detail__*, order__*).
import { getAdmitted } from '../../access/permissions.ts';
import { checkFields } from '../../http/body/check-fields.ts';
import { decodeFields, readIfPermitted, wholeBody } from '../../http/body/decode.ts';
import { type Answer, type Call, callerParams, noContent, ok, type Services } from '../../http/call.ts';
import { toId } from '../../http/wire/ids.ts';
import { violatedForeignKey, violatedUnique } from '../../database/sqlstates.ts';
import { apiError, type ErrorLine, validationError } from '../../base/errors.ts';
import { scopes } from '../../model/notifications.ts';
import { changeEntry, createEntry, deleteEntry, type EntryRow, findEntry, findEntryToWrite } from './entry-queries.ts';
import { serializeEntry, SubscriptionFields, type SubscriptionRow } from './serialize.ts';

type OfUser = { readonly username: string };
type OfEntry = OfUser & { readonly id: string };

const ofScope = (detail: string): ErrorLine => ({ code: 'invalid', detail, attr: 'scope' });
export const scopeIsFixed = ofScope('Changing notification scope is not supported.');
export const scopeNeedsTarget = ofScope('Scoped notifications require an existing target.');
export const duplicate = wholeBody('unique', 'The fields notification, scope must make a unique set.');

export async function read(call: Call<OfEntry>, services: Services): Promise<Answer> {
  const rows = await findEntry(services.database.reads, entryParams(call, services));
  return ok(serializeEntry(existing(getAdmitted(rows, call)), call));
}

export async function create(call: Call<OfUser>, services: Services): Promise<Answer> {
  const { database } = services;
  const params = callerParams(call, services, call.params.username);
  const permit = async () => getAdmitted(await findEntryToWrite(database.reads, { ...params, entry_id: 0 }), call);
  const entry = await readIfPermitted(call, permit, () => {
    const { values, faults } = checkFields(SubscriptionFields, decodeFields(call, services.maxFields), false);
    const { notification, scope, frequency } = values;
    const isTargeted = scope === scopes.project || scope === scopes.component;
    // Only where each field is valid by itself, as with scopeIsFixed (transcript notifications__across-fields).
    if (isTargeted || notification === undefined || scope === undefined || frequency === undefined)
      throw validationError(faults.length > 0 ? faults : [scopeNeedsTarget]);
    return { notification, scope, frequency };
  });
  const created = await createEntry(database.writes(call.sandbox), { ...params, ...entry }).catch(explain);
  return { status: 201, json: serializeEntry(existing(getAdmitted(created, call)), call) };
}

export const replace = (call: Call<OfEntry>, services: Services): Promise<Answer> => change(call, services, false);
export const update = (call: Call<OfEntry>, services: Services): Promise<Answer> => change(call, services, true);

async function change(call: Call<OfEntry>, services: Services, partial: boolean): Promise<Answer> {
  const { database } = services;
  const params = entryParams(call, services);
  const getEntry = async () => existing(getAdmitted(await findEntryToWrite(database.reads, params), call));
  const { notification, scope, frequency } = await readIfPermitted(call, getEntry, () => {
    const { values, faults } = checkFields(SubscriptionFields, decodeFields(call, services.maxFields), partial);
    if (faults.length > 0) throw validationError(faults);
    return values;
  });
  if (notification === undefined && frequency === undefined) {
    const entry = await getEntry();
    if (scope !== undefined && scope !== entry.scope) throw validationError([scopeIsFixed]);
    return ok(serializeEntry(entry, call));
  }
  const rows = await changeEntry(database.writes(call.sandbox), {
    ...params,
    notification: notification ?? null,
    scope: scope ?? null,
    frequency: frequency ?? null,
  }).catch(explain);
  const row = getAdmitted(rows, call);
  if (row.found_scope !== null && scope !== undefined && row.found_scope !== scope)
    throw validationError([scopeIsFixed]);
  return ok(serializeEntry(existing(row), call));
}

export async function remove(call: Call<OfEntry>, services: Services): Promise<Answer> {
  const rows = await deleteEntry(services.database.writes(call.sandbox), entryParams(call, services));
  if (getAdmitted(rows, call).id === null) throw apiError('not_found');
  return noContent;
}

const entryParams = (call: Call<OfEntry>, services: Services) => ({
  ...callerParams(call, services, call.params.username),
  entry_id: toId(call.params.id),
});

/** Throws 404 for a row without an entry. */
function existing({ id, notification, scope, frequency, target_path }: EntryRow): SubscriptionRow {
  if (id === null || notification === null || scope === null || frequency === null) throw apiError('not_found');
  return { id, notification, scope, frequency, target_path };
}

/** Throws the client's error for what the database rejected. */
function explain(error: unknown): never {
  if (violatedUnique(error) === 'subscriptions_unique') throw validationError([duplicate]);
  // The user was deleted while its subscription was on the way.
  if (violatedForeignKey(error) !== undefined) throw apiError('not_found');
  throw error;
}
