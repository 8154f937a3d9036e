// Handlers of resources that are read here and not written: lists, one of them, and the refusal of writes.
import { admitted, type Standing } from '../access/permissions.ts';
import { type AskedParameters, findCaller } from '../access/queries.ts';
import type { FoundPage, PageParameters } from '../database/page-of-rows.ts';
import type { Handle } from '../database/prepare.ts';
import { type Answer, askedOf, type Call, ok, type Services, type UrlContext } from './call.ts';
import { apiError } from '../errors.ts';
import { answerPage, readPageRequest } from './paginate.ts';
import type { PageQuery } from './schema.ts';

type Serialize<Row> = (row: Row, urls: UrlContext) => string;
type Find<P, R> = (db: Handle, parameters: P) => Promise<R[]>;

export interface ReadOnly<Row, Names> {
  /** What it is called where writing is refused. */
  readonly name: string;
  readonly list: Find<AskedParameters & PageParameters, Standing & FoundPage<Row>>;
  /** Found is null where there is none of these names, or none that the caller may see. */
  readonly find: Find<AskedParameters & Names, Standing & { readonly found: Row | null }>;
  readonly serialize: Serialize<Row>;
}

/** @param namesOf the parameters of the statement `find` that the path says */
export function readOnlyHandlers<Row, Names, Path>(
  { database, anonymous, pageSize }: Services,
  { name, list, find, serialize }: ReadOnly<Row, Names>,
  namesOf: (path: Path) => Names,
) {
  const ask = (call: Call) => ({ ...askedOf(call), open: anonymous === 'write' });

  async function getOne(call: Call<Path>): Promise<Row> {
    const { found } = admitted(await find(database.reads, { ...namesOf(call.params), ...ask(call) }), call.sandbox);
    if (found === null) throw apiError('not_found');
    return found;
  }

  // The checks of the real system in their order, and then what it answers those who lack the permission: here nobody has it.
  const refuse =
    (getObject: (call: Call<Path>) => Promise<unknown>) =>
    async (call: Call<Path>): Promise<Answer> => {
      admitted(await findCaller(database.reads, ask(call)), call.sandbox);
      if (call.credentials === null && anonymous !== 'write') throw apiError('not_authenticated');
      await getObject(call);
      throw apiError('resource_read_only', name, { 'x-understudy-not-mirrored': `${call.method} ${name}` });
    };

  return {
    list: async (call: Call<unknown, PageQuery>): Promise<Answer> => {
      const request = readPageRequest(call.query, pageSize);
      const asked = { ...ask(call), page: request.page ?? 1, size: request.size };
      const row = admitted(await list(database.reads, asked), call.sandbox);
      return answerPage(call, request, row.total, row.items.map((item) => serialize(item, call)).join(','));
    },
    read: async (call: Call<Path>): Promise<Answer> => ok(serialize(await getOne(call), call)),
    refuseCreation: refuse(async () => undefined),
    refuseChange: refuse(getOne),
  };
}

/** The names of a path as parameters. PostgreSQL takes no NUL, and no name holds one, as none is empty. */
export const namesIn = <Names extends Readonly<Record<string, string>>>(path: Names): Names =>
  Object.fromEntries(Object.entries(path).map(([key, name]) => [key, name.includes('\0') ? '' : name])) as Names;
