// The surface of groups. They are read here; seeds make them.
import type { Services } from '../../api/call.ts';
import { toId } from '../../api/wire/ids.ts';
import { readOnlyHandlers } from '../../api/read-only.ts';
import type { Resource } from '../../api/route.ts';
import { PageQuery } from '../../api/schema.ts';
import { groupsDocument } from './document.ts';
import { groupMetadata } from './metadata.ts';
import { findGroup, listGroups } from './queries.ts';
import { GroupPath } from './schema.ts';
import { serializeGroup } from './serialize.ts';

const list = '/api/groups/';
const group = '/api/groups/:id/';
const ofGroup = { params: GroupPath };

export function groups(services: Services): Resource {
  const handlers = readOnlyHandlers(
    services,
    { name: 'groups', list: listGroups, find: findGroup, serialize: serializeGroup },
    ({ id }: GroupPath) => ({ group_id: toId(id) }),
  );
  return {
    document: groupsDocument,
    routes: [
      { method: 'GET', path: list, schema: { querystring: PageQuery }, handler: handlers.list },
      { method: 'POST', path: list, schema: {}, handler: handlers.refuseCreation },
      { method: 'GET', path: group, schema: ofGroup, handler: handlers.read },
      { method: 'PUT', path: group, schema: ofGroup, handler: handlers.refuseChange },
      { method: 'PATCH', path: group, schema: ofGroup, handler: handlers.refuseChange },
      { method: 'DELETE', path: group, schema: ofGroup, handler: handlers.refuseChange },
    ],
    paths: {
      [list]: { name: 'Group List', description: 'Groups API.', fields: () => groupMetadata },
      [group]: { name: 'Group Instance', description: 'Groups API.', fields: () => groupMetadata },
    },
  };
}
