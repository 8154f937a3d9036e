// Resources that are read here and not written: from a description of one to its operations. Writes are refused.
import type { Static, TObject } from '@sinclair/typebox';
import { admitted, type AccessResult } from '../access/permissions.ts';
import { type CallerParams, findSignedIn } from '../access/queries.ts';
import type { FoundPage, PageParameters } from '../database/page-of-rows.ts';
import type { Prepared } from '../database/prepare.ts';
import { apiError } from '../errors.ts';
import { type Answer, type Call, callerParams, ok, type Services, type UrlContext } from './call.ts';
import { type Operation, pageOf, PageQuery } from './operation.ts';
import { answerPage, readPageRequest } from './paginate.ts';

export interface ReadOnly<Row, Path, Names> {
  /** In the plural: `groups`. */
  readonly name: string;
  readonly singular: string;
  readonly url: string;
  readonly entryUrl: string;
  readonly params: TObject;
  /** The description of both paths in OPTIONS. */
  readonly description: string;
  /** What Weblate would write. */
  readonly writes: readonly (keyof typeof verbs)[];
  readonly item: TObject;
  readonly list: Prepared<CallerParams & PageParameters, AccessResult & FoundPage<Row>>;
  /** Found is null for an entry that doesn't exist or that the caller may not see. */
  readonly find: Prepared<CallerParams & Names, AccessResult & { readonly found: Row | null }>;
  /** The parameters of `find` that the path gives. */
  readonly namesOf: (path: Path) => Names;
  readonly serialize: (row: Row, urls: UrlContext) => string;
}

const verbs = {
  POST: ['create', 'Create'],
  PUT: ['replace', 'Replace'],
  PATCH: ['update', 'Change some fields of'],
  DELETE: ['delete', 'Delete'],
} as const;

export function readOnlyOperations<Row, Path, Names>(of: ReadOnly<Row, Path, Names>): Operation<Services>[] {
  const { name, singular, url, entryUrl, params, item, serialize } = of;
  const title = `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`;
  const view = (kind: string) => ({ name: `${title} ${kind}`, description: of.description, item: () => item });
  const [listView, entryView] = [view('List'), view('Instance')];

  async function list(call: Call<unknown, Static<typeof PageQuery>>, services: Services): Promise<Answer> {
    const request = readPageRequest(call.query, services.pageSize);
    const page = { page: request.page ?? 1, size: request.size };
    const rows = await of.list(services.database.reads, { ...callerParams(call, services), ...page });
    const { total, items } = admitted(rows, call.sandbox);
    return answerPage(call, request, total, items.map((row) => serialize(row, call)).join(','));
  }

  async function getOne(call: Call<Path>, services: Services): Promise<Row> {
    const names = of.namesOf(call.params);
    const rows = await of.find(services.database.reads, { ...callerParams(call, services), ...names });
    const { found } = admitted(rows, call.sandbox);
    if (found === null) throw apiError('not_found');
    return found;
  }

  // Weblate's checks in their order, and then its answer to callers without the permission, which no caller has here.
  async function refuse(call: Call<Path>, services: Services): Promise<never> {
    const { method, sandbox } = call;
    admitted(await findSignedIn(services.database.reads, callerParams(call, services)), sandbox);
    if (method !== 'POST') await getOne(call, services);
    throw apiError('resource_read_only', name, { 'x-understudy-not-mirrored': `${method} ${name}` });
  }

  const refused = (method: keyof typeof verbs): Operation<Services> => ({
    method,
    ...(method === 'POST' ? { url, schema: { response: {} } } : { url: entryUrl, schema: { params, response: {} } }),
    config: {
      id: `${name}_${verbs[method][0]}`,
      summary: `${verbs[method][1]} a ${singular}`,
      description: 'Always refused: these are read-only here, and come from seeds.',
      access: 'sign in',
      errors: ['resource_read_only'],
      view: method === 'POST' ? listView : entryView,
    },
    handler: refuse,
  });

  return [
    {
      method: 'GET',
      url,
      schema: { querystring: PageQuery, response: { 200: pageOf(item) } },
      config: { id: `${name}_list`, summary: `List ${name}`, access: 'any', view: listView },
      handler: list,
    },
    {
      method: 'GET',
      url: entryUrl,
      schema: { params, response: { 200: item } },
      config: { id: `${name}_read`, summary: `Read a ${singular}`, access: 'any', view: entryView },
      handler: async (call: Call<Path>, services) => ok(serialize(await getOne(call, services), call)),
    },
    ...of.writes.map(refused),
  ];
}
