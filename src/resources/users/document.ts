// What the API's document says of users.
import { type TObject, Type } from '@sinclair/typebox';
import type { ErrorLine } from '../../errors.ts';
import { type Operation, pageOf, type ResourceDocument } from '../../api/operation.ts';
import { BasicUser, OwnUser, Statistics, User } from './answers.ts';
import { MembershipFields, UserFields } from './schema.ts';

const missing: ErrorLine = { code: 'required', detail: 'This field is required.', attr: 'username' };
const taken: ErrorLine = { code: 'unique', detail: 'A user with that username already exists.', attr: 'username' };
const noEmail: ErrorLine = { code: 'invalid', detail: 'Enter a valid e-mail address.', attr: 'email' };
const noNumber: ErrorLine = { code: 'invalid', detail: 'Enter a number.', attr: 'id' };
const noGroup: ErrorLine = { code: 'invalid', detail: 'Group not found.', attr: 'group_id' };

const NewUser = Type.Object(UserFields.properties, { $id: 'NewUser' });
const UserChange = Type.Partial(UserFields, { $id: 'UserChange' });
const Membership = Type.Object(MembershipFields.properties, { $id: 'Membership' });
// A translation, and there are none here.
const Contribution = Type.Object({}, { $id: 'Contribution' });

const list = '/api/users/';
const user = '/api/users/:username/';
const groups = '/api/users/:username/groups/';

const change = (id: string, summary: string, body: TObject, faults: readonly ErrorLine[]): Operation => ({
  id: `users_${id}`,
  summary,
  description: 'Who may edit all users may say every field; others change themselves, by name, full name and e-mail.',
  body,
  answer: Type.Union([User, OwnUser]),
  errors: ['permission_denied', 'internal_user'],
  faults,
});

const member = (id: string, summary: string): Operation => ({
  id: `users_groups_${id}`,
  summary,
  body: Membership,
  answer: User,
  errors: ['permission_denied', 'internal_user'],
  faults: [noGroup],
});

export const usersDocument: ResourceDocument = {
  tag: 'Users',
  description: 'Users in full for those who may see them so, and in their basic form for others.',
  operations: {
    [`GET ${list}`]: {
      id: 'users_list',
      summary: 'List users',
      description: 'All of them for who may see all; otherwise oneself, or those whose names begin as asked.',
      answer: Type.Union([pageOf(User), pageOf(BasicUser)]),
      faults: [noNumber],
    },
    [`POST ${list}`]: {
      id: 'users_create',
      summary: 'Create a user',
      description: 'It joins the automatic groups and gets the subscriptions that new users have.',
      body: NewUser,
      status: 201,
      answer: User,
      headers: ['Location'],
      errors: ['permission_denied'],
      faults: [missing, noEmail, taken],
    },
    [`GET ${user}`]: { id: 'users_read', summary: 'Read a user', answer: Type.Union([User, BasicUser]) },
    [`PUT ${user}`]: change('replace', 'Change a user, saying every field', NewUser, [missing, taken]),
    [`PATCH ${user}`]: change('update', 'Change some fields of a user', UserChange, [noEmail, taken]),
    [`DELETE ${user}`]: {
      id: 'users_delete',
      summary: 'Delete a user',
      description: 'Tokens, memberships and subscriptions go with it.',
      status: 204,
      answer: null,
      errors: ['permission_denied', 'internal_user'],
    },
    [`POST ${groups}`]: member('add', 'Put a user into a group'),
    [`DELETE ${groups}`]: member('remove', 'Take a user out of a group'),
    'GET /api/users/:username/statistics/': {
      id: 'users_statistics',
      summary: 'Read a user’s statistics',
      answer: Statistics,
    },
    'GET /api/users/:username/contributions/': {
      id: 'users_contributions',
      summary: 'List the translations that a user worked on',
      description: 'There are no translations here: the list is empty.',
      answer: pageOf(Contribution),
    },
  },
};
