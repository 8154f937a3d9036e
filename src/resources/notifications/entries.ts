// One subscription: create, read, change, delete (transcripts create__*, detail__*, order__*).
import { admitted } from '../../access/permissions.ts';
import { violatedForeignKey, violatedUnique } from '../../database/sqlstates.ts';
import { type Answer, askedOf, type Call, ok, type Services } from '../../api/call.ts';
import { readFieldsIfPermitted } from '../../api/body/decode.ts';
import { apiError, type ErrorLine, validationError } from '../../errors.ts';
import { checkFields, inFieldOrder } from '../../api/body/check-fields.ts';
import { toId } from '../../api/wire/ids.ts';
import type { UserPath } from '../users/schema.ts';
import { scopes } from './codes.ts';
import { changeEntry, createEntry, deleteEntry, type EntryRow, findEntry, findEntryToWrite } from './entry-queries.ts';
import { duplicate, scopeIsFixed, scopeNeedsTarget } from './faults.ts';
import { SubscriptionFields, type SubscriptionPath } from './schema.ts';
import { serializeEntry, type SubscriptionRow } from './serialize.ts';

export function entryHandlers({ database, anonymous, maxFields }: Services) {
  const open = (intent: 'read' | 'write') => (intent === 'read' ? anonymous !== 'strict' : anonymous === 'write');

  async function getEntry(call: Call<SubscriptionPath>, intent: 'read' | 'write'): Promise<SubscriptionRow> {
    const asked = { ...askedOf(call, call.params.username), open: open(intent), entry_id: toId(call.params.id) };
    const find = intent === 'read' ? findEntry : findEntryToWrite;
    return rowOf(admitted(await find(database.reads, asked), call.sandbox));
  }

  async function create(call: Call<UserPath>): Promise<Answer> {
    const asked = { ...askedOf(call, call.params.username), open: open('write') };
    const permit = async () =>
      admitted(await findEntryToWrite(database.reads, { ...asked, entry_id: 0 }), call.sandbox);
    const body = checkFields(SubscriptionFields, await readFieldsIfPermitted(call, maxFields, permit), false);
    const faults = withScopeFault(body, isTargeted(body.values.scope), scopeNeedsTarget);
    const { notification, scope, frequency } = body.values;
    const isRight = faults.length === 0 && notification !== undefined && scope !== undefined && frequency !== undefined;
    if (!isRight) {
      await permit();
      throw validationError(faults);
    }
    const created = await createEntry(database.writes(call.sandbox), {
      ...asked,
      notification,
      scope,
      frequency,
    }).catch(explain);
    return { status: 201, json: serializeEntry(rowOf(admitted(created, call.sandbox)), call) };
  }

  /** PUT says every field, PATCH those that change. */
  const change =
    (partial: boolean) =>
    async (call: Call<SubscriptionPath>): Promise<Answer> => {
      const permit = () => getEntry(call, 'write');
      const body = checkFields(SubscriptionFields, await readFieldsIfPermitted(call, maxFields, permit), partial);
      const { notification, scope, frequency } = body.values;
      if (body.faults.length > 0 || (notification === undefined && frequency === undefined)) {
        const entry = await permit();
        const faults = withScopeFault(body, scope !== undefined && scope !== entry.scope, scopeIsFixed);
        if (faults.length > 0) throw validationError(faults);
        return ok(serializeEntry(entry, call));
      }
      const changed = await changeEntry(database.writes(call.sandbox), {
        ...askedOf(call, call.params.username),
        open: open('write'),
        entry_id: toId(call.params.id),
        notification: notification ?? null,
        scope: scope ?? null,
        frequency: frequency ?? null,
      }).catch(explain);
      const row = admitted(changed, call.sandbox);
      if (row.found_scope !== null && scope !== undefined && row.found_scope !== scope)
        throw validationError([scopeIsFixed]);
      return ok(serializeEntry(rowOf(row), call));
    };

  async function remove(call: Call<SubscriptionPath>): Promise<Answer> {
    const asked = { ...askedOf(call, call.params.username), open: open('write'), entry_id: toId(call.params.id) };
    const { id } = admitted(await deleteEntry(database.writes(call.sandbox), asked), call.sandbox);
    if (id === null) throw apiError('not_found');
    return { status: 204, json: null };
  }

  return {
    read: async (call: Call<SubscriptionPath>) => ok(serializeEntry(await getEntry(call, 'read'), call)),
    create,
    replace: change(false),
    update: change(true),
    remove,
  };
}

function rowOf({ id, notification, scope, frequency, target_path }: EntryRow): SubscriptionRow {
  if (id === null || notification === null || scope === null || frequency === null) throw apiError('not_found');
  return { id, notification, scope, frequency, target_path };
}

const isTargeted = (scope: number | undefined) => scope === scopes.project || scope === scopes.component;

const withScopeFault = (body: { faults: readonly ErrorLine[] }, isWrong: boolean, fault: ErrorLine): ErrorLine[] =>
  inFieldOrder(SubscriptionFields, [...body.faults, ...(isWrong ? [fault] : [])]);

/** What the database refused, as the client is told. */
function explain(error: unknown): never {
  if (violatedUnique(error) === 'subscriptions_unique') throw validationError([duplicate]);
  // The user vanished while its subscription was on the way.
  if (violatedForeignKey(error) !== undefined) throw apiError('not_found');
  throw error;
}
