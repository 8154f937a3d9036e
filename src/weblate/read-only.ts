// Declares the operations that read a resource, and, if it is read-only, those that refuse to write it.
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { type AccessResult, existing } from '../access/permissions.ts';
import { type CallerParams, findSignedIn } from '../access/caller-queries.ts';
import type { Prepared } from '../database/prepare.ts';
import { type Call, type Handler, ok, readAsCaller, type Services, type UrlContext } from '../http/call.ts';
import { atPath, type Method, on, type Operation, pageOf, PageQuery } from '../http/operation.ts';
import { answerPage, type PageParameters, readPageRequest } from '../http/paginate.ts';
import { inOrderOf } from './answers.ts';
import type { FoundPage } from './page-queries.ts';
import { apiError } from '../base/errors.ts';

type Params = Readonly<Record<string, string>>;

interface ListOf<Row, Names> {
  /** The resource's plural: `groups`. */
  readonly name: string;
  readonly item: TObject;
  readonly list: Prepared<CallerParams & PageParameters & Names, AccessResult & FoundPage<Row>>;
  /** Returns the item's values in any order. Further values stay out. */
  readonly serialize: (row: Row, urls: UrlContext) => object;
}

interface ReadOnly<Row, Names, Part> extends ListOf<Row, object> {
  /** The parameters of an entry's path, in their order after the list's path. */
  readonly params: TObject;
  readonly description: string;
  /** Whether Weblate has a POST at the list's path. Left out: true. */
  readonly isPosted?: boolean;
  /** The fields that OPTIONS calls writable. Left out: OPTIONS describes no fields. */
  readonly described?: TObject;
  /** What the caller can't do, in Weblate's words, if these don't follow from the method. */
  readonly refusal?: string;
  /** Set if the resource isn't read-only. Its writes are declared elsewhere. */
  readonly isWritten?: true;
  /** `found` is null for an entry that doesn't exist or is hidden from the caller. */
  readonly find: Prepared<CallerParams & Names, AccessResult & { readonly found: Row | null }>;
  readonly namesOf: (params: Params) => Names;
  /** A list below the entry's path, under the list's name. */
  readonly parts?: ListOf<Part, Names>;
}

/** A segment of a path: not empty, and without a slash. */
export const pathPart = (example: string) => Type.String({ pattern: '^[^/]+$', examples: [example] });

export const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

export function readOnlyOperations<Row, Names extends object, Part>(
  resource: ReadOnly<Row, Names, Part>,
): Operation<Services>[] {
  const { name, params, item, serialize, parts, description, described, isPosted = true, isWritten } = resource;
  const singular = name.slice(0, -1);
  const url = `/api/${name}/`;
  const keys = Object.keys(params.properties).map((key) => `:${key}/`);
  const entryUrl = url + keys.join('');
  const view = (kind: string) => ({
    name: `${titleOf(singular)} ${kind}`,
    description,
    ...(described && { item: () => item, fields: described }),
  });

  const find = async (call: Call, services: Services) =>
    (await readAsCaller(call, services, resource.find, resource.namesOf(call.params as Params))).found;
  const isThere = async (call: Call, services: Services) => (await find(call, services)) !== null;

  const read: Handler = async (call, services) => {
    const found = existing(await find(call, services));
    return ok(JSON.stringify(inOrderOf(item, serialize(found, call))));
  };

  /** @param isBelow whether the list is below an entry, which then must exist */
  const listed = <R>(of: ListOf<R, Names>, id: string, summary: string, isBelow = false) => {
    const handler: Handler<unknown, Static<typeof PageQuery>> = async (call, services) => {
      if (isBelow) existing(await find(call, services));
      const request = readPageRequest(call.query);
      const names = resource.namesOf(call.params as Params);
      const { total, items } = await readAsCaller(call, services, of.list, { ...request, ...names });
      const entries = items.map((row) => JSON.stringify(inOrderOf(of.item, of.serialize(row, call))));
      return answerPage(call, request, total, entries.join(','));
    };
    const response = { 200: pageOf(of.item) };
    return on('GET', id, summary, handler, { access: 'any', querystring: PageQuery, response });
  };

  const refused = (method: Method, id: string, verb: string, what = name) => {
    if (isWritten) return [];
    const change = `${method === 'DELETE' ? 'delete' : 'edit'} ${singular}`;
    const refusal = resource.refusal ?? (method === 'POST' ? `create ${what}` : change);
    const handler: Handler = async (call, services) => {
      const { principal_superuser } = await readAsCaller(call, services, findSignedIn, {});
      // Callers whom Weblate would refuse get Weblate's words. Others learn why they can't write.
      const detail = principal_superuser !== false ? `manage ${what}: they are read-only here.` : refusal;
      throw apiError('resource_read_only', detail, { 'x-understudy-not-mirrored': `${call.method} ${what}` });
    };
    const operation = on(method, `${name}_${id}`, `${verb} a ${singular}`, handler, {
      description: `Always refused: ${what} are read-only here.`,
      access: 'sign in',
      response: {},
      errors: ['resource_read_only'],
    });
    return [operation];
  };

  const ofParts =
    parts &&
    atPath({ url: `${entryUrl}${parts.name}/`, params, view: { name: titleOf(parts.name), description } }, [
      listed(parts, `${name}_${parts.name}`, `List the ${parts.name} of a ${singular}`, true),
      ...refused('POST', `create_${parts.name}`, `Create ${parts.name} of`, parts.name),
    ]);
  return [
    ...atPath({ url, view: view('List') }, [
      listed(resource, `${name}_list`, `List ${name}`),
      ...(isPosted ? refused('POST', 'create', 'Create') : []),
    ]),
    ...atPath({ url: entryUrl, params, view: { ...view('Instance'), isThere } }, [
      on('GET', `${name}_read`, `Read a ${singular}`, read, { access: 'any', response: { 200: item } }),
      ...refused('PUT', 'replace', 'Replace'),
      ...refused('PATCH', 'update', 'Change some fields of'),
      ...refused('DELETE', 'delete', 'Delete'),
    ]),
    ...(ofParts ?? []),
  ];
}
