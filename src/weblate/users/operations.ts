// The surface of users.
import { Type } from '@sinclair/typebox';
import { checkFields } from '../../http/body/check-fields.ts';
import type { Services } from '../../http/call.ts';
import { atPath, named, pageOf, PageQuery, type Path, type Resource, type View } from '../../http/operation.ts';
import { UserPath } from '../user-path.ts';
import { taken } from './check-user.ts';
import { BasicUser, MembershipFields, OwnUser, User, UserFields } from './serialize.ts';
import { FilterQuery, notANumber } from './filters.ts';
import * as handlers from './handlers.ts';
import * as membership from './membership/handlers.ts';

export const shownOfUser: Omit<View, 'name'> = {
  description: 'Users API.',
  item: ({ may_view_users }) => (may_view_users ? User : BasicUser),
  fields: UserFields,
};

const ofUser = (below: string, name: string): Path => ({
  url: `/api/users/:username/${below}`,
  params: UserPath,
  view: { name, ...shownOfUser },
});

const body = named('NewUser', UserFields);
const example = { full_name: 'New Person', username: 'newbie', email: 'newbie@example.com' };
// As examples in the document: an invalid address, and no username.
const { faults } = checkFields(UserFields, { full_name: 'New Person', email: 'newbie' }, false);
const whoMayChange =
  'Callers who may edit all users may set every field; others change their own full name and profile.';

// OPTIONS calls it read-only, as Weblate does (transcript users__methods).
const alsoTakes = Type.Object({ profile: Type.Optional(User.properties.profile) });

const ofMembership = {
  access: 'manage user',
  body: MembershipFields,
  errors: [membership.unknownGroup],
  example: { group_id: 2 },
} as const;

const count = Type.Integer({ minimum: 0 });
const Statistics = Type.Object(
  { translated: count, suggested: count, uploaded: count, commented: count, languages: count },
  { $id: 'Statistics' },
);
const Contribution = Type.Object({}, { $id: 'Contribution', description: 'A translation; none are mirrored.' });

export const users: Resource<Services> = {
  tag: 'Users',
  description: 'Users in full for callers who may view them so, and in their basic form for others.',
  operations: [
    ...atPath<Services>({ url: '/api/users/', view: { name: 'User List', ...shownOfUser } }, [
      {
        method: 'GET',
        schema: { querystring: FilterQuery, response: { 200: Type.Union([pageOf(User), pageOf(BasicUser)]) } },
        config: {
          id: 'users_list',
          summary: 'List users',
          description:
            'All users for callers who may view all; others see themselves, or the users whose names begin as given.',
          access: 'any',
          errors: [notANumber],
        },
        handler: handlers.list,
      },
      {
        method: 'POST',
        schema: { response: { 201: User } },
        config: {
          id: 'users_create',
          summary: 'Create a user',
          description:
            'The user joins the automatic groups and gets the subscriptions that new users have. The header Location holds its URL.',
          access: 'create user',
          body,
          errors: [...faults, taken.username],
          example,
        },
        handler: handlers.create,
      },
    ]),
    ...atPath<Services>(ofUser('', 'User Instance'), [
      {
        method: 'GET',
        schema: { response: { 200: Type.Union([User, BasicUser]) } },
        config: { id: 'users_read', summary: 'Read a user', access: 'read user' },
        handler: handlers.read,
      },
      {
        method: 'PUT',
        schema: { response: { 200: Type.Union([User, OwnUser]) } },
        config: {
          id: 'users_replace',
          summary: 'Replace a user',
          description: whoMayChange,
          access: 'change user',
          body,
          alsoTakes,
          errors: [...faults, taken.username],
          example,
        },
        handler: handlers.replace,
      },
      {
        method: 'PATCH',
        schema: { response: { 200: Type.Union([User, OwnUser]) } },
        config: {
          id: 'users_update',
          summary: 'Change some fields of a user',
          description: whoMayChange,
          access: 'change user',
          body: Type.Partial(UserFields, { $id: 'UserChange' }),
          alsoTakes,
          errors: [...faults.filter(({ attr }) => attr === 'email'), taken.username],
          example: { full_name: example.full_name },
        },
        handler: handlers.update,
      },
      {
        method: 'DELETE',
        schema: { response: { 204: null } },
        config: {
          id: 'users_delete',
          summary: 'Delete a user',
          description: 'Deletes the user’s tokens, memberships and subscriptions as well.',
          access: 'manage user',
        },
        handler: handlers.remove,
      },
    ]),
    ...atPath<Services>(ofUser('groups/', 'Groups'), [
      {
        method: 'POST',
        schema: { response: { 200: User } },
        config: { id: 'users_groups_add', summary: 'Add a user to a group', ...ofMembership },
        handler: membership.joinGroup,
      },
      {
        method: 'DELETE',
        schema: { response: { 200: User } },
        config: { id: 'users_groups_remove', summary: 'Remove a user from a group', ...ofMembership },
        handler: membership.leaveGroup,
      },
    ]),
    ...atPath<Services>(ofUser('statistics/', 'Statistics'), [
      {
        method: 'GET',
        schema: { response: { 200: Statistics } },
        config: { id: 'users_statistics', summary: 'Read a user’s statistics', access: 'read user' },
        handler: handlers.readStatistics,
      },
    ]),
    ...atPath<Services>(ofUser('contributions/', 'Contributions'), [
      {
        method: 'GET',
        schema: { querystring: PageQuery, response: { 200: pageOf(Contribution) } },
        config: {
          id: 'users_contributions',
          summary: 'List the translations that a user worked on',
          description: 'Translations aren’t mirrored, so the list is empty.',
          access: 'read user',
        },
        handler: handlers.listContributions,
      },
    ]),
  ],
};
