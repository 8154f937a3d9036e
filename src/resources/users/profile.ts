// A user's profile as the wire has it: these keys in this order, with the values of somebody who never changed them (transcript
// users__create).

/** What the table holds: the keys that somebody changed. */
export type StoredProfile = Readonly<Record<string, unknown>>;

export const profileDefaults = {
  language: '',
  languages: [],
  secondary_languages: [],
  suggested: 0,
  translated: 0,
  uploaded: 0,
  commented: 0,
  theme: 'auto',
  hide_completed: false,
  secondary_in_zen: true,
  hide_source_secondary: false,
  wide_tables: false,
  listing_columns: [
    'untranslated',
    'untranslated_words',
    'untranslated_chars',
    'nottranslated',
    'checks',
    'suggestions',
    'comments',
  ],
  editor_link: '',
  translate_mode: 0,
  zen_mode: 0,
  special_chars: '',
  nearby_strings: 15,
  auto_watch: true,
  contribute_personal_tm: true,
  dashboard_view: 1,
  dashboard_component_list: null,
  watched: [],
  website: '',
  contact: '',
  liberapay: '',
  fediverse: '',
  codesite: '',
  github: '',
  twitter: '',
  linkedin: '',
  location: '',
  company: '',
  public_email: '',
  commit_email: '',
  commit_name: 0,
  last_2fa: '',
} as const;

/** What the table holds over the defaults. Other keys are no part of it. */
export const wholeProfile = (stored: StoredProfile): Record<keyof typeof profileDefaults, unknown> =>
  Object.fromEntries(
    Object.entries(profileDefaults).map(([key, usual]) => [key, Object.hasOwn(stored, key) ? stored[key] : usual]),
  ) as Record<keyof typeof profileDefaults, unknown>;
