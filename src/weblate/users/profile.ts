// A user's profile: its keys in the order of the wire (transcript users__create), each declared once. From the
// declaration follow what an answer holds, what OPTIONS says (transcript users__methods), and what a body may set.
// Lists of languages and projects hold codes and slugs, which answers write as links (transcript users__watched).
import { type TSchema, Type } from '@sinclair/typebox';
import { textRules } from '../../http/body/read-value.ts';
import type { UrlContext } from '../../http/call.ts';
import { choices, nullable } from '../../http/operation.ts';
import { describeFields, optionsOnly } from '../../http/options.ts';

/** @param usual the value of a user who never changed it */
const required = (schema: TSchema, usual: unknown, title: string, description?: string): TSchema => ({
  ...schema,
  default: usual,
  title,
  ...(description !== undefined && { description }),
});
const optional: typeof required = (...declared) => Type.Optional(required(...declared));
/** For OPTIONS: bodies may set the lists of links. */
const readOnly: typeof required = (...declared) => ({ ...required(...declared), readOnly: true });

const text =
  (maxLength: number, more = {}) =>
  (title: string, description?: string) =>
    optional(Type.String({ minLength: 0, maxLength, ...more }), '', title, description);
const isUrl = (given: string): boolean => /^(?:ht|f)tps?:\/\/\S+$/i.test(given) && URL.canParse(given);
const url = text(200, {
  [textRules]: [{ accepts: isUrl, detail: 'Enter a valid URL.' }],
  [optionsOnly]: { type: 'url' },
});
const notSlug = 'Enter a valid "slug" consisting of letters, numbers, underscores or hyphens.';
const slug = text(50, {
  [textRules]: [{ pattern: '^[-a-zA-Z0-9_]+$', detail: notSlug }],
  [optionsOnly]: { type: 'slug' },
});
const line = text(100);
// The user's addresses are choices that depend on the user: any text of an address's length is one.
const address = Type.String({
  minLength: 0,
  maxLength: 190,
  [optionsOnly]: { type: 'choice', max_length: undefined, choices: [] },
});
const names = Type.Array(Type.String());

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

const columns = choices(
  ['total', 'Total strings'],
  ['untranslated', 'Unfinished strings'],
  ['untranslated_words', 'Unfinished words'],
  ['untranslated_chars', 'Unfinished characters'],
  ['nottranslated', 'Untranslated strings'],
  ['checks', 'Checks'],
  ['suggestions', 'Suggestions'],
  ['comments', 'Comments'],
);
const usualColumns = columns.anyOf.map((column) => column.const).filter((column) => column !== 'total');

