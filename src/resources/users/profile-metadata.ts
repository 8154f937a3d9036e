// The fields of a profile as OPTIONS describes them, in the words of the wire (transcript users__methods).
import { choices, optional, readOnly, required } from '../../api/options.ts';

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

export const profileMetadata = {
  language: { ...required('choice', 'Interface Language'), choices: languages },
  languages: readOnly('field', 'Languages'),
  secondary_languages: readOnly('field', 'Secondary languages'),
  suggested: readOnly('integer', 'Suggested'),
  translated: readOnly('integer', 'Translated'),
  uploaded: readOnly('integer', 'Uploaded'),
  commented: readOnly('integer', 'Commented'),
  theme: {
    ...optional('choice', 'Theme'),
    choices: choices(['auto', 'Sync with system'], ['light', 'Light'], ['dark', 'Dark']),
  },
  hide_completed: optional('boolean', 'Hide completed translations on the dashboard'),
  secondary_in_zen: optional('boolean', 'Show secondary translations in the Zen mode'),
  hide_source_secondary: optional('boolean', 'Hide source if a secondary translation exists'),
  wide_tables: {
    ...optional('boolean', 'Show all columns in lists using horizontal scrolling'),
    help_text: 'Instead of hiding columns on narrow screens, keep all columns and scroll the table horizontally.',
  },
  listing_columns: {
    ...optional('list', 'Visible columns in lists'),
    help_text: 'Choose which statistics columns are shown in project, component, and language lists.',
    max_length: 8,
    child: {
      type: 'choice',
      required: true,
      read_only: false,
      choices: choices(
        ['total', 'Total strings'],
        ['untranslated', 'Unfinished strings'],
        ['untranslated_words', 'Unfinished words'],
        ['untranslated_chars', 'Unfinished characters'],
        ['nottranslated', 'Untranslated strings'],
        ['checks', 'Checks'],
        ['suggestions', 'Suggestions'],
        ['comments', 'Comments'],
      ),
    },
  },
  editor_link: {
    ...optional('string', 'Editor link'),
    help_text:
      'Enter a custom URL to be used as link to the source code. You can use {{branch}} for branch, {{filename}} and {{line}} as filename and line placeholders.',
    max_length: 200,
  },
  translate_mode: {
    ...optional('choice', 'Translation editor mode'),
    choices: choices([0, 'Full editor'], [1, 'Zen mode']),
  },
  zen_mode: { ...optional('choice', 'Zen editor mode'), choices: choices([0, 'Top to bottom'], [1, 'Side by side']) },
  special_chars: {
    ...optional('string', 'Special characters'),
    help_text:
      'You can specify additional special visual keyboard characters to be shown while translating. It can be useful for characters you use frequently, but are hard to type on your keyboard.',
    max_length: 30,
  },
  nearby_strings: {
    ...optional('integer', 'Number of nearby strings'),
    help_text: 'Number of nearby strings to show in each direction in the full editor.',
    min_value: 1,
    max_value: 50,
  },
  auto_watch: {
    ...optional('boolean', 'Automatically watch projects on contribution'),
    help_text: 'Projects are added to your watched projects when you contribute to them.',
  },
  contribute_personal_tm: {
    ...optional('boolean', 'Contribute to personal translation memory'),
    help_text: 'Allow your translations to be added to your personal translation memory.',
  },
  dashboard_view: {
    ...optional('choice', 'Default dashboard view'),
    choices: choices(
      [1, 'Watched translations'],
      [6, 'All component lists'],
      [4, 'Component list'],
      [5, 'Suggested translations'],
      [7, 'Managed projects'],
    ),
  },
  dashboard_component_list: readOnly('field', 'Dashboard component list'),
  watched: readOnly('field', 'Watched'),
  website: { ...optional('url', 'Website URL'), max_length: 200 },
  contact: {
    ...optional('url', 'Contact URL'),
    help_text: 'Link to contact you online using services like Signal, SimpleX or Telegram.',
    max_length: 200,
  },
  liberapay: {
    ...optional('slug', 'Liberapay username'),
    help_text: 'Liberapay is a platform to donate money to teams, organizations and individuals.',
    max_length: 50,
  },
  fediverse: {
    ...optional('url', 'Fediverse URL'),
    help_text: 'Link to your Fediverse profile for federated services like Mastodon or diaspora*.',
    max_length: 200,
  },
  codesite: {
    ...optional('url', 'Code site URL'),
    help_text: 'Link to your code profile for services like Codeberg or GitLab.',
    max_length: 200,
  },
  github: { ...optional('slug', 'GitHub username'), max_length: 50 },
  twitter: { ...optional('slug', 'X username'), max_length: 50 },
  linkedin: {
    ...optional('slug', 'LinkedIn profile name'),
    help_text: 'Your LinkedIn profile name from linkedin.com/in/profilename',
    max_length: 50,
  },
  location: { ...optional('string', 'Location'), max_length: 100 },
  company: { ...optional('string', 'Company'), max_length: 100 },
  public_email: { ...required('choice', 'Public email'), choices: choices() },
  commit_email: { ...required('choice', 'Commit email'), choices: choices() },
  commit_name: {
    ...required('choice', 'Commit name'),
    choices: choices([0, 'Use global default'], [1, 'Public'], [2, 'Private']),
  },
  last_2fa: readOnly('choice', 'Last 2fa'),
};
