// Projects and components in responses (transcripts targets__*). Fields that seeds don't set have the values
// of a new project or component in Weblate.
import { Type } from '@sinclair/typebox';
import type { UrlContext } from '../../http/call.ts';
import type { RowOf } from '../../database/tables.ts';
import { below, linkTo, schemasOf } from '../answers.ts';
import { english, Language, serializeLanguage } from '../installed/operations.ts';

/**
 * Reads keys in Weblate's order. `key` has an empty text, `key=…` the value in JSON, `key>` a link below the
 * object's URL. `+key` is three keys: `key`, `inherit_key` (true), and `effective_key` (as `key`).
 */
const read = (keys: string): Record<string, unknown> =>
  Object.fromEntries(
    Array.from(keys.matchAll(/(\+?)(\w+)(?:=(\S+)|(>))?/g), ([, isInherited, key = '', json = '""', isLink]) => {
      const value: unknown = isLink ? below : JSON.parse(json);
      return isInherited
        ? Object.entries({ [key]: value, [`inherit_${key}`]: true, [`effective_${key}`]: value })
        : [[key, value]];
    }).flat(),
  );

// Messages are empty here. In Weblate, they are templates with default texts.
const messages = '+commit_message +add_message +delete_message +merge_message +addon_message +pull_message';

const newProject = read(`
  name slug id=0 web web_url url check_flags effective_check_flags
  components_list_url> repository_url> statistics_url> metrics_url> categories_url> changes_list_url>
  languages_url> labels_url> reports_url> lock_url>
  translation_review=false source_review=false commit_policy=0 workspace=null instructions enable_hooks=true
  language_aliases access_control=0 public_sharing=false
  use_shared_tm=true contribute_shared_tm=true
  use_workspace_tm=false contribute_workspace_tm=false autoclean_tm=false
  +license +agreement +new_lang="add" +language_code_style +secondary_language=null ${messages}
  enforced_2fa=false machinery_settings> locked=false announcements_url> +enforced_checks=[]`);

const newComponent = read(`
  name slug id=0 source_language=null project=null vcs="local" vcs_params={} repo="local:"
  git_export branch push_branch filemask screenshot_filemask template edit_template=true intermediate new_base
  file_format="po" file_format_params={} +license license_url=null announcements_url> +agreement web_url url
  repository_url> translations_url> statistics_url> lock_url> links_url> changes_list_url> task_url=null reports_url>
  +new_lang="add" +language_code_style push check_flags effective_check_flags priority=100 +enforced_checks=[]
  restricted=false repoweb repoweb_translations report_source_bugs merge_style="rebase" ${messages}
  allow_translation_propagation=true hide_glossary_matches=false contribute_project_tm=true manage_units=false
  enable_suggestions=true suggestion_voting=false suggestion_autoaccept=0
  push_on_commit=true push_on_update=true commit_pending_age=24 auto_lock_error=true
  language_regex="^[^.]+$" key_filter +secondary_language=null variant_regex addons=[]
  is_glossary=false glossary_color="silver" category=null linked_component=null locked=false`);

export const Project = Type.Object(schemasOf(newProject), { $id: 'Project', title: 'Project' });
export const Component = Type.Object(
  { ...schemasOf(newComponent), source_language: Language, project: Project },
  { $id: 'Component' },
);
/** A component in a project's list, which leaves the project out. */
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
  // The page in Weblate, which isn't mirrored. A component's page is below its project's page.
  const web_url = `${urls.baseUrl}/${own.replace(/^components/u, 'projects')}/`;
  return { ...Object.fromEntries(linked), web_url, url: linkTo(urls, own) };
}
