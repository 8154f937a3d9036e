// A new project and a new component in Weblate (transcripts targets__*): the values that a seed doesn't give. Keys that
// it gives have an empty value here.
import { below } from '../answers.ts';

/**
 * Keys in Weblate's order: `key` is an empty text, `key=…` has its value as JSON, and `key>` is a link below. An entry
 * inherits `+key` unless it has its own.
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

// Weblate's messages are templates of its own.
const messages = '+commit_message +add_message +delete_message +merge_message +addon_message +pull_message';

export const newProject = read(`
  name slug id=0 web web_url url check_flags effective_check_flags
  components_list_url> repository_url> statistics_url> metrics_url> categories_url> changes_list_url>
  languages_url> labels_url> reports_url> lock_url>
  translation_review=false source_review=false commit_policy=0 workspace=null instructions enable_hooks=true
  language_aliases access_control=0 public_sharing=false
  use_shared_tm=true contribute_shared_tm=true
  use_workspace_tm=false contribute_workspace_tm=false autoclean_tm=false
  +license +agreement +new_lang="add" +language_code_style +secondary_language=null ${messages}
  enforced_2fa=false machinery_settings> locked=false announcements_url> +enforced_checks=[]`);

export const newComponent = read(`
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
