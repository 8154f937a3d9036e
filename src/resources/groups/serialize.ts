// Rows to the wire: a group (transcript groups__read). What isn't mirrored of a group is there, and empty.
import type { UrlContext } from '../../api/call.ts';

export interface GroupRow {
  readonly id: number;
  readonly name: string;
  readonly project_selection: number;
  readonly language_selection: number;
  readonly roles: readonly number[];
  /** Slugs. */
  readonly defining_project: string | null;
  readonly projects: readonly string[];
}

export function serializeGroup(row: GroupRow, { baseUrl, urlQuery }: UrlContext): string {
  const project = (slug: string) => `${baseUrl}/api/projects/${slug}/${urlQuery}`;
  return JSON.stringify({
    id: row.id,
    name: row.name,
    defining_project: row.defining_project && project(row.defining_project),
    defining_workspace: null,
    project_selection: row.project_selection,
    language_selection: row.language_selection,
    url: `${baseUrl}/api/groups/${row.id}/${urlQuery}`,
    roles: row.roles.map((id) => `${baseUrl}/api/roles/${id}/${urlQuery}`),
    languages: [],
    projects: row.projects.map(project),
    componentlists: [],
    components: [],
    enforced_2fa: false,
    admins: [],
  });
}
