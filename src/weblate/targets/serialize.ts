// Projects and components in responses (transcripts targets__*).
import { Type } from '@sinclair/typebox';
import type { UrlContext } from '../../http/call.ts';
import type { RowOf } from '../../database/tables.ts';
import { below, linkTo, schemasOf } from '../answers.ts';
import { english, Language, serializeLanguage } from '../installed/operations.ts';
import { newComponent, newProject } from './new-targets.ts';

export const Project = Type.Object(schemasOf(newProject), { $id: 'Project', title: 'Project' });
export const Component = Type.Object(
  { ...schemasOf(newComponent), source_language: Language, project: Project },
  { $id: 'Component' },
);
/** As the list of one project has it. */
export const PartOfProject = Type.Omit(Component, ['project'], { $id: 'PartOfProject' });

type Named = Pick<RowOf<'projects'>, 'id' | 'name' | 'slug'>;
export type ProjectRow = Named & { readonly web: string; readonly access_control: number };
export type ComponentRow = Named & { readonly project: ProjectRow };

export const serializeProject = (row: ProjectRow, urls: UrlContext) => ({
  ...withLinks(newProject, 'projects', row.slug, urls),
  ...row,
});

export const serializeComponent = (row: ComponentRow, urls: UrlContext) => ({
  ...withLinks(newComponent, 'components', `${row.project.slug}/${row.slug}`, urls),
  ...row,
  source_language: serializeLanguage(english(), urls),
  project: serializeProject(row.project, urls),
  filemask: `${row.slug}/*.po`,
});

function withLinks(values: object, collection: string, path: string, urls: UrlContext) {
  const own = `${collection}/${path}`;
  const linked = Object.entries(values).map(([key, value]: [string, unknown]) => [
    key,
    value === below ? linkTo(urls, `${own}/${key.replace(/(?:_list)?_url$/u, '')}`) : value,
  ]);
  // Weblate's own page isn't mirrored. That of a component is below that of its project.
  const web_url = `${urls.baseUrl}/${own.replace(/^components/u, 'projects')}/`;
  return { ...Object.fromEntries(linked), web_url, url: linkTo(urls, own) };
}
