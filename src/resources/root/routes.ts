// The root of the API: links to the resources that are served (transcript root__paths).
import { admitted } from '../../access/permissions.ts';
import { findCaller } from '../../access/queries.ts';
import { type Answer, askedOf, type Call, ok, type Services } from '../../api/call.ts';
import type { Resource } from '../../api/route.ts';
import { rootDocument } from './document.ts';

const path = '/api/';

/** @param served the resources beside it: their collections are linked, in this order */
export function root({ database }: Services, served: readonly Resource[]): Resource {
  const names = served.flatMap(({ paths }) =>
    Object.keys(paths).flatMap((pattern) => /^\/api\/([a-z-]+)\/$/.exec(pattern)?.[1] ?? []),
  );

  async function read(call: Call): Promise<Answer> {
    admitted(await findCaller(database.reads, { ...askedOf(call), open: false }), call.sandbox);
    const { baseUrl, urlQuery } = call;
    return ok(JSON.stringify(Object.fromEntries(names.map((name) => [name, `${baseUrl}/api/${name}/${urlQuery}`]))));
  }

  return {
    document: rootDocument(names),
    routes: [{ method: 'GET', path, schema: {}, handler: read }],
    paths: { [path]: { name: 'Api Root', description: 'The default basic root view for DefaultRouter' } },
  };
}
