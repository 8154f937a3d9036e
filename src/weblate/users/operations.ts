// The operations on users.
import { Type } from '@sinclair/typebox';
import { checkFields } from '../../http/body/check-fields.ts';
import type { Services } from '../../http/call.ts';
import { atPath, on, pageOf, PageQuery, type Path, type Resource, type View } from '../../http/operation.ts';
import { pathPart } from '../read-only.ts';
import { takenErrors } from './check-user.ts';
import { BasicUser, MembershipFields, NamingFields, OwnUser, Statistics, User, UserFields } from './serialize.ts';
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

// Examples of errors: an invalid address and a missing username.
const { errors } = checkFields(UserFields, { full_name: 'New Person', email: 'newbie' }, false);
const wholeUser = {
  body: Type.Object(UserFields.properties, { $id: 'NewUser' }),
  errors: [...errors, takenErrors.username],
  example: { full_name: 'New Person', username: 'newbie', email: 'newbie@example.com' },
};
const changing = {
  description: 'Callers who may edit all users may set any field, others only their own full name and profile.',
  access: 'change user',
  response: { 200: Type.Union([User, OwnUser]) },
  // Bodies may set the profile. As in Weblate, OPTIONS calls it read-only (transcript
  // users__methods).
  alsoTakes: Type.Object({ profile: Type.Optional(User.properties.profile) }),
} as const;

const membershipChange = {
  access: 'manage user',
  response: { 200: User },
  body: MembershipFields,
  errors: [handlers.unknownGroup],
  example: { group_id: 2 },
} as const;

const Contribution = Type.Object({}, { $id: 'Contribution', description: 'A translation. None are mirrored.' });

export const users: Resource<Services> = {
  tag: 'Users',
  description: 'Users: in full for callers who may view all users, otherwise in their basic form.',
  operations: [
    ...atPath({ url: '/api/users/', view: { name: 'User List', ...userView } }, [
      on('GET', 'users_list', 'List users', handlers.list, {
        description:
          'All users for callers who may view them. Other callers get their own user; a username filter finds others.',
        access: 'any',
        querystring: userFilters.Query,
        response: { 200: Type.Union([pageOf(User), pageOf(BasicUser)]) },
        errors: [notANumber],
      }),
      on('POST', 'users_create', 'Create a user', handlers.create, {
        description:
          'Users who aren’t robots get the automatic groups and usual subscriptions. Location is the user’s URL.',
        access: 'create user',
        response: { 201: User },
        ...wholeUser,
      }),
    ]),
    ...atPath(ofUser('', 'User Instance'), [
      on('GET', 'users_read', 'Read a user', handlers.read, {
        access: 'read user',
        response: { 200: Type.Union([User, BasicUser]) },
      }),
      on('PUT', 'users_replace', 'Replace a user', handlers.change, { ...changing, ...wholeUser }),
      on('PATCH', 'users_update', 'Change some fields of a user', handlers.change, {
        ...changing,
        body: Type.Partial(UserFields, { $id: 'UserChange' }),
        errors: [...errors.filter(({ attr }) => attr === 'email'), takenErrors.username],
        example: { full_name: 'New Person' },
      }),
      on('DELETE', 'users_delete', 'Delete a user', handlers.deleteUser, {
        description: 'Anonymises the user, and deletes the user’s tokens, memberships and subscriptions.',
        access: 'manage user',
      }),
    ]),
    ...atPath(ofUser('groups/', 'Groups'), [
      on('POST', 'users_groups_add', 'Add a user to a group', handlers.changeGroups(true), membershipChange),
      on('DELETE', 'users_groups_remove', 'Remove a user from a group', handlers.changeGroups(false), membershipChange),
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
