// A user's profile: its keys in the order of the wire, each with the value of a user who never changed it
// (transcript users__create) and its metadata in OPTIONS (transcript users__methods). Lists of languages and
// projects hold codes and slugs, which answers write as links (transcript users__watched).
import { type TSchema, Type } from '@sinclair/typebox';
import type { UrlContext } from '../../http/call.ts';
import { nullable } from '../../http/operation.ts';
import { type FieldMetadata, optionsChildren } from '../../http/options.ts';

type More = Partial<Omit<FieldMetadata, 'type' | 'required' | 'read_only' | 'label'>>;

const field =
  (required: boolean, read_only: boolean) =>
  (usual: unknown, type: string, label: string, more: More = {}) => ({
    usual,
    metadata: { type, required, read_only, label, ...more } satisfies FieldMetadata,
  });
const required = field(true, false);
const optional = field(false, false);
const readOnly = field(false, true);
const text = (type: string, max_length: number) => (label: string, help_text?: string) =>
  optional('', type, label, { ...(help_text !== undefined && { help_text }), max_length });
const url = text('url', 200);
const slug = text('slug', 50);
const line = text('string', 100);

const choices = (...named: readonly (readonly [value: string | number, name: string])[]) => ({
  choices: named.map(([value, display_name]) => ({ value, display_name })),
});

// Code and name.
const languages = choices(
  ...`ar=العربية, az=Azərbaycan, ba=башҡорт теле, be=Беларуская, be-latn=Biełaruskaja, bg=Български, br=Brezhoneg,
  ca=Català, cs=Čeština, cy=Cymraeg, da=Dansk, de=Deutsch, en=English, el=Ελληνικά,
  en-gb=English (United Kingdom), es=Español, fi=Suomi, fr=Français, ga=Gaeilge, gl=Galego, he=עברית,
  hu=Magyar, hr=Hrvatski, id=Indonesia, is=Íslenska, it=Italiano, ja=日本語, kab=Taqbaylit, kk=Қазақ тілі,
  ko=한국어, lo=ລາວ, nb=Norsk bokmål, nl=Nederlands, pl=Polski, pt=Português, pt-br=Português brasileiro,
  ro=Română, ru=Русский, sk=Slovenčina, sl=Slovenščina, sq=Shqip, sr=Српски, sr-latn=Srpski, sv=Svenska,
  ta=தமிழ், th=ไทย, tr=Türkçe, uk=Українська, vi=Tiếng việt, zh-hans=简体中文, zh-hant=正體中文`
    .split(/,\s+/)
    .map((language) => language.split('=') as [string, string]),
);

const columns = {
  required: true,
  read_only: false,
  ...choices(
    ['total', 'Total strings'],
    ['untranslated', 'Unfinished strings'],
    ['untranslated_words', 'Unfinished words'],
    ['untranslated_chars', 'Unfinished characters'],
    ['nottranslated', 'Untranslated strings'],
    ['checks', 'Checks'],
    ['suggestions', 'Suggestions'],
    ['comments', 'Comments'],
  ),
};
const usualColumns = columns.choices.map(({ value }) => value).filter((column) => column !== 'total');

