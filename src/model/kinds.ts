// What a sandbox holds: every kind of thing, with its columns, its key and the kinds it refers to. The types
// of tables, the functions that copy and reset sandboxes, the seed format, loading, export and import follow
// from `kinds`. test/database/model.test.ts compares it with the tables that migrations/ makes.
import { type TSchema, Type } from '@sinclair/typebox';
import { languages } from './languages.ts';
import { frequencies, notificationNames, scopes } from './notifications.ts';
import { roles } from './roles.ts';
import { foldCase } from './usernames.ts';

type Stored = 'text' | 'boolean' | 'smallint' | 'integer' | 'integer[]' | 'text[]' | 'timestamptz' | 'jsonb';
export type ColumnType = Stored | `${Stored} null`;

/** A property of a thing in a seed. A column or a table of links holds it. */
interface Property {
  readonly schema: TSchema;
  /** The type of its column; none if `links` holds the property. */
  readonly type?: ColumnType;
  /** The value if a seed leaves the property out. A function takes the thing's name. */
  readonly initial?: unknown;
  /** The property identifies the row and never changes. */
  readonly isFixed?: true;
  readonly ignoresCase?: true;
  /** The numbers in the column or its lists, by their names in seeds. */
  readonly codes?: Readonly<Record<string, number>>;
  /** The values that a list may hold, if its schema doesn't list them. */
  readonly known?: () => ReadonlyMap<unknown, unknown>;
  /** The kind that the property refers to, by the column `<property>_id` or the table `links`. */
  readonly refersTo?: Kind;
  readonly links?: LinkTable;
}

interface KindFacts {
  /** The properties that together identify a thing. */
  readonly key: readonly string[];
  /** Another property whose values are unique. */
  readonly unique?: string;
  readonly properties: Readonly<Record<string, Property>>;
  /** Columns that the database fills. Seeds don't set them. */
  readonly filled?: Readonly<Record<string, ColumnType>>;
}

export type Kind = 'projects' | 'components' | 'groups' | 'users' | 'subscriptions';
export type LinkTable = keyof typeof linkColumns;
export type TableName = Kind | LinkTable | 'tokens';

const oneOf = <T extends string | number>(values: readonly T[], description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { description },
  );
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const listOf = <T extends TSchema>(schema: T, description: string) => optional(Type.Array(schema, { description }));

/** The highest id in seeds and made-up rows. Rows that requests make may have ids up to 2147483647. */
export const maxGivenId = 2_000_000_000;

export const id = Type.Integer({ minimum: 1, maximum: maxGivenId, description: 'Left out: the next free id.' });
const slug = Type.String({ pattern: '^[-A-Za-z0-9_]{1,100}$', description: 'Slug: letters, digits, - and _.' });
const componentPath = Type.String({
  pattern: '^[-A-Za-z0-9_]{1,100}/[-A-Za-z0-9_]{1,100}$',
  description: 'Component as project/component: demo/app.',
});
const name = Type.String({ minLength: 1, maxLength: 150 });
const permission = oneOf(['user.view', 'user.edit'], 'user.view or user.edit.');
const projectSelection = Type.Integer({
  minimum: 0,
  maximum: 4,
  description: '0 and 2 open the listed projects, 1 opens all, 3 and 4 open no private ones.',
});
const email = Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 190, description: 'E-mail address.' });
export const date = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d([T ]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?(Z|[+-]\\d\\d:\\d\\d))?$',
  description: 'Date, or date and time with Z or an offset: 2026-01-02T03:04:05Z.',
});

export const notification = oneOf(notificationNames, 'Name of a notification.');
const namesAndCodes = (codes: Record<string, number>, description: string) =>
  oneOf([...Object.keys(codes), ...Object.values(codes)], description);
export const scope = namesAndCodes(scopes, 'Scope by name or code. Optional with project or component.');
const roleIds = Object.fromEntries(roles.map((role, index) => [role.name, index + 1]));
const language = Type.String({ minLength: 1, maxLength: 50, description: 'Code of a language: cs or pt_BR.' });
const frequency = namesAndCodes(frequencies, 'Frequency by name or code; left out: instant.');

const named = {
  slug: { type: 'text', schema: slug, isFixed: true },
  name: { type: 'text', schema: optional(name), initial: (own: string) => own },
} as const;
const flag = <I>(initial: I, description?: string) =>
  ({
    type: 'boolean',
    schema: optional(Type.Boolean(description === undefined ? {} : { description })),
    initial,
  }) as const;
const nullableDate = { type: 'timestamptz null', schema: optional(orNull(date)), initial: null } as const;

