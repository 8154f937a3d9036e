// The operations on groups.
import { Type } from '@sinclair/typebox';
import type { Services } from '../../http/call.ts';
import type { Resource } from '../../http/operation.ts';
import { pythonInteger, toId } from '../../http/wire/python-input.ts';
import { pathPart, readOnlyOperations } from '../read-only.ts';
import { findGroup, listGroups } from './queries.ts';
import { Group, GroupFields, serializeGroup } from './serialize.ts';

export const groups: Resource<Services> = {
  tag: 'Groups',
  description: 'What users may see and do comes from their groups.',
  operations: readOnlyOperations({
    name: 'groups',
    params: Type.Object({ id: pathPart('1') }),
    description: 'Groups API.',
    described: GroupFields,
    refusal: 'manage groups',
    item: Group,
    list: listGroups,
    find: findGroup,
    // Any name is a path, and Python's int() reads it (transcript wire__paths).
    namesOf: ({ id = '' }) => ({ group_id: toId(pythonInteger(id) ?? 0) }),
    serialize: serializeGroup,
  }),
};
