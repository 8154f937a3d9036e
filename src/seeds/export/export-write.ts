// The two forms of an exported seed: YAML as people write it, or JSON.

export const tokensNote = 'Tokens are stored as hashes and can not be exported.';

const yaml = {
  begin: `# Exported by Understudy. ${tokensNote}\n`,
  key: (key: string) => `\n${key}:`,
  /** The value of a key that is no list. */
  text: (text: string) => ` ${flow(text)}\n`,
  /** The text before the first entry, before each further one, after the last one, and for an empty list. */
  // A seed that leaves its groups out gets those of the real system, so an empty list is written too.
  list: { first: '\n  - ', next: '\n  - ', close: '\n', empty: ' []\n' },
  entry: (entry: object) => flow(entry),
  /** The start of a user; `subscriptions` encloses its subscriptions. */
  user: (user: object) => pairs(user).join('\n    '),
  subscriptions: { first: '\n    subscriptions:\n      - ', next: '\n      - ', close: '', empty: '' },
  /** The value of the last key, and the end of the text. */
  last: (value: object) => ` ${flow(value)}\n`,
};
export type Layout = typeof yaml;

const json: Layout = {
  begin: '{\n',
  key: (key) => `  ${JSON.stringify(key)}: `,
  text: (text) => `${JSON.stringify(text)},\n`,
  list: { first: '[\n    ', next: ',\n    ', close: '\n  ],\n', empty: '[],\n' },
  entry: (entry) => JSON.stringify(entry),
  user: (user) => JSON.stringify(user).slice(0, -1),
  subscriptions: { first: ',"subscriptions":[', next: ',', close: ']}', empty: '}' },
  last: (value) => `${JSON.stringify(value)}\n}\n`,
};

export const layouts = { yaml, json };

/** A list that is written at once. */
export const listText = ({ first, next, close, empty }: Layout['list'], entries: readonly string[]): string =>
  entries.length === 0 ? empty : first + entries.join(next) + close;

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = pairs(value);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return isPlain(value) ? value : JSON.stringify(value).replace(unprintable, escape);
}

// What YAML forbids and JSON doesn't escape, and what changes the direction or hides in an editor.
const unprintable = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g;
const escape = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const pairs = (value: object) => Object.entries(value).map(([key, item]) => `${flow(key)}: ${flow(item)}`);

// Quotes everything that isn't plain, and words that some version of YAML reads as something other than text.
const isPlain = (text: string): boolean =>
  /^[A-Za-z_](?:[A-Za-z0-9_./@ -]*[A-Za-z0-9_])?$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
