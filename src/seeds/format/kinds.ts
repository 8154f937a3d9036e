// Every kind of thing in a sandbox: its columns, its keys, and what it refers to. The seed's schema, its reading, the
// SQL of loads and exports, and the names of counters follow from this table, so a new column needs a migration,
// database/tables.ts, and a line here.
import { type TSchema, Type } from '@sinclair/typebox';
import { frequencies, scopes } from '../../model/codes.ts';
import { notificationNames } from '../../model/names.ts';

interface Property {
  /** How a seed writes it. */
  readonly schema: TSchema;
  /** The value of a new row where the seed leaves it out. A function takes the thing's own name. */
  readonly initial?: unknown;
  /** Identifies the row and never changes. */
  readonly isFixed?: true;
  readonly isDate?: true;
  readonly ignoresCase?: true;
  /** The kind that it names: one in the column `<property>_id`, or several in the table `links`. */
  readonly refersTo?: Kind;
  readonly links?: LinkTable;
}

interface KindFacts {
  /** Properties that together identify a thing. */
  readonly key: readonly string[];
  /** A further property that is unique. */
  readonly unique?: string;
  readonly properties: Readonly<Record<string, Property>>;
}

export type Kind = 'projects' | 'components' | 'groups' | 'users' | 'subscriptions';
export type LinkTable = 'user_groups' | 'group_projects';

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const flag = (description?: string) => optional(Type.Boolean(description === undefined ? {} : { description }));

// The counters stand one above the highest id, and they are integers too.
export const id = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_646,
  description: 'Fixed id; left out: the next free one.',
});
const slug = Type.String({ pattern: '^[-A-Za-z0-9_]{1,100}$', description: 'Slug: letters, digits, - and _.' });
const componentPath = Type.String({
  pattern: '^[-A-Za-z0-9_]{1,100}/[-A-Za-z0-9_]{1,100}$',
  description: 'Component as project/component, such as demo/app.',
});
const name = Type.String({ minLength: 1, maxLength: 150 });
const role = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
const permission = Type.Union([Type.Literal('user.view'), Type.Literal('user.edit')], {
  description: 'user.view or user.edit.',
});
const projectSelection = Type.Integer({
  minimum: 0,
  maximum: 4,
  description:
    '0 the listed projects, 1 all, 2 and 4 as the real system has them, 3 all public ones. Only 0 and 1 open private projects.',
});
const email = Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 190, description: 'E-mail address.' });
export const date = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d([T ]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?(Z|[+-]\\d\\d:\\d\\d))?$',
  description: 'Date, or date and time with Z or an offset: 2026-01-02T03:04:05Z.',
});

export const notification = Type.Union(
  notificationNames.map((value) => Type.Literal(value)),
  { description: 'Name of a notification.' },
);
const namesAndCodes = (codes: Record<string, number>, description: string) =>
  Type.Union(
    [...Object.keys(codes), ...Object.values(codes)].map((value) => Type.Literal(value)),
    { description },
  );
export const scope = namesAndCodes(
  scopes,
  'Scope by name or code. May be left out where project or component is given.',
);
const frequency = namesAndCodes(frequencies, 'Frequency by name or code; left out: instant.');

const itsName = (own: string): string => own;

