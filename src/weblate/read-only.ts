// Resources that are read here and not written: from a description of one to its operations. Writes are refused.
import type { Static, TObject } from '@sinclair/typebox';
import { admitted, type AccessResult } from '../access/permissions.ts';
import { type CallerParams, findSignedIn } from '../access/queries.ts';
import type { Prepared } from '../database/prepare.ts';
import { type Call, callerParams, ok, type Services, type UrlContext } from '../http/call.ts';
import { atPath, type Method, type Operation, type OperationConfig, pageOf, PageQuery } from '../http/operation.ts';
import { answerPage, type PageParameters, readPageRequest } from '../http/paginate.ts';
import type { FoundPage } from './page-queries.ts';
import { apiError } from '../base/errors.ts';

interface ListOf<Row, Names> {
  /** In the plural: `groups`. */
  readonly name: string;
  readonly item: TObject;
  readonly list: Prepared<CallerParams & PageParameters & Names, AccessResult & FoundPage<Row>>;
  readonly serialize: (row: Row, urls: UrlContext) => string;
}

interface ReadOnly<Row, Params, Names, Part> extends ListOf<Row, object> {
  /** The path of an entry below the list's: `:id/`. */
  readonly entry: string;
  readonly params: TObject;
  /** The description of both paths in OPTIONS. */
  readonly description: string;
  /** Whether Weblate would create one at the list's path. */
  readonly isPosted: boolean;
  /** The fields that OPTIONS describes as writable; without them it describes none. */
  readonly described?: TObject;
  /** What a caller without the permission can't do, in Weblate's words. */
  readonly refusal: (method: string) => string;
  /** Found is null for an entry that doesn't exist or that the caller may not see. */
  readonly find: Prepared<CallerParams & Names, AccessResult & { readonly found: Row | null }>;
  /** The parameters of `find` that the path gives. */
  readonly namesOf: (params: Params) => Names;
  /** What belongs to an entry, listed below its path under this name. */
  readonly parts?: ListOf<Part, Names>;
}

// Whatever the body and the path name: Weblate's answer to callers without the permission, which no caller has here.
async function refuse(call: Call, services: Services, what: string, refusal: string): Promise<never> {
  const { method } = call;
  const caller = admitted(await findSignedIn(services.database.reads, callerParams(call, services)), call);
  // To callers who may do it there, say why.
  const refused = caller.may_edit_users ? `manage ${what}: they are read-only here.` : refusal;
  throw apiError('resource_read_only', refused, { 'x-understudy-not-mirrored': `${method} ${what}` });
}

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

export function readOnlyOperations<Row, Params, Names, Part>(
  of: ReadOnly<Row, Params, Names, Part>,
): Operation<Services>[] {
  const { name, params, item, serialize, parts, description } = of;
  const url = `/api/${name}/`;
  const singular = name.slice(0, -1);
  const view = (kind: string) => ({
    name: `${titleOf(singular)} ${kind}`,
    description,
    ...(of.described && { item: () => item, fields: of.described }),
  });

  async function findOne(call: Call<Params>, services: Services): Promise<Row | null> {
    const names = of.namesOf(call.params);
    const rows = await of.find(services.database.reads, { ...callerParams(call, services), ...names });
    return admitted(rows, call).found;
  }

  async function getOne(call: Call<Params>, services: Services): Promise<Row> {
    const found = await findOne(call, services);
    if (found === null) throw apiError('not_found');
    return found;
  }

  /** @param namesOf the names that the list takes; throws where it isn't there */
  const listed = <R, N>(
    { item: entry, list, serialize: write }: ListOf<R, N>,
    config: Pick<OperationConfig, 'id' | 'summary'>,
    namesOf: (call: Call<Params>, services: Services) => N | Promise<N>,
  ): Omit<Operation<Services>, 'url'> => ({
    method: 'GET',
    schema: { querystring: PageQuery, response: { 200: pageOf(entry) } },
    config: { ...config, access: 'any' },
    async handler(call: Call<Params, Static<typeof PageQuery>>, services: Services) {
      const request = readPageRequest(call.query, services.pageSize);
      const asked = { ...callerParams(call, services), ...request, ...(await namesOf(call, services)) };
      const { total, items } = admitted(await list(services.database.reads, asked), call);
      return answerPage(call, request, total, items.map((row) => write(row, call)).join(','));
    },
  });

  const isThere = async (call: Call, services: Services) => (await findOne(call as Call<Params>, services)) !== null;

  const refused = (
    method: Method,
    id: string,
    verb: string,
    what = name,
    refusal = of.refusal(method),
  ): Omit<Operation<Services>, 'url'> => ({
    method,
    schema: { response: {} },
    config: {
      id: `${name}_${id}`,
      summary: `${verb} a ${singular}`,
      description: 'Always refused: these are read-only here, and come from seeds.',
      access: 'sign in',
      errors: ['resource_read_only'],
    },
    handler: (call: Call, services: Services) => refuse(call, services, what, refusal),
  });

  return [
    ...atPath<Services>({ url, view: view('List') }, [
      listed(of, { id: `${name}_list`, summary: `List ${name}` }, () => ({})),
      ...(of.isPosted ? [refused('POST', 'create', 'Create')] : []),
    ]),
    ...atPath<Services>({ url: url + of.entry, params, view: { ...view('Instance'), isThere } }, [
      {
        method: 'GET',
        schema: { response: { 200: item } },
        config: { id: `${name}_read`, summary: `Read a ${singular}`, access: 'any' },
        handler: async (call: Call<Params>, services) => ok(serialize(await getOne(call, services), call)),
      },
      refused('PUT', 'replace', 'Replace'),
      refused('PATCH', 'update', 'Change some fields of'),
      refused('DELETE', 'delete', 'Delete'),
    ]),
    ...(parts === undefined
      ? []
      : atPath<Services>(
          { url: `${url}${of.entry}${parts.name}/`, params, view: { name: titleOf(parts.name), description } },
          [
            listed(
              parts,
              { id: `${name}_${parts.name}`, summary: `List the ${parts.name} of a ${singular}` },
              async (call, services) => {
                await getOne(call, services);
                return of.namesOf(call.params);
              },
            ),
            refused('POST', `create_${parts.name}`, `Create ${parts.name} of`, parts.name, `create ${parts.name}`),
          ],
        )),
  ];
}
