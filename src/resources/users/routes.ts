// The surface of users.
import type { Services } from '../../api/call.ts';
import type { Resource } from '../../api/route.ts';
import { PageQuery } from '../../api/schema.ts';
import { changeHandlers } from './change.ts';
import { usersDocument } from './document.ts';
import { listHandler } from './list.ts';
import { membershipHandlers } from './membership.ts';
import { userMetadata } from './metadata.ts';
import { readHandlers } from './read.ts';
import { FilterQuery, UserPath } from './schema.ts';

const list = '/api/users/';
const user = '/api/users/:username/';
const groups = '/api/users/:username/groups/';
const statistics = '/api/users/:username/statistics/';
const contributions = '/api/users/:username/contributions/';
const ofUser = { params: UserPath };

const described = { description: 'Users API.', fields: userMetadata };
const person = { full_name: 'New Person', username: 'newbie', email: 'newbie@example.com' };
const membership = { group_id: 2 };
// The real system names JSON twice there: it can also write it flat.
const alsoRenders = ['application/json'];

export function users(services: Services): Resource {
  const read = readHandlers(services);
  const change = changeHandlers(services);
  const member = membershipHandlers(services);
  return {
    document: usersDocument,
    routes: [
      { method: 'GET', path: list, schema: { querystring: FilterQuery }, handler: listHandler(services) },
      { method: 'POST', path: list, schema: {}, handler: change.create },
      { method: 'GET', path: user, schema: ofUser, handler: read.read },
      { method: 'PUT', path: user, schema: ofUser, handler: change.replace },
      { method: 'PATCH', path: user, schema: ofUser, handler: change.update },
      { method: 'DELETE', path: user, schema: ofUser, handler: change.remove },
      { method: 'POST', path: groups, schema: ofUser, handler: member.add },
      { method: 'DELETE', path: groups, schema: ofUser, handler: member.remove },
      { method: 'GET', path: statistics, schema: ofUser, handler: read.statistics },
      {
        method: 'GET',
        path: contributions,
        schema: { params: UserPath, querystring: PageQuery },
        handler: read.contributions,
      },
    ],
    paths: {
      [list]: { name: 'User List', ...described, examples: { POST: person } },
      [user]: {
        name: 'User Instance',
        ...described,
        examples: { PUT: person, PATCH: { full_name: person.full_name } },
      },
      [groups]: { name: 'Groups', ...described, examples: { POST: membership, DELETE: membership } },
      [statistics]: { name: 'Statistics', ...described, alsoRenders },
      [contributions]: { name: 'Contributions', ...described, alsoRenders },
    },
  };
}
