// Projects and components in responses (transcripts targets__*).
import { type TSchema, Type } from '@sinclair/typebox';
import type { UrlContext } from '../../http/call.ts';
import { link } from '../../http/operation.ts';
import { below, english, newComponent, newProject } from './new-targets.ts';

function schemaOf(value: unknown): TSchema {
  if (value === below) return link();
  if (Array.isArray(value)) return Type.Array(Type.String());
  if (value === null) return Type.Null();
  if (typeof value === 'object') return Type.Object(schemasOf(value));
  return { boolean: Type.Boolean(), number: Type.Integer() }[typeof value as string] ?? Type.String();
}
const schemasOf = (values: object): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, schemaOf(value)]));

export const Project = Type.Object(schemasOf(newProject), { $id: 'Project', title: 'Project' });
export const Component = Type.Object(
  { ...schemasOf(newComponent), source_language: Type.Object(schemasOf(english)), project: Project },
  { $id: 'Component' },
);
/** As the list of one project has it. */
export const PartOfProject = Type.Omit(Component, ['project'], { $id: 'PartOfProject' });

export interface ProjectRow {
  readonly name: string;
  readonly slug: string;
  readonly id: number;
  readonly web: string;
  readonly access_control: number;
}

export type ComponentRow = Pick<ProjectRow, 'name' | 'slug' | 'id'> & { readonly project: ProjectRow };

export const serializeProject = (row: ProjectRow, urls: UrlContext) => ({
  ...withLinks(newProject, 'projects', row.slug, urls),
  ...row,
});

export const serializeComponent = (row: ComponentRow, urls: UrlContext) => ({
  ...withLinks(newComponent, 'components', `${row.project.slug}/${row.slug}`, urls),
  ...row,
  source_language: withLinks(english, 'languages', 'en', urls),
  project: serializeProject(row.project, urls),
  filemask: `${row.slug}/*.po`,
});

// JSON has no key without a value.
export const serializePart = (row: ComponentRow, urls: UrlContext) => ({
  ...serializeComponent(row, urls),
  project: undefined,
});

function withLinks(values: object, collection: string, path: string, { baseUrl, urlQuery }: UrlContext) {
  const url = `${baseUrl}/api/${collection}/${path}/`;
  const linked = Object.entries(values).map(([key, value]: [string, unknown]) => [
    key,
    value === below ? `${url}${key.replace(/(?:_list)?_url$/u, '')}/${urlQuery}` : value,
  ]);
  // Weblate's own page isn't mirrored. That of a component is below that of its project.
  const web_url = `${baseUrl}/${collection.replace('components', 'projects')}/${path}/`;
  return { ...Object.fromEntries(linked), web_url, url: url + urlQuery };
}
