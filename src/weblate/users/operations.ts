// The operations on users.
import { Type } from '@sinclair/typebox';
import { checkFields } from '../../http/body/check-fields.ts';
import type { Services } from '../../http/call.ts';
import { atPath, on, pageOf, PageQuery, type Path, type Resource, type View } from '../../http/operation.ts';
import { pathPart } from '../read-only.ts';
import { takenErrors } from './check-user.ts';
import { BasicUser, MembershipFields, NamingFields, OwnUser, User, UserFields } from './serialize.ts';
import { notANumber, userFilters } from './filter-queries.ts';
import * as handlers from './handlers.ts';

export const UserPath = Type.Object({ username: pathPart('alice') });

export const userView: Omit<View, 'name'> = {
  description: 'Users API.',
  item: ({ may_view_users }) => (may_view_users ? User : BasicUser),
  fields: UserFields,
  fieldsFor: ({ may_edit_users }) => (may_edit_users ? UserFields : NamingFields),
};

const ofUser = (below: string, name: string): Path => ({
  url: `/api/users/:username/${below}`,
  params: UserPath,
  view: { name, ...userView },
});

const body = Type.Object(UserFields.properties, { $id: 'NewUser' });
const example = { full_name: 'New Person', username: 'newbie', email: 'newbie@example.com' };
// Examples for the document: an invalid address, and a missing username.
const { errors } = checkFields(UserFields, { full_name: 'New Person', email: 'newbie' }, false);
const changing = {
  description: 'Callers who may edit all users may set every field; others change their own full name and profile.',
  access: 'change user',
  response: { 200: Type.Union([User, OwnUser]) },
  // OPTIONS calls it read-only, as Weblate does (transcript users__methods).
  alsoTakes: Type.Object({ profile: Type.Optional(User.properties.profile) }),
} as const;

const membershipChange = {
  access: 'manage user',
  response: { 200: User },
  body: MembershipFields,
  errors: [handlers.unknownGroup],
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
    ...atPath({ url: '/api/users/', view: { name: 'User List', ...userView } }, [
      on('GET', 'users_list', 'List users', handlers.list, {
        description:
          'All users for callers who may view all; others see themselves, or the users whose names begin as given.',
        access: 'any',
        querystring: userFilters.Query,
        response: { 200: Type.Union([pageOf(User), pageOf(BasicUser)]) },
        errors: [notANumber],
      }),
      on('POST', 'users_create', 'Create a user', handlers.create, {
        description:
          'The user joins the automatic groups and gets the subscriptions that new users have. The header Location holds its URL.',
        access: 'create user',
        response: { 201: User },
        body,
        errors: [...errors, takenErrors.username],
        example,
      }),
    ]),
    ...atPath(ofUser('', 'User Instance'), [
      on('GET', 'users_read', 'Read a user', handlers.read, {
        access: 'read user',
        response: { 200: Type.Union([User, BasicUser]) },
      }),
      on('PUT', 'users_replace', 'Replace a user', handlers.change, {
        ...changing,
        body,
        errors: [...errors, takenErrors.username],
        example,
      }),
      on('PATCH', 'users_update', 'Change some fields of a user', handlers.change, {
        ...changing,
        body: Type.Partial(UserFields, { $id: 'UserChange' }),
        errors: [...errors.filter(({ attr }) => attr === 'email'), takenErrors.username],
        example: { full_name: example.full_name },
      }),
      on('DELETE', 'users_delete', 'Delete a user', handlers.deleteUser, {
        description: 'Deletes the user’s tokens, memberships and subscriptions as well.',
        access: 'manage user',
      }),
    ]),
    ...atPath(ofUser('groups/', 'Groups'), [
      on('POST', 'users_groups_add', 'Add a user to a group', handlers.joinGroup, membershipChange),
      on('DELETE', 'users_groups_remove', 'Remove a user from a group', handlers.leaveGroup, membershipChange),
    ]),
    ...atPath(ofUser('statistics/', 'Statistics'), [
      on('GET', 'users_statistics', 'Read a user’s statistics', handlers.readStatistics, {
        access: 'read user',
        response: { 200: Statistics },
      }),
    ]),
    ...atPath(ofUser('contributions/', 'Contributions'), [
      on('GET', 'users_contributions', 'List the translations that a user worked on', handlers.listContributions, {
        description: 'Translations aren’t mirrored, so the list is empty.',
        access: 'read user',
        querystring: PageQuery,
        response: { 200: pageOf(Contribution) },
      }),
    ]),
  ],
};
