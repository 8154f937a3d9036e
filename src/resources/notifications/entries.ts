// One subscription: create, read, change, delete (transcripts create__*, detail__*, order__*).
import { type Access, refuse } from '../../auth/access.ts';
import { violatedForeignKey, violatedUnique } from '../../database/errors.ts';
import { readFields, wholeBody } from '../../http/bodies.ts';
import { type Answer, askedOf, askingOf, type Call, ok, type Services } from '../../http/call.ts';
import { ApiError, apiError, type ErrorLine, validationError } from '../../http/errors.ts';
import { checkFields } from '../../http/fields.ts';
import { scopes } from './codes.ts';
import { changeEntry, createEntry, deleteEntry, type EntryRow, findEntry } from './entry-queries.ts';
import { SubscriptionFields, type SubscriptionPath, type UserPath } from './schema.ts';
import { serializeEntry, type SubscriptionRow } from './serialize.ts';

type Values = Partial<{ notification: string; scope: number; frequency: number }>;
/** A body that was read: its right values, or why it is refused once the caller's rights are known. */
type Body = { readonly values: Values; readonly faults: readonly ErrorLine[] } | { readonly refusal: ApiError };

const highestId = 2_147_483_647;
const scopeIsFixed: ErrorLine = {
  code: 'invalid',
  detail: 'Changing notification scope is not supported.',
  attr: 'scope',
};
const scopeNeedsTarget: ErrorLine = {
  code: 'invalid',
  detail: 'Scoped notifications require an existing target.',
  attr: 'scope',
};
const duplicate = wholeBody('unique', 'The fields notification, scope must make a unique set.');

export function entryHandlers({ database, anonymous, maxFields }: Services) {
  const open = (intent: 'read' | 'write') => (intent === 'read' ? anonymous !== 'strict' : anonymous === 'write');

  function assertAllowed(access: Access, call: Call, intent: 'read' | 'write'): void {
    const refusal = refuse(access, askingOf(call, anonymous), intent);
    if (refusal !== undefined) throw refusal;
  }

  async function readBody(call: Call, partial: boolean): Promise<Body> {
    try {
      return checkFields(SubscriptionFields, await readFields(call, maxFields), partial);
    } catch (error) {
      if (error instanceof ApiError) return { refusal: error };
      throw error;
    }
  }

  async function getEntry(call: Call<SubscriptionPath>, intent: 'read' | 'write'): Promise<SubscriptionRow> {
    const asked = { ...askedOf(call, call.params.username), open: open(intent), entry_id: idOf(call) };
    const [row] = await findEntry(database.reads, asked);
    if (row === undefined) throw apiError('not_found');
    assertAllowed(row, call, intent);
    return rowOf(row);
  }

  async function create(call: Call<UserPath>): Promise<Answer> {
    const body = await readBody(call, false);
    const asked = { ...askedOf(call, call.params.username), open: open('write') };
    const faults = 'refusal' in body ? [] : withScopeFault(body, isTargeted(body.values.scope), scopeNeedsTarget);
    const { notification, scope, frequency } = 'refusal' in body ? ({} as Values) : body.values;
    const isRight = faults.length === 0 && notification !== undefined && scope !== undefined && frequency !== undefined;
    if (!isRight) {
      const [row] = await findEntry(database.reads, { ...asked, entry_id: 0 });
      if (row !== undefined) assertAllowed(row, call, 'write');
      throw 'refusal' in body ? body.refusal : validationError(faults);
    }
    const [row] = await createEntry(database.writes, { ...asked, notification, scope, frequency }).catch(explain);
    if (row === undefined) throw apiError('not_found');
    assertAllowed(row, call, 'write');
    return { status: 201, json: serializeEntry(rowOf(row), call) };
  }

  /** PUT says every field, PATCH those that change. */
  const change =
    (partial: boolean) =>
    async (call: Call<SubscriptionPath>): Promise<Answer> => {
      const body = await readBody(call, partial);
      const hasFaults = 'refusal' in body || body.faults.length > 0;
      const { notification, scope, frequency }: Values = 'refusal' in body ? {} : body.values;
      if (hasFaults || (notification === undefined && frequency === undefined)) {
        const entry = await getEntry(call, 'write');
        if ('refusal' in body) throw body.refusal;
        const faults = withScopeFault(body, scope !== undefined && scope !== entry.scope, scopeIsFixed);
        if (faults.length > 0) throw validationError(faults);
        return ok(serializeEntry(entry, call));
      }
      const [row] = await changeEntry(database.writes, {
        ...askedOf(call, call.params.username),
        open: open('write'),
        entry_id: idOf(call),
        notification: notification ?? null,
        scope: scope ?? null,
        frequency: frequency ?? null,
      }).catch(explain);
      if (row === undefined) throw apiError('not_found');
      assertAllowed(row, call, 'write');
      if (row.found_scope !== null && scope !== undefined && row.found_scope !== scope)
        throw validationError([scopeIsFixed]);
      return ok(serializeEntry(rowOf(row), call));
    };

  async function remove(call: Call<SubscriptionPath>): Promise<Answer> {
    const asked = { ...askedOf(call, call.params.username), open: open('write'), entry_id: idOf(call) };
    const [row] = await deleteEntry(database.writes, asked);
    if (row === undefined) throw apiError('not_found');
    assertAllowed(row, call, 'write');
    if (row.id === null) throw apiError('not_found');
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

// Beyond PostgreSQL's integers there are no entries, and 0 is none.
function idOf(call: Call<SubscriptionPath>): number {
  const id = Number(call.params.id);
  return id <= highestId ? id : 0;
}

function rowOf({ id, notification, scope, frequency, target_path }: EntryRow): SubscriptionRow {
  if (id === null || notification === null || scope === null || frequency === null) throw apiError('not_found');
  return { id, notification, scope, frequency, target_path };
}

const isTargeted = (scope: number | undefined) => scope === scopes.project || scope === scopes.component;

// Faults keep the order of the fields: notification, scope, frequency.
function withScopeFault(body: { faults: readonly ErrorLine[] }, isWrong: boolean, fault: ErrorLine): ErrorLine[] {
  const order = Object.keys(SubscriptionFields.properties);
  return [...body.faults, ...(isWrong ? [fault] : [])].toSorted(
    (a, b) => order.indexOf(a.attr ?? '') - order.indexOf(b.attr ?? ''),
  );
}

/** What the database refused, as the client is told. */
function explain(error: unknown): never {
  if (violatedUnique(error) === 'subscriptions_unique') throw validationError([duplicate]);
  // The user vanished while its subscription was on the way.
  if (violatedForeignKey(error) !== undefined) throw apiError('not_found');
  throw error;
}