/** Kinds that others' columns refer to come first. */
export const kinds = {
  projects: {
    key: ['slug'],
    properties: {
      ...named,
      web: { type: 'text', schema: optional(Type.String({ maxLength: 200 })), initial: '' },
      private: flag(false, 'Seen only by superusers and members of groups that open it.'),
    },
  },
  components: {
    key: ['project', 'slug'],
    properties: {
      project: { type: 'integer', schema: slug, isFixed: true, refersTo: 'projects' },
      ...named,
    },
  },
  groups: {
    key: ['name', 'defining_project'],
    properties: {
      name: { type: 'text', schema: name },
      automatic: flag(false, 'New users join it.'),
      internal: flag(false, 'Built in: its name and its selections never change.'),
      enforced_2fa: flag(false, 'If true, the group opens no project: no user here has a second factor.'),
      project_selection: { type: 'smallint', schema: optional(projectSelection), initial: 0 },
      language_selection: { type: 'smallint', schema: optional(Type.Integer({ minimum: 0, maximum: 1 })), initial: 0 },
      roles: {
        type: 'integer[]',
        schema: optional(Type.Array(namesAndCodes(roleIds, 'Role by name or id: Translate or 9.'))),
        codes: roleIds,
        initial: [],
      },
      languages: {
        type: 'text[]',
        schema: optional(Type.Array(language)),
        known: () => languages().byCode,
        initial: [],
      },
      permissions: { type: 'text[]', schema: optional(Type.Array(permission)), initial: [] },
      projects: {
        schema: listOf(slug, 'Projects that the group opens, by slug.'),
        refersTo: 'projects',
        links: 'group_projects',
      },
      components: {
        schema: listOf(componentPath, 'With components, the group opens only their projects.'),
        refersTo: 'components',
        links: 'group_components',
      },
      admins: {
        schema: listOf(name, 'Users who may edit this list, by name. They are members too.'),
        refersTo: 'users',
        links: 'group_admins',
      },
      defining_project: { type: 'integer null', schema: optional(orNull(slug)), refersTo: 'projects' },
    },
  },
  users: {
    key: ['username'],
    unique: 'email',
    properties: {
      username: { type: 'text', schema: name, ignoresCase: true },
      full_name: { type: 'text', schema: optional(Type.String({ maxLength: 150 })), initial: '' },
      email: { type: 'text null', schema: optional(orNull(email)), initial: null, ignoresCase: true },
      is_superuser: flag(false),
      is_active: flag(true),
      is_bot: flag(false),
      is_internal: flag(
        (own: string) => foldCase(own) === 'anonymous',
        'The API can’t change the user. Default: only for anonymous.',
      ),
      // A fixed day, so that the same seed gives the same answers.
      date_joined: { type: 'timestamptz', schema: optional(date), initial: '2026-01-01T00:00:00.000000Z' },
      date_expires: nullableDate,
      last_login: nullableDate,
      profile: { type: 'jsonb', schema: optional(Type.Record(Type.String(), Type.Unknown())), initial: {} },
      groups: {
        schema: listOf(Type.Union([id, name]), 'By name or id. Left out: the automatic groups; []: none.'),
        refersTo: 'groups',
        links: 'user_groups',
      },
    },
  },
  subscriptions: {
    key: ['user', 'notification', 'scope', 'project', 'component'],
    properties: {
      user: {
        type: 'integer',
        schema: { ...name, description: 'Username.' },
        isFixed: true,
        ignoresCase: true,
        refersTo: 'users',
      },
      notification: { type: 'text', schema: optional(notification), isFixed: true },
      scope: { type: 'smallint', schema: optional(scope), isFixed: true, codes: scopes },
      project: { type: 'integer null', schema: optional(orNull(slug)), isFixed: true, refersTo: 'projects' },
      component: {
        type: 'integer null',
        schema: optional(orNull(componentPath)),
        isFixed: true,
        refersTo: 'components',
      },
      frequency: { type: 'smallint', schema: optional(frequency), codes: frequencies, initial: frequencies.instant },
    },
    // These columns repeat values of the project or component (docs/decisions/0002).
    filled: { project: 'text null', component: 'text null', private_project_id: 'integer null' },
  },
} as const satisfies Readonly<Record<Kind, KindFacts>>;

export const kindNames = Object.keys(kinds) as Kind[];
export const factsOf = (kind: Kind): KindFacts => kinds[kind];
export const singularOf = (kind: Kind) => kind.slice(0, -1);
export const counterOf = (kind: Kind) => `next_${singularOf(kind)}_id`;
export const propertiesOf = (kind: Kind) => Object.entries(factsOf(kind).properties);

/** The property's column; undefined if a table of links holds the property. */
export const columnOf = (property: string, { refersTo, links }: Property) =>
  links === undefined ? (refersTo === undefined ? property : `${property}_id`) : undefined;

/** The values of a new row for the properties that a seed leaves out. */
export const initialValues = (kind: Kind, ownName: string) =>
  Object.fromEntries(
    propertiesOf(kind).flatMap(([property, { initial }]) =>
      initial === undefined ? [] : [[property, typeof initial === 'function' ? initial(ownName) : initial]],
    ),
  );

/** Tables of links, each with its owner's and target's columns. Tables that others refer to come first. */
export const linkColumns = {
  user_groups: ['user_id', 'group_id'],
  group_projects: ['group_id', 'project_id'],
  group_components: ['group_id', 'component_id'],
  group_admins: ['group_id', 'user_id'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;
export const linkTables = Object.keys(linkColumns) as LinkTable[];
export const isLinkTable = (table: TableName): table is LinkTable => table in linkColumns;
/** The tables of a sandbox's content. Tables that others refer to come first. */
export const tableNames: readonly TableName[] = [...kindNames, 'tokens', ...linkTables];

/** All columns but sandbox_id and `generated always` ones. `key` identifies a row. */
export function columnsOf(table: TableName): { key: readonly string[]; others: Readonly<Record<string, ColumnType>> } {
  if (table === 'tokens') return { key: ['hash'], others: { user_id: 'integer' } };
  if (isLinkTable(table)) return { key: linkColumns[table], others: {} };
  const ofProperties = propertiesOf(table).flatMap(([own, property]) => {
    const column = columnOf(own, property);
    return column === undefined || property.type === undefined ? [] : [[column, property.type] as const];
  });
  return { key: ['id'], others: { ...Object.fromEntries(ofProperties), ...factsOf(table).filled } };
}
