// A user's profile: its keys in the order of the wire (transcript users__create), each declared once for
// answers, OPTIONS and checks of bodies. Lists of languages and projects hold codes and slugs, which answers
// write as links (transcript users__watched).
import { type TSchema, Type } from '@sinclair/typebox';
import { textRules } from '../../http/body/read-value.ts';
import type { UrlContext } from '../../http/call.ts';
import { choices, nullable } from '../../http/operation.ts';
import { linkTo, schemaOf } from '../answers.ts';
import { describeFields, optionsOnly } from '../../http/options.ts';

/** @param usual the value for users who never changed it */
const required = (schema: TSchema, usual: unknown, title: string, description?: string) => ({
  ...schema,
  default: usual,
  title,
  ...(description && { description }),
});
const optional: typeof required = (...declared) => Type.Optional(required(...declared));
/** A key that OPTIONS calls read-only. Bodies may set the lists of links all the same. */
const readOnly: typeof required = (...declared) => ({ ...required(...declared), readOnly: true });

const text =
  (maxLength: number, more = {}) =>
  (title: string, description?: string) =>
    optional(Type.String({ minLength: 0, maxLength, ...more }), '', title, description);
const isUrl = (given: string) => /^(?:ht|f)tps?:\/\/\S+$/i.test(given) && URL.canParse(given);
const url = text(200, {
  [textRules]: [{ accepts: isUrl, detail: 'Enter a valid URL.' }],
  [optionsOnly]: { type: 'url' },
});
const notSlug = 'Enter a valid "slug" consisting of letters, numbers, underscores or hyphens.';
const slug = text(50, {
  [textRules]: [{ pattern: '^[-a-zA-Z0-9_]+$', detail: notSlug }],
  [optionsOnly]: { type: 'slug' },
});
const flag = (usual: boolean) => (title: string, description?: string) =>
  optional(Type.Boolean(), usual, title, description);
// In Weblate, the choices are the user's addresses. Here, any text up to this length is accepted.
const address = Type.String({
  minLength: 0,
  maxLength: 190,
  [optionsOnly]: { type: 'choice', max_length: undefined, choices: [] },
});
const names = Type.Array(Type.String());

const choicesOf = (list: string) =>
  choices(...list.split(/,\s+/).map((choice) => choice.split('=') as [code: string, name: string]));

const languages = choicesOf(
  `ar=العربية, az=Azərbaycan, ba=башҡорт теле, be=Беларуская, be-latn=Biełaruskaja, bg=Български, br=Brezhoneg,
  ca=Català, cs=Čeština, cy=Cymraeg, da=Dansk, de=Deutsch, en=English, el=Ελληνικά,
  en-gb=English (United Kingdom), es=Español, fi=Suomi, fr=Français, ga=Gaeilge, gl=Galego, he=עברית,
  hu=Magyar, hr=Hrvatski, id=Indonesia, is=Íslenska, it=Italiano, ja=日本語, kab=Taqbaylit, kk=Қазақ тілі,
  ko=한국어, lo=ລາວ, nb=Norsk bokmål, nl=Nederlands, pl=Polski, pt=Português, pt-br=Português brasileiro,
  ro=Română, ru=Русский, sk=Slovenčina, sl=Slovenščina, sq=Shqip, sr=Српски, sr-latn=Srpski, sv=Svenska,
  ta=தமிழ், th=ไทย, tr=Türkçe, uk=Українська, vi=Tiếng việt, zh-hans=简体中文, zh-hant=正體中文`,
);

const columns = choicesOf(
  `total=Total strings, untranslated=Unfinished strings, untranslated_words=Unfinished words,
  untranslated_chars=Unfinished characters, nottranslated=Untranslated strings, checks=Checks,
  suggestions=Suggestions, comments=Comments`,
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
  hide_completed: flag(false)('Hide completed translations on the dashboard'),
  secondary_in_zen: flag(true)('Show secondary translations in the Zen mode'),
  hide_source_secondary: flag(false)('Hide source if a secondary translation exists'),
  wide_tables: flag(false)(
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
  auto_watch: flag(true)(
    'Automatically watch projects on contribution',
    'Projects are added to your watched projects when you contribute to them.',
  ),
  contribute_personal_tm: flag(true)(
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
  location: text(100)('Location'),
  company: text(100)('Company'),
  public_email: required(address, '', 'Public email'),
  commit_email: required(address, '', 'Commit email'),
  commit_name: required(choices([0, 'Use global default'], [1, 'Public'], [2, 'Private']), 0, 'Commit name'),
  last_2fa: readOnly(Type.String({ [optionsOnly]: { type: 'choice' } }), '', 'Last 2fa'),
};

export const linkLists: readonly string[] = ['languages', 'secondary_languages', 'watched'];

const derive = <T>(read: (schema: TSchema) => T) =>
  Object.fromEntries(Object.entries(profile).map(([key, schema]) => [key, read(schema)]));

export const profileDefaults = derive((schema) => schema['default'] as unknown);

const writable = Type.Object(
  Object.fromEntries(Object.entries(profile).filter(([, schema]) => schema['readOnly'] !== true)),
);
// Any names are accepted, because few of Weblate's projects are known here.
const anyNames = nullable(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000 }));

export const ProfileFields = Type.Object({
  ...writable.properties,
  ...Object.fromEntries(linkLists.map((key) => [key, anyNames])),
});

/** The profile in answers. Seeds may give any values; the schema has the types of the usual values. */
export const Profile = Type.Object(
  { ...derive((schema) => schemaOf(schema['default'])), dashboard_component_list: nullable(Type.Integer()) },
  {
    $id: 'Profile',
    title: 'Profile',
    [optionsOnly]: { children: describeFields(Type.Object(profile), writable) },
  },
);

/** A stored profile has only the keys that were set, of which some may be unknown. */
export type StoredProfile = Readonly<Record<string, unknown>>;

export function wholeProfile(stored: StoredProfile, urls: UrlContext) {
  const linksOf = (collection: string, listed: readonly string[]) =>
    listed.map((name) => linkTo(urls, `${collection}/${encodePart(name)}`));
  return {
    ...profileDefaults,
    ...stored,
    languages: linksOf('languages', listIn(stored['languages']).toSorted()),
    secondary_languages: linksOf('languages', listIn(stored['secondary_languages']).toSorted()),
    // Sorted by the database.
    watched: linksOf('projects', listIn(stored['watched'])),
  };
}

/** The texts in a list, each once. Empty if the seed's value is no list. */
const listIn = (value: unknown) =>
  Array.isArray(value) ? [...new Set(value.filter((name) => typeof name === 'string'))] : [];

// Codes such as `ca@valencia` keep their @.
const encodePart = (name: string) => encodeURIComponent(name).replaceAll('%40', '@');