const profile = {
  language: required(languages, '', 'Interface Language'),
  languages: readOnly(names, [], 'Languages'),
  secondary_languages: readOnly(names, [], 'Secondary languages'),
  suggested: readOnly(Type.Integer(), 0, 'Suggested'),
  translated: readOnly(Type.Integer(), 0, 'Translated'),
  uploaded: readOnly(Type.Integer(), 0, 'Uploaded'),
  commented: readOnly(Type.Integer(), 0, 'Commented'),
  theme: optional(choices(['auto', 'Sync with system'], ['light', 'Light'], ['dark', 'Dark']), 'auto', 'Theme'),
  hide_completed: optional(Type.Boolean(), false, 'Hide completed translations on the dashboard'),
  secondary_in_zen: optional(Type.Boolean(), true, 'Show secondary translations in the Zen mode'),
  hide_source_secondary: optional(Type.Boolean(), false, 'Hide source if a secondary translation exists'),
  wide_tables: optional(
    Type.Boolean(),
    false,
    'Show all columns in lists using horizontal scrolling',
    'Instead of hiding columns on narrow screens, keep all columns and scroll the table horizontally.',
  ),
  listing_columns: optional(
    Type.Array(columns, { maxItems: 8 }),
    usualColumns,
    'Visible columns in lists',
    'Choose which statistics columns are shown in project, component, and language lists.',
  ),
  editor_link: text(200)(
    'Editor link',
    'Enter a custom URL to be used as link to the source code. You can use {{branch}} for branch, {{filename}} and {{line}} as filename and line placeholders.',
  ),
  translate_mode: optional(choices([0, 'Full editor'], [1, 'Zen mode']), 0, 'Translation editor mode'),
  zen_mode: optional(choices([0, 'Top to bottom'], [1, 'Side by side']), 0, 'Zen editor mode'),
  special_chars: text(30)(
    'Special characters',
    'You can specify additional special visual keyboard characters to be shown while translating. It can be useful for characters you use frequently, but are hard to type on your keyboard.',
  ),
  nearby_strings: optional(
    Type.Integer({ minimum: 1, maximum: 50 }),
    15,
    'Number of nearby strings',
    'Number of nearby strings to show in each direction in the full editor.',
  ),
  auto_watch: optional(
    Type.Boolean(),
    true,
    'Automatically watch projects on contribution',
    'Projects are added to your watched projects when you contribute to them.',
  ),
  contribute_personal_tm: optional(
    Type.Boolean(),
    true,
    'Contribute to personal translation memory',
    'Allow your translations to be added to your personal translation memory.',
  ),
  dashboard_view: optional(
    choices(
      [1, 'Watched translations'],
      [6, 'All component lists'],
      [4, 'Component list'],
      [5, 'Suggested translations'],
      [7, 'Managed projects'],
    ),
    1,
    'Default dashboard view',
  ),
  dashboard_component_list: readOnly(
    nullable(Type.Integer(), { [optionsOnly]: { type: 'field' } }),
    null,
    'Dashboard component list',
  ),
  watched: readOnly(names, [], 'Watched'),
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
  public_email: required(address, '', 'Public email'),
  commit_email: required(address, '', 'Commit email'),
  commit_name: required(choices([0, 'Use global default'], [1, 'Public'], [2, 'Private']), 0, 'Commit name'),
  last_2fa: readOnly(Type.String({ [optionsOnly]: { type: 'choice' } }), '', 'Last 2fa'),
};

/** The lists of names in a profile, and the resource that each names. */
export const linkLists = { languages: 'languages', secondary_languages: 'languages', watched: 'projects' } as const;

const derive = <T>(read: (schema: TSchema) => T) =>
  Object.fromEntries(Object.entries(profile).map(([key, schema]) => [key, read(schema)])) as Record<
    keyof typeof profile,
    T
  >;

export const profileDefaults = derive((schema) => schema['default'] as unknown);

const writable = Type.Object(
  Object.fromEntries(Object.entries(profile).filter(([, schema]) => schema['readOnly'] !== true)),
);
// No language and few projects are known here.
const anyNames = nullable(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000 }));

/** What a body may set. */
export const ProfileFields = Type.Object({
  ...writable.properties,
  ...Object.fromEntries(Object.keys(linkLists).map((key) => [key, anyNames])),
});

/** What an answer holds. A seed may give any value, so only the kinds are promised: those of the usual values. */
export const Profile = Type.Object(
  derive((schema) => kindOf(schema['default'])),
  {
    $id: 'Profile',
    title: 'Profile',
    [optionsOnly]: { children: describeFields(Type.Object(profile), writable) },
  },
);

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

/** None for what a seed has there that is no list. Watched projects come sorted from the database. */
function listOf(key: keyof typeof linkLists, stored: StoredProfile): readonly string[] {
  const list = stored[key];
  if (!Array.isArray(list) || list.length === 0) return [];
  const unique = [...new Set(list.filter((name) => typeof name === 'string'))];
  return key === 'watched' ? unique : unique.toSorted();
}

// Codes such as `ca@valencia` stay as they are.
const encodePart = (name: string): string => encodeURIComponent(name).replaceAll('%40', '@');
