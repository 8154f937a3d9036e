// The operations on resources that are read here and not written.
import type { Static, TObject } from '@sinclair/typebox';
import type { AccessResult } from '../access/permissions.ts';
import { type CallerParams, findSignedIn } from '../access/queries.ts';
import type { Prepared } from '../database/prepare.ts';
import { type Call, type Handler, ok, readAsCaller, type Services, type UrlContext } from '../http/call.ts';
import { atPath, type AtPath, type Method, type Operation, pageOf, PageQuery } from '../http/operation.ts';
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
  /** Of the path of an entry below the list's, in this order. */
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
  /** A list below an entry's path, under this name. */
  readonly parts?: ListOf<Part, Names>;
}

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

export function readOnlyOperations<Row, Params, Names extends object, Part>(
  resource: ReadOnly<Row, Params, Names, Part>,
): Operation<Services>[] {
  const { name, params, item, serialize, parts, description } = resource;
  const url = `/api/${name}/`;
  const entry = Object.keys(params.properties)
    .map((key) => `:${key}/`)
    .join('');
  const singular = name.slice(0, -1);
  const view = (kind: string) => ({
    name: `${titleOf(singular)} ${kind}`,
    description,
    ...(resource.described && { item: () => item, fields: resource.described }),
  });

  const findOne = async (call: Call<Params>, services: Services) =>
    (await readAsCaller(call, services, resource.find, resource.namesOf(call.params))).found;

  async function getOne(call: Call<Params>, services: Services): Promise<Row> {
    const found = await findOne(call, services);
    if (found === null) throw apiError('not_found');
    return found;
  }

  /** @param namesOf the names that the list takes; throws if there is no list */
  const listed = <R, N extends object>(
    of: ListOf<R, N>,
    { id, summary }: Pick<AtPath<Services>, 'id' | 'summary'>,
    namesOf: (call: Call<Params>, services: Services) => N | Promise<N>,
  ): AtPath<Services> => {
    const handler: Handler<Params, Static<typeof PageQuery>> = async (call, services) => {
      const request = readPageRequest(call.query, services.pageSize);
      const names = await namesOf(call, services);
      const { total, items } = await readAsCaller(call, services, of.list, { ...request, ...names });
      return answerPage(call, request, total, items.map((row) => of.serialize(row, call)).join(','));
    };
    const response = { 200: pageOf(of.item) };
    return { method: 'GET', id, summary, access: 'any', querystring: PageQuery, response, handler };
  };

  const isThere = async (call: Call, services: Services) => (await findOne(call as Call<Params>, services)) !== null;

  const refused = (
    method: Method,
    id: string,
    verb: string,
    what = name,
    refusal = resource.refusal(method),
  ): AtPath<Services> => {
    // Weblate's answer to callers without the permission; to those who have it there, the reason.
    const handler: Handler = async (call, services) => {
      const { principal_superuser } = await readAsCaller(call, services, findSignedIn, {});
      // To callers who may do it there, say why: superusers, and whoever asks where all may do everything.
      const detail = principal_superuser !== false ? `manage ${what}: they are read-only here.` : refusal;
      throw apiError('resource_read_only', detail, { 'x-understudy-not-mirrored': `${call.method} ${what}` });
    };
    return {
      method,
      id: `${name}_${id}`,
      summary: `${verb} a ${singular}`,
      description: 'Always refused: these are read-only here, and come from seeds.',
      access: 'sign in',
      response: {},
      errors: ['resource_read_only'],
      handler,
    };
  };

  return [
    ...atPath({ url, view: view('List') }, [
      listed(resource, { id: `${name}_list`, summary: `List ${name}` }, () => ({})),
      ...(resource.isPosted ? [refused('POST', 'create', 'Create')] : []),
    ]),
    ...atPath({ url: `${url}${entry}`, params, view: { ...view('Instance'), isThere } }, [
      {
        method: 'GET',
        id: `${name}_read`,
        summary: `Read a ${singular}`,
        access: 'any',
        response: { 200: item },
        handler: async (call: Call<Params>, services) => ok(serialize(await getOne(call, services), call)),
      },
      refused('PUT', 'replace', 'Replace'),
      refused('PATCH', 'update', 'Change some fields of'),
      refused('DELETE', 'delete', 'Delete'),
    ]),
    ...(parts === undefined
      ? []
      : atPath({ url: `${url}${entry}${parts.name}/`, params, view: { name: titleOf(parts.name), description } }, [
          listed(
            parts,
            { id: `${name}_${parts.name}`, summary: `List the ${parts.name} of a ${singular}` },
            async (call, services) => {
              await getOne(call, services);
              return resource.namesOf(call.params);
            },
          ),
          refused('POST', `create_${parts.name}`, `Create ${parts.name} of`, parts.name, `create ${parts.name}`),
        ])),
  ];
}
