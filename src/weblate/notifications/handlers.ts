// Creates, reads, changes and deletes one subscription (transcripts create__*, detail__*, order__*).
import { checkFields } from '../../http/body/check-fields.ts';
import { decodeFields, readIfPermitted, wholeBody } from '../../http/body/decode.ts';
import { existing } from '../../access/permissions.ts';
import { type Call, type Handler, noContent, ok, readAsCaller, writeAsCaller } from '../../http/call.ts';
import { toId } from '../../http/wire/python-input.ts';
import { violatedUnique } from '../../database/sqlstates.ts';
import { errorLine, validationError } from '../../base/errors.ts';
import { scopes } from '../../model/notifications.ts';
import { changeEntry, createEntry, deleteEntry, findEntry, findEntryToWrite } from './entry-queries.ts';
import { serializeEntry, SubscriptionFields } from './serialize.ts';

type OfEntry = { readonly id: string };

export const scopeIsFixed = errorLine('scope', 'invalid', 'Changing notification scope is not supported.');
export const scopeNeedsTarget = errorLine('scope', 'invalid', 'Scoped notifications require an existing target.');
export const duplicate = wholeBody('unique', 'The fields notification, scope must make a unique set.');

export const read: Handler<OfEntry> = async (call, services) =>
  ok(serializeEntry(existing((await readAsCaller(call, services, findEntry, idOf(call))).found), call));

export const create: Handler = async (call, services) => {
  const permit = () => readAsCaller(call, services, findEntryToWrite, { entry_id: 0 });
  const entry = await readIfPermitted(call, permit, () => {
    const { values, errors } = checkFields(SubscriptionFields, decodeFields(call), false);
    const { notification, scope, frequency } = values;
    const isTargeted = scope === scopes.project || scope === scopes.component;
    // `scopeNeedsTarget` is reported only if each field is valid (transcript notifications__across-fields).
    if (isTargeted || notification === undefined || scope === undefined || frequency === undefined)
      throw validationError(errors.length > 0 ? errors : [scopeNeedsTarget]);
    return { notification, scope, frequency };
  });
  const { found } = await writeAsCaller(call, services, createEntry, entry).catch(explain);
  return { status: 201, json: serializeEntry(existing(found), call) };
};

export const change: Handler<OfEntry> = async (call, services) => {
  const permit = async () => existing((await readAsCaller(call, services, findEntryToWrite, idOf(call))).found);
  const sent = await readIfPermitted(call, permit, () => {
    const fields = decodeFields(call);
    const { values, errors } = checkFields(SubscriptionFields, fields, call.method === 'PATCH');
    if (errors.length > 0) throw validationError(errors);
    return values;
  });
  const values = { notification: null, scope: null, frequency: null, ...sent };
  const row = await writeAsCaller(call, services, changeEntry, { ...idOf(call), ...values }).catch(explain);
  if (row.found_scope !== null && values.scope !== null && row.found_scope !== values.scope)
    throw validationError([scopeIsFixed]);
  return ok(serializeEntry(existing(row.found), call));
};

export const deleteSubscription: Handler<OfEntry> = async (call, services) => {
  existing((await writeAsCaller(call, services, deleteEntry, idOf(call))).found);
  return noContent;
};

const idOf = ({ params }: Call<OfEntry>) => ({ entry_id: toId(params.id) });

function explain(error: unknown): never {
  if (violatedUnique(error) === 'subscriptions_unique') throw validationError([duplicate]);
  throw error;
}