/** Those that others refer to come first. */
export const kinds = {
  projects: {
    key: ['slug'],
    properties: {
      slug: { schema: slug, isFixed: true },
      name: { schema: optional(name), initial: itsName },
      web: { schema: optional(Type.String({ maxLength: 200 })), initial: '' },
      private: { schema: flag('Open to superusers and the members of groups that list it.'), initial: false },
    },
  },
  components: {
    key: ['project', 'slug'],
    properties: {
      project: { schema: slug, isFixed: true, refersTo: 'projects' },
      slug: { schema: slug, isFixed: true },
      name: { schema: optional(name), initial: itsName },
    },
  },
  groups: {
    key: ['name', 'defining_project'],
    properties: {
      name: { schema: name },
      automatic: { schema: flag('New users join it.'), initial: false },
      project_selection: { schema: optional(projectSelection), initial: 0 },
      language_selection: { schema: optional(Type.Integer({ minimum: 0, maximum: 1 })), initial: 0 },
      roles: { schema: optional(Type.Array(role)), initial: [] },
      permissions: { schema: optional(Type.Array(permission)), initial: [] },
      projects: {
        schema: optional(Type.Array(slug, { description: 'Projects that the group opens, by slug.' })),
        refersTo: 'projects',
        links: 'group_projects',
      },
      defining_project: { schema: optional(orNull(slug)), refersTo: 'projects' },
    },
  },
  users: {
    key: ['username'],
    unique: 'email',
    properties: {
      username: { schema: name, ignoresCase: true },
      full_name: { schema: optional(Type.String({ maxLength: 150 })), initial: '' },
      email: { schema: optional(orNull(email)), initial: null, ignoresCase: true },
      is_superuser: { schema: flag(), initial: false },
      is_active: { schema: flag(), initial: true },
      is_bot: { schema: flag(), initial: false },
      is_internal: {
        schema: flag('Can be read, never edited. Left out: true for anonymous alone.'),
        initial: (own: string) => foldCase(own) === 'anonymous',
      },
      // Not the day of the load: the same seed gives the same answers.
      date_joined: { schema: optional(date), initial: '2026-01-01T00:00:00.000000Z', isDate: true },
      date_expires: { schema: optional(orNull(date)), initial: null, isDate: true },
      last_login: { schema: optional(orNull(date)), initial: null, isDate: true },
      profile: { schema: optional(Type.Record(Type.String(), Type.Unknown())), initial: {} },
      groups: {
        schema: optional(
          Type.Array(Type.Union([id, name]), {
            description: 'By name or id. Left out: the automatic groups; []: none.',
          }),
        ),
        refersTo: 'groups',
        links: 'user_groups',
      },
    },
  },
  subscriptions: {
    key: ['user', 'notification', 'scope', 'project', 'component'],
    properties: {
      user: {
        schema: Type.String({ minLength: 1, maxLength: 150, description: 'Username.' }),
        isFixed: true,
        ignoresCase: true,
        refersTo: 'users',
      },
      notification: { schema: optional(notification), isFixed: true },
      scope: { schema: optional(scope), isFixed: true },
      frequency: { schema: optional(frequency) },
      project: { schema: optional(orNull(slug)), isFixed: true, refersTo: 'projects' },
      component: { schema: optional(orNull(componentPath)), isFixed: true, refersTo: 'components' },
    },
  },
} as const satisfies Readonly<Record<Kind, KindFacts>>;

export const kindNames = Object.keys(kinds) as Kind[];
export const factsOf = (kind: Kind): KindFacts => kinds[kind];
/** In messages and in the names of columns: `next_user_id`. */
export const singularOf = (kind: Kind): string => kind.slice(0, -1);
export const propertiesOf = (kind: Kind): [string, Property][] => Object.entries(factsOf(kind).properties);

/** The column of a property; undefined where a table of links holds it. */
export const columnOf = (property: string, { refersTo, links }: Property): string | undefined =>
  links === undefined ? (refersTo === undefined ? property : `${property}_id`) : undefined;

/** What a new row holds in the columns that a seed leaves out. */
export const initialValues = (kind: Kind, ownName: string): Record<string, unknown> =>
  Object.fromEntries(
    propertiesOf(kind).flatMap(([property, { initial }]) =>
      initial === undefined ? [] : [[property, typeof initial === 'function' ? initial(ownName) : initial]],
    ),
  );

/** The two columns of a table of links. */
export const linkColumns = {
  user_groups: ['user_id', 'group_id'],
  group_projects: ['group_id', 'project_id'],
} as const satisfies Readonly<Record<LinkTable, readonly [string, string]>>;

// As in migrations/0001-tables.ts: each word is a letter and those that fold to it first.
const folds = new Map(
  `iı sſ σςΣ μµ ι\u0345\u1fbe βϐ εϵ θϑ κϰ πϖ ρϱ φϕ в\u1c80 д\u1c81 о\u1c82 с\u1c83 т\u1c84\u1c85 ъ\u1c86 ѣ\u1c87 ꙋ\u1c88 ṡẛ
  ıİ ſẞ ϑϴ ϖ\u2126 ϰ\u212a ẛ\u212b`
    .split(/\s+/)
    .flatMap(([to = '', ...from]) => from.map((letter) => [letter, to] as const)),
);

/** Folds case as understudy.username_key does in the database. */
export const foldCase = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/gu, (letter) => folds.get(letter) ?? letter).toLowerCase();
