// Projects and components in responses: only the identifying fields (docs/reference/differences.md).
import { Type } from '@sinclair/typebox';
import type { UrlContext } from '../../http/call.ts';
import { link } from '../../http/operation.ts';
import { describeFields, optionsChildren, optionsType } from '../../http/options.ts';

const common = (title: string, maxLength: number) => ({
  name: Type.String({ title, description: 'Display name', maxLength }),
  slug: Type.String({
    title: 'URL slug',
    description: 'Name used in URLs and filenames.',
    maxLength,
    [optionsType]: 'slug',
  }),
  id: Type.Integer({ title: 'ID' }),
});
const web = Type.String({
  title: 'Project website',
  description: 'Main website of translated project.',
  maxLength: 200,
  [optionsType]: 'url',
});
const links = { web_url: { ...link('Web url'), [optionsType]: 'string' }, url: link('Url') };

export const Project = Type.Object(
  { ...common('Project name', 60), web, ...links },
  { $id: 'Project', title: 'Project' },
);

/** The fields that OPTIONS describes as writable. */
export const ProjectFields = Type.Pick(Project, ['name', 'slug', 'web']);

export const Component = Type.Object(
  {
    ...common('Component name', 100),
    project: { ...Project, [optionsChildren]: describeFields(Project, ProjectFields) },
    ...links,
  },
  { $id: 'Component' },
);

export const ComponentFields = Type.Pick(Component, ['name', 'slug']);

/** Keys in response order. */
export interface ProjectRow {
  readonly name: string;
  readonly slug: string;
  readonly id: number;
  readonly web: string;
}

export type ComponentRow = Omit<ProjectRow, 'web'> & { readonly project: ProjectRow };

export const serializeProject = (row: ProjectRow, urls: UrlContext): string => JSON.stringify(project(row, urls));

export const serializeComponent = (row: ComponentRow, urls: UrlContext): string =>
  JSON.stringify({
    ...row,
    project: project(row.project, urls),
    ...addresses('components', `${row.project.slug}/${row.slug}/`, urls),
  });

const project = (row: ProjectRow, urls: UrlContext) => ({ ...row, ...addresses('projects', `${row.slug}/`, urls) });

// Weblate's own page, at `web_url`, isn't mirrored.
const addresses = (collection: string, path: string, { baseUrl, urlQuery }: UrlContext) => ({
  web_url: `${baseUrl}/projects/${path}`,
  url: `${baseUrl}/api/${collection}/${path}${urlQuery}`,
});