export const profileFields = {
  language: required('', 'choice', 'Interface Language', languages),
  languages: readOnly([], 'field', 'Languages'),
  secondary_languages: readOnly([], 'field', 'Secondary languages'),
  suggested: readOnly(0, 'integer', 'Suggested'),
  translated: readOnly(0, 'integer', 'Translated'),
  uploaded: readOnly(0, 'integer', 'Uploaded'),
  commented: readOnly(0, 'integer', 'Commented'),
  theme: optional(
    'auto',
    'choice',
    'Theme',
    choices(['auto', 'Sync with system'], ['light', 'Light'], ['dark', 'Dark']),
  ),
  hide_completed: optional(false, 'boolean', 'Hide completed translations on the dashboard'),
  secondary_in_zen: optional(true, 'boolean', 'Show secondary translations in the Zen mode'),
  hide_source_secondary: optional(false, 'boolean', 'Hide source if a secondary translation exists'),
  wide_tables: optional(false, 'boolean', 'Show all columns in lists using horizontal scrolling', {
    help_text: 'Instead of hiding columns on narrow screens, keep all columns and scroll the table horizontally.',
  }),
  listing_columns: optional(usualColumns, 'list', 'Visible columns in lists', {
    help_text: 'Choose which statistics columns are shown in project, component, and language lists.',
    max_length: 8,
    child: { type: 'choice', ...columns },
  }),
  editor_link: text('string', 200)(
    'Editor link',
    'Enter a custom URL to be used as link to the source code. You can use {{branch}} for branch, {{filename}} and {{line}} as filename and line placeholders.',
  ),
  translate_mode: optional(0, 'choice', 'Translation editor mode', choices([0, 'Full editor'], [1, 'Zen mode'])),
  zen_mode: optional(0, 'choice', 'Zen editor mode', choices([0, 'Top to bottom'], [1, 'Side by side'])),
  special_chars: text('string', 30)(
    'Special characters',
    'You can specify additional special visual keyboard characters to be shown while translating. It can be useful for characters you use frequently, but are hard to type on your keyboard.',
  ),
  nearby_strings: optional(15, 'integer', 'Number of nearby strings', {
    help_text: 'Number of nearby strings to show in each direction in the full editor.',
    min_value: 1,
    max_value: 50,
  }),
  auto_watch: optional(true, 'boolean', 'Automatically watch projects on contribution', {
    help_text: 'Projects are added to your watched projects when you contribute to them.',
  }),
  contribute_personal_tm: optional(true, 'boolean', 'Contribute to personal translation memory', {
    help_text: 'Allow your translations to be added to your personal translation memory.',
  }),
  dashboard_view: optional(
    1,
    'choice',
    'Default dashboard view',
    choices(
      [1, 'Watched translations'],
      [6, 'All component lists'],
      [4, 'Component list'],
      [5, 'Suggested translations'],
      [7, 'Managed projects'],
    ),
  ),
  dashboard_component_list: readOnly(null, 'field', 'Dashboard component list'),
  watched: readOnly([], 'field', 'Watched'),
  website: url('Website URL'),
  contact: url('Contact URL', 'Link to contact you online using services like Signal, SimpleX or Telegram.'),
  liberapay: slug(
    'Liberapay username',
    'Liberapay is a platform to donate money to teams, organizations and individuals.',
  ),
  fediverse: url('Fediverse URL', 'Link to your Fediverse profile for federated services like Mastodon or diaspora*.'),
  codesite: url('Code site URL', 'Link to your code profile for services like Codeberg or GitLab.'),
  github: slug('GitHub username'),
  twitter: slug('X username'),
  linkedin: slug('LinkedIn profile name', 'Your LinkedIn profile name from linkedin.com/in/profilename'),
  location: line('Location'),
  company: line('Company'),
  public_email: required('', 'choice', 'Public email', choices()),
  commit_email: required('', 'choice', 'Commit email', choices()),
  commit_name: required(0, 'choice', 'Commit name', choices([0, 'Use global default'], [1, 'Public'], [2, 'Private'])),
  last_2fa: readOnly('', 'choice', 'Last 2fa'),
};

const derive = <T>(read: (field: (typeof profileFields)[keyof typeof profileFields]) => T) =>
  Object.fromEntries(Object.entries(profileFields).map(([key, each]) => [key, read(each)])) as Record<
    keyof typeof profileFields,
    T
  >;

export const profileDefaults = derive(({ usual }) => usual);

export const Profile = Type.Object(
  derive(({ usual }) => kindOf(usual)),
  { $id: 'Profile', title: 'Profile', [optionsChildren]: derive(({ metadata }) => metadata) },
);

// The kind of each key is that of its usual value.
function kindOf(usual: unknown): TSchema {
  if (usual === null) return nullable(Type.Integer());
  if (Array.isArray(usual)) return Type.Array(Type.String());
  return typeof usual === 'boolean' ? Type.Boolean() : typeof usual === 'number' ? Type.Integer() : Type.String();
}

/** A stored profile holds the keys that differ from the defaults; the answer holds them all, and no others. */
export type StoredProfile = Readonly<Record<string, unknown>>;

export function wholeProfile(stored: StoredProfile, { baseUrl, urlQuery }: UrlContext) {
  const linksOf = (key: keyof typeof linkLists) =>
    listOf(key, stored).map((name) => `${baseUrl}/api/${linkLists[key]}/${encodePart(name)}/${urlQuery}`);
  return {
    ...profileDefaults,
    ...Object.fromEntries(Object.entries(stored).filter(([key]) => Object.hasOwn(profileDefaults, key))),
    languages: linksOf('languages'),
    secondary_languages: linksOf('secondary_languages'),
    watched: linksOf('watched'),
  };
}

/** The lists of names in a profile, and the resource that each names. */
export const linkLists = { languages: 'languages', secondary_languages: 'languages', watched: 'projects' } as const;

/** None for what a seed has there that is no list. Watched projects come sorted from the database. */
function listOf(key: keyof typeof linkLists, stored: StoredProfile): readonly string[] {
  const list = stored[key];
  if (!Array.isArray(list) || list.length === 0) return [];
  const names = [...new Set(list.filter((name) => typeof name === 'string'))];
  return key === 'watched' ? names : names.toSorted();
}

// Codes such as `ca@valencia` stay as they are.
const encodePart = (name: string): string => encodeURIComponent(name).replaceAll('%40', '@');
