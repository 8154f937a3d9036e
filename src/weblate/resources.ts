// The resources of the Weblate API, and its root: links to the collections (transcript root__paths).
import { Type } from '@sinclair/typebox';
import { findCaller } from '../access/caller-queries.ts';
import { type Handler, ok, readAsCaller, type Services } from '../http/call.ts';
import { atPath, link, on, type Resource } from '../http/operation.ts';
import { linkTo } from './answers.ts';
import { groups } from './groups/operations.ts';
import { languages, roles } from './installed/operations.ts';
import { notifications } from './notifications/operations.ts';
import { targets } from './targets/operations.ts';
import { users } from './users/operations.ts';

const collections = [users, notifications, groups, roles, targets, languages];

const urls = new Set(collections.flatMap(({ operations }) => operations.map(({ url }) => url)));
const names = [...urls].flatMap((url) => /^\/api\/([a-z-]+)\/$/.exec(url)?.[1] ?? []);

const read: Handler = async (call, services) => {
  await readAsCaller(call, services, findCaller, {});
  return ok(JSON.stringify(Object.fromEntries(names.map((name) => [name, linkTo(call, name)]))));
};

const view = { name: 'Api Root', description: 'The default basic root view for DefaultRouter' };
const root: Resource<Services> = {
  tag: 'Root',
  description: 'The root of the API.',
  operations: atPath({ url: '/api/', view }, [
    on('GET', 'root_read', 'Read the links to the collections', read, {
      access: 'any',
      response: { 200: Type.Object(Object.fromEntries(names.map((name) => [name, link()])), { $id: 'Root' }) },
    }),
  ]),
};

export const resources: readonly Resource<Services>[] = [root, ...collections];
