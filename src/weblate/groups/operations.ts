// The operations on groups.
import { Type } from '@sinclair/typebox';
import type { Services } from '../../http/call.ts';
import { atPath, on, type Path, type Resource } from '../../http/operation.ts';
import { errorLine } from '../../base/errors.ts';
import { pathPart, readOnlyOperations, titleOf } from '../read-only.ts';
import { change, create, idOf, remove, taken } from './handlers.ts';
import { changeList, closedError, type Part, type PartName, parts } from './group-lists.ts';
import { findGroup, listGroups } from './queries.ts';
import { Group, GroupFields, serializeGroup } from './serialize.ts';

const reading = readOnlyOperations({
  name: 'groups',
  params: Type.Object({ id: pathPart('1') }),
  description: 'Groups API.',
  described: GroupFields,
  isWritten: true,
  item: Group,
  list: listGroups,
  find: findGroup,
  namesOf: idOf,
  serialize: serializeGroup,
});
type At = Required<Path>;
const [list, entry] = reading.map(({ url, params, view }) => ({ url, params, view })) as [At, At];

const body = Type.Object(GroupFields.properties, { $id: 'NewGroup' });
const example = { name: 'Translators of Czech', language_selection: 0 };
const missing = errorLine('name', 'required', 'This field is required.');
const builtIn = errorLine('name', 'invalid', 'Cannot change this on a built-in team.');
const changing = { access: 'sign in', response: { 200: Group } } as const;

const writing = [
  ...atPath(list, [
    on('POST', 'groups_create', 'Create a group', create, {
      description: 'Whoever administers a project may create its groups. Only superusers create other groups.',
      access: 'sign in',
      body,
      response: { 201: Group },
      errors: ['groups_denied', 'action_denied', missing, taken],
      example,
    }),
  ]),
  ...atPath(entry, [
    on('PUT', 'groups_replace', 'Replace a group', change, {
      ...changing,
      body,
      errors: ['groups_denied', 'action_denied', missing, builtIn],
      example,
    }),
    on('PATCH', 'groups_update', 'Change some fields of a group', change, {
      ...changing,
      body: Type.Partial(GroupFields, { $id: 'GroupChange' }),
      errors: ['groups_denied', 'action_denied', builtIn, taken],
      example: { language_selection: 1 },
    }),
    on('DELETE', 'groups_delete', 'Delete a group', remove, {
      description: 'The group’s members lose their subscriptions to what they can no longer see.',
      access: 'sign in',
      errors: ['groups_denied'],
    }),
  ]),
];

const Granted = Type.Object({ detail: Type.String() }, { $id: 'Granted' });

const ofPart = (name: PartName) => {
  const part: Part = parts[name];
  const { key, unknown, example: thing } = part;
  const isOfAdmins = name === 'admins';
  // Component lists aren't mirrored.
  const isRefused = name === 'componentlists';
  const one = unknown.replace(/ not found\.?$/u, '').toLowerCase();
  const [added, removed, toAdd, toRemove] = isOfAdmins
    ? ['Grant admin', 'Revoke admin', 'Make a user an admin of a group', 'Take a user from the admins of a group']
    : [titleOf(name), `Delete ${name}`, `Add a ${one} to a group`, `Remove a ${one} from a group`];
  const url = `${entry.url}${name}/`;
  const isCode = typeof thing === 'string';
  const params = Type.Object({
    ...entry.params.properties,
    part: Type.String({ pattern: isCode ? '^[^/]+$' : '^[0-9]+$', examples: [thing] }),
  });
  return [
    ...atPath({ ...entry, url, view: { ...entry.view, name: added } }, [
      on('POST', `groups_${name}_add`, toAdd, changeList(name, true), {
        ...(isOfAdmins && {
          description: 'The user joins the group. Admins may edit this list, and nothing else of the group.',
        }),
        access: 'sign in',
        body: Type.Object({ [key]: isCode ? Type.String() : Type.Integer() }, { $id: `Group${titleOf(name)}` }),
        response: isRefused ? {} : { 200: isOfAdmins ? Granted : Group },
        errors: ['groups_denied', ...closedError(part), errorLine(key, 'invalid', unknown)],
        example: { [key]: thing },
      }),
    ]),
    ...atPath({ url: `${url}:part/`, params, view: { name: removed, description: 'Groups API.' } }, [
      on('DELETE', `groups_${name}_remove`, toRemove, changeList(name, false), {
        access: 'sign in',
        response: isRefused ? {} : isOfAdmins ? { 200: Group } : { 204: null },
        errors: ['groups_denied', ...closedError(part)],
      }),
    ]),
  ];
};

export const groups: Resource<Services> = {
  tag: 'Groups',
  description: 'What users may see and do comes from their groups, which Weblate’s pages call teams.',
  operations: [...reading, ...writing, ...(Object.keys(parts) as PartName[]).flatMap(ofPart)],
};
