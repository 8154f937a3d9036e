// A new project and a new component in Weblate, in its order (transcripts targets__*): the values that a seed
// doesn't give. Keys that it gives have an empty value here.

/** A link below the entry's own address, named by the key. */
export const below = Symbol('below');

const all = (value: unknown, keys: string): object => Object.fromEntries(keys.split(' ').map((key) => [key, value]));

/** Settings that an entry inherits unless it has its own. */
const inherited = (value: unknown, names: string): object =>
  Object.assign(
    {},
    ...names.split(' ').map((name) => ({ [name]: value, [`inherit_${name}`]: true, [`effective_${name}`]: value })),
  );

// Weblate's messages are templates of its own.
const messages = inherited('', 'commit_message add_message delete_message merge_message addon_message pull_message');

export const newProject = {
  ...all('', 'name slug'),
  id: 0,
  ...all('', 'web web_url url check_flags effective_check_flags'),
  ...all(below, 'components_list_url repository_url statistics_url metrics_url categories_url changes_list_url'),
  ...all(below, 'languages_url labels_url reports_url lock_url'),
  ...all(false, 'translation_review source_review'),
  commit_policy: 0,
  workspace: null,
  instructions: '',
  enable_hooks: true,
  language_aliases: '',
  access_control: 0,
  public_sharing: false,
  ...all(true, 'use_shared_tm contribute_shared_tm'),
  ...all(false, 'use_workspace_tm contribute_workspace_tm autoclean_tm'),
  ...inherited('', 'license agreement'),
  ...inherited('add', 'new_lang'),
  ...inherited('', 'language_code_style'),
  ...inherited(null, 'secondary_language'),
  ...messages,
  enforced_2fa: false,
  machinery_settings: below,
  locked: false,
  announcements_url: below,
  ...inherited([], 'enforced_checks'),
};

export const newComponent = {
  ...all('', 'name slug'),
  id: 0,
  source_language: null,
  project: null,
  vcs: 'local',
  vcs_params: {},
  repo: 'local:',
  ...all('', 'git_export branch push_branch filemask screenshot_filemask template'),
  edit_template: true,
  ...all('', 'intermediate new_base'),
  file_format: 'po',
  file_format_params: {},
  ...inherited('', 'license'),
  license_url: null,
  announcements_url: below,
  ...inherited('', 'agreement'),
  ...all('', 'web_url url'),
  ...all(below, 'repository_url translations_url statistics_url lock_url links_url changes_list_url'),
  task_url: null,
  reports_url: below,
  ...inherited('add', 'new_lang'),
  ...inherited('', 'language_code_style'),
  ...all('', 'push check_flags effective_check_flags'),
  priority: 100,
  ...inherited([], 'enforced_checks'),
  restricted: false,
  ...all('', 'repoweb repoweb_translations report_source_bugs'),
  merge_style: 'rebase',
  ...messages,
  allow_translation_propagation: true,
  hide_glossary_matches: false,
  contribute_project_tm: true,
  manage_units: false,
  enable_suggestions: true,
  suggestion_voting: false,
  suggestion_autoaccept: 0,
  ...all(true, 'push_on_commit push_on_update'),
  commit_pending_age: 24,
  auto_lock_error: true,
  language_regex: '^[^.]+$',
  key_filter: '',
  ...inherited(null, 'secondary_language'),
  variant_regex: '',
  addons: [],
  is_glossary: false,
  glossary_color: 'silver',
  ...all(null, 'category linked_component'),
  locked: false,
};

/** The source language of a component. */
export const english = {
  id: 181,
  code: 'en',
  name: 'English',
  plural: { id: 181, source: 0, number: 2, formula: 'n != 1', type: 1 },
  aliases: ['base', 'en_en', 'en_us', 'eng', 'enp', 'source'],
  direction: 'ltr',
  population: 1_728_473_503,
  ...all('', 'web_url url'),
  statistics_url: below,
};
