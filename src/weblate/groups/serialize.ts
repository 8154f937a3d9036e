// A group on the wire (transcript groups__read). Component lists aren't mirrored: groups show none.
import { Type } from '@sinclair/typebox';
import type { RowOf } from '../../database/tables.ts';
import type { UrlContext } from '../../http/call.ts';
import { choices, link, nullable } from '../../http/operation.ts';
import { linkTo } from '../answers.ts';
import { userPath } from '../users/serialize.ts';

const links = (title: string) => Type.Array(link(), { title });

export const Group = Type.Object(
  {
    id: Type.Integer({ title: 'ID' }),
    name: Type.String({ title: 'Name', maxLength: 150 }),
    defining_project: nullable(link('Defining project')),
    defining_workspace: Type.Null({ title: 'Defining workspace' }),
    project_selection: Type.Integer({ title: 'Project selection' }),
    language_selection: Type.Integer({ title: 'Language selection' }),
    url: link('Url'),
    roles: links('Roles'),
    languages: links('Languages'),
    projects: links('Projects'),
    componentlists: links('Componentlists'),
    components: links('Components'),
    enforced_2fa: Type.Boolean({ title: 'Enforced 2fa' }),
    admins: links('Admins'),
  },
  {
    $id: 'Group',
    description: 'A `project_selection` of 1 opens every project to the group’s members, private ones too.',
  },
);

const choice = (title: string, ...named: Parameters<typeof choices>) => Type.Optional({ ...choices(...named), title });

/** The fields that OPTIONS describes as writable. */
export const GroupFields = Type.Object({
  name: Group.properties.name,
  // A body may not hold null, although a group without a project shows null.
  defining_project: Type.Optional(link('Defining project')),
  defining_workspace: Type.Optional(Group.properties.defining_workspace),
  project_selection: choice(
    'Project selection',
    [0, 'As defined'],
    [1, 'All projects'],
    [3, 'All public projects'],
    [4, 'All protected projects'],
    [2, 'From component list'],
  ),
  language_selection: choice('Language selection', [0, 'As defined'], [1, 'All languages']),
  enforced_2fa: Type.Optional(
    Type.Boolean({
      title: 'Enforced two-factor authentication',
      description: 'Requires users to have two-factor authentication configured.',
    }),
  ),
});

type Columns = RowOf<'groups'>;
export interface GroupRow extends Pick<Columns, keyof Columns & keyof typeof Group.properties> {
  /** Projects are slugs, components `<project>/<component>`. */
  readonly defining_project: string | null;
  readonly projects: readonly string[];
  readonly components: readonly string[];
  readonly admins: readonly string[];
}

/** Sorts roles and languages, which seeds give in any order. */
export const serializeGroup = (row: GroupRow, urls: UrlContext) => ({
  ...row,
  defining_project: row.defining_project && linkTo(urls, `projects/${row.defining_project}`),
  defining_workspace: null,
  url: linkTo(urls, `groups/${row.id}`),
  roles: row.roles.toSorted((a, b) => a - b).map((id) => linkTo(urls, `roles/${id}`)),
  languages: row.languages.toSorted().map((code) => linkTo(urls, `languages/${code}`)),
  projects: row.projects.map((slug) => linkTo(urls, `projects/${slug}`)),
  componentlists: [],
  components: row.components.map((path) => linkTo(urls, `components/${path}`)),
  admins: row.admins.map((username) => linkTo(urls, userPath(username))),
});
