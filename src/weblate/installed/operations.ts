// The operations on roles and languages: constants of Weblate's release, not parts of sandboxes.
import { Type } from '@sinclair/typebox';
import type { Services, UrlContext } from '../../http/call.ts';
import { link, type Resource } from '../../http/operation.ts';
import { pythonInteger, toId } from '../../http/wire/python-input.ts';
import { type Language as Row, languages as known } from '../../model/languages.ts';
import { roles as allRoles } from '../../model/roles.ts';
import { linkTo } from '../answers.ts';
import { pathPart, readOnlyOperations } from '../read-only.ts';
import { findLanguage, findRole, listLanguages, listRoles } from './queries.ts';

const Role = Type.Object(
  {
    id: Type.Integer({ title: 'ID' }),
    name: Type.String({ title: 'Name', maxLength: 200 }),
    permissions: Type.Array(Type.String(), { title: 'Permissions' }),
    url: link('Url'),
  },
  { $id: 'Role' },
);

export const roles: Resource<Services> = {
  tag: 'Roles',
  description: 'What a group’s members may do. Every installation of the release has these roles.',
  operations: readOnlyOperations({
    name: 'roles',
    params: Type.Object({ id: pathPart('1') }),
    description: 'Roles API.',
    described: Type.Pick(Role, ['name', 'permissions']),
    refusal: 'manage roles',
    item: Role,
    list: listRoles,
    find: findRole,
    namesOf: ({ id = '' }) => ({ role_id: toId(pythonInteger(id) ?? 0) }),
    serialize: (id, urls) => ({ id, ...allRoles[id - 1], url: linkTo(urls, `roles/${id}`) }),
  }),
};

export const Language = Type.Object(
  {
    id: Type.Integer({ title: 'ID' }),
    code: Type.String({ title: 'Language code' }),
    name: Type.String({ title: 'Name' }),
    plural: Type.Object(
      {
        id: Type.Integer({ title: 'ID' }),
        source: Type.Integer({ title: 'Plural definition source' }),
        number: Type.Integer({ title: 'Number of plurals' }),
        formula: Type.String({ title: 'Plural formula' }),
        type: Type.Integer({ title: 'Plural type' }),
      },
      { title: 'Plural' },
    ),
    aliases: Type.Array(Type.String(), { title: 'Aliases' }),
    direction: Type.String({ title: 'Text direction' }),
    population: Type.Integer({ title: 'Number of speakers' }),
    web_url: link('Web url'),
    url: link('Url'),
    statistics_url: link('Statistics url'),
  },
  { $id: 'Language' },
);

/** Every component's source language. */
export const english = () => known().byCode.get('en') as Row;

export const serializeLanguage = ({ id, code, name, plural, ...row }: Row, urls: UrlContext) => ({
  id,
  code,
  name,
  plural: { id, source: 0, ...plural },
  ...row,
  web_url: `${urls.baseUrl}/languages/${code}/`,
  url: linkTo(urls, `languages/${code}`),
  statistics_url: linkTo(urls, `languages/${code}/statistics`),
});

export const languages: Resource<Services> = {
  tag: 'Languages',
  description: 'The languages that every installation of the release has.',
  operations: readOnlyOperations({
    name: 'languages',
    params: Type.Object({ code: pathPart('en') }),
    description: 'Languages API.',
    refusal: 'manage languages',
    item: Language,
    list: listLanguages,
    find: findLanguage,
    namesOf: ({ code = '' }) => ({
      language_id: known().byCode.get(code)?.id ?? 0,
      is_source: code === english().code,
    }),
    serialize: (id, urls) => serializeLanguage(known().list[id - 1] as Row, urls),
  }),
};
