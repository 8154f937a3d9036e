// A group as serialize.ts writes it, and what the API's document says of groups.
import { Type } from '@sinclair/typebox';
import { pageOf, refusedOperations, type ResourceDocument } from '../../api/operation.ts';

const url = Type.String({ format: 'uri' });
const urls = Type.Array(url);

const Group = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    defining_project: Type.Union([url, Type.Null()]),
    defining_workspace: Type.Null(),
    project_selection: Type.Integer({ description: '1 opens every project to its members, private ones too.' }),
    language_selection: Type.Integer(),
    url,
    roles: urls,
    languages: urls,
    projects: urls,
    componentlists: urls,
    components: urls,
    enforced_2fa: Type.Boolean(),
    admins: urls,
  },
  { $id: 'Group' },
);

const list = '/api/groups/';
const entry = '/api/groups/:id/';

export const groupsDocument: ResourceDocument = {
  tag: 'Groups',
  description: 'What users may see and do comes from their groups.',
  operations: {
    [`GET ${list}`]: { id: 'groups_list', summary: 'List groups', answer: pageOf(Group) },
    [`GET ${entry}`]: { id: 'groups_read', summary: 'Read a group', answer: Group },
    ...refusedOperations('groups', 'group', { list, entry }),
  },
};
