// Rows to the wire: projects and components, by the fields that identify them (differences, "projects and components").
import type { UrlContext } from '../../api/call.ts';

export interface ProjectRow {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly web: string;
}

export interface ComponentRow {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly project: ProjectRow;
}

export const serializeProject = (row: ProjectRow, urls: UrlContext): string => JSON.stringify(project(row, urls));

export const serializeComponent = (row: ComponentRow, urls: UrlContext): string =>
  JSON.stringify({
    id: row.id,
    name: row.name,
    slug: row.slug,
    project: project(row.project, urls),
    ...addresses(`/api/components/${row.project.slug}/${row.slug}/`, urls),
  });

const project = ({ id, name, slug, web }: ProjectRow, urls: UrlContext) => ({
  id,
  name,
  slug,
  web,
  ...addresses(`/api/projects/${slug}/`, urls),
});

// The page for people is the browsable one: this service has no other (docs/decisions/0005).
const addresses = (path: string, { baseUrl, urlQuery }: UrlContext) => ({
  web_url: `${baseUrl}${path}?format=api`,
  url: `${baseUrl}${path}${urlQuery}`,
});
