// The operations on resources that are read here and not written.
import type { Static, TObject } from '@sinclair/typebox';
import type { AccessResult } from '../access/permissions.ts';
import { type CallerParams, findSignedIn } from '../access/queries.ts';
import type { Prepared } from '../database/prepare.ts';
import { type Call, type Handler, ok, readAsCaller, type Services, type UrlContext } from '../http/call.ts';
import { atPath, type DeclaredAtPath, type Method, type Operation, pageOf, PageQuery } from '../http/operation.ts';
import { answerPage, type PageParameters, readPageRequest } from '../http/paginate.ts';
import type { FoundPage } from './page-queries.ts';
import { apiError } from '../base/errors.ts';

interface ReadOnly<Row, Params, Names> {
  /** In the plural: `groups`. */
  readonly name: string;
  /** Of the path of an entry below the list's, in this order. */
  readonly params: TObject;
  /** The description of both paths in OPTIONS. */
  readonly description: string;
  /** Whether Weblate would create one at the list's path. */
  readonly isPosted: boolean;
  readonly item: TObject;
  /** The fields that OPTIONS describes as writable. */
  readonly described?: TObject;
  /** What a caller without the permission can't do, in Weblate's words. */
  readonly refusal: (method: string) => string;
  readonly list: Prepared<CallerParams & PageParameters, AccessResult & FoundPage<Row>>;
  /** Found is null for an entry that doesn't exist or that the caller may not see. */
  readonly find: Prepared<CallerParams & Names, AccessResult & { readonly found: Row | null }>;
  /** The parameters of `find` that the path gives. */
  readonly namesOf: (params: Params) => Names;
  readonly serialize: (row: Row, urls: UrlContext) => string;
}

export function readOnlyOperations<Row, Params, Names extends object>(
  resource: ReadOnly<Row, Params, Names>,
): Operation<Services>[] {
  const { name, params, item, serialize } = resource;
  const url = `/api/${name}/`;
  const entry = Object.keys(params.properties)
    .map((key) => `:${key}/`)
    .join('');
  const singular = name.slice(0, -1);
  const title = `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`;
  const view = (kind: string) => ({
    name: `${title} ${kind}`,
    description: resource.description,
    item: () => item,
    ...(resource.described && { fields: resource.described }),
  });

  const list: Handler<unknown, Static<typeof PageQuery>> = async (call, services) => {
    const request = readPageRequest(call.query, services.pageSize);
    const { total, items } = await readAsCaller(call, services, resource.list, request);
    return answerPage(call, request, total, items.map((row) => serialize(row, call)).join(','));
  };

  const findOne = async (call: Call<Params>, services: Services) =>
    (await readAsCaller(call, services, resource.find, resource.namesOf(call.params))).found;

  const read: Handler<Params> = async (call, services) => {
    const found = await findOne(call, services);
    if (found === null) throw apiError('not_found');
    return ok(serialize(found, call));
  };

  // Weblate's answer to callers without the permission; to those who have it there, the reason.
  const refuse: Handler = async (call, services) => {
    const { method } = call;
    const caller = await readAsCaller(call, services, findSignedIn, {});
    const refused = caller.may_edit_users ? `manage ${name}: they are read-only here.` : resource.refusal(method);
    throw apiError('resource_read_only', refused, { 'x-understudy-not-mirrored': `${method} ${name}` });
  };

  const isThere = async (call: Call, services: Services) => (await findOne(call as Call<Params>, services)) !== null;

  const refused = (method: Method, id: string, verb: string): DeclaredAtPath<Services> => ({
    method,
    id: `${name}_${id}`,
    summary: `${verb} a ${singular}`,
    description: 'Always refused: these are read-only here, and come from seeds.',
    access: 'sign in',
    response: {},
    errors: ['resource_read_only'],
    handler: refuse,
  });

  return [
    ...atPath({ url, view: view('List') }, [
      {
        method: 'GET',
        id: `${name}_list`,
        summary: `List ${name}`,
        access: 'any',
        querystring: PageQuery,
        response: { 200: pageOf(item) },
        handler: list,
      },
      ...(resource.isPosted ? [refused('POST', 'create', 'Create')] : []),
    ]),
    ...atPath({ url: `${url}${entry}`, params, view: { ...view('Instance'), isThere } }, [
      {
        method: 'GET',
        id: `${name}_read`,
        summary: `Read a ${singular}`,
        access: 'any',
        response: { 200: item },
        handler: read,
      },
      refused('PUT', 'replace', 'Replace'),
      refused('PATCH', 'update', 'Change some fields of'),
      refused('DELETE', 'delete', 'Delete'),
    ]),
  ];
}
