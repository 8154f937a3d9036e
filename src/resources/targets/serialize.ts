// Projects and components on the wire, by the fields that identify them (docs/reference/differences.md).
import { Type } from '@sinclair/typebox';
import type { UrlContext } from '../../api/call.ts';
import { optionsType } from '../../api/options.ts';

const common = {
  name: Type.String({ title: 'Name', maxLength: 100 }),
  slug: Type.String({ title: 'URL slug', maxLength: 100, [optionsType]: 'slug' }),
  id: Type.Integer({ title: 'ID' }),
};
const links = {
  web_url: Type.String({ title: 'Web url', format: 'uri', [optionsType]: 'string' }),
  url: Type.String({ title: 'Url', format: 'uri' }),
};

export const Project = Type.Object(
  { ...common, web: Type.String({ title: 'Project website', [optionsType]: 'url' }), ...links },
  { $id: 'Project', title: 'Project' },
);

export const Component = Type.Object({ ...common, project: Project, ...links }, { $id: 'Component' });

/** Keys in the order of the wire. */
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
    ...addresses(`/api/components/${row.project.slug}/${row.slug}/`, urls),
  });

const project = (row: ProjectRow, urls: UrlContext) => ({ ...row, ...addresses(`/api/projects/${row.slug}/`, urls) });

// The browsable page stands for Weblate's own page, which isn't mirrored (docs/decisions/0005).
const addresses = (path: string, { baseUrl, urlQuery }: UrlContext) => ({
  web_url: `${baseUrl}${path}?format=api`,
  url: `${baseUrl}${path}${urlQuery}`,
});
