// The two forms of an exported seed: YAML as people write it, or JSON.

export const tokensNote = 'Tokens are stored as hashes and can not be exported.';

/** What stands before a list's first entry, before each further one, after the last, and for an empty list. */
export interface ListMarks {
  readonly first: string;
  readonly next: string;
  readonly close: string;
  readonly empty: string;
}

export interface Layout {
  readonly begin: string;
  readonly key: (key: string) => string;
  /** The value of a key that is no list. */
  readonly text: (text: string) => string;
  readonly list: ListMarks;
  readonly entry: (entry: object) => string;
  /** A user up to its subscriptions, which `subscriptions` encloses. */
  readonly user: (user: object) => string;
  readonly subscriptions: ListMarks;
  /** The value of the last key, and the end of the text. */
  readonly last: (value: object) => string;
}

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

const yaml: Layout = {
  begin: `# Exported by Understudy. ${tokensNote}\n`,
  key: (key) => `\n${key}:`,
  text: (text) => ` ${flow(text)}\n`,
  // A seed that leaves its groups out gets those of the real system, so an empty list is written too.
  list: { first: '\n  - ', next: '\n  - ', close: '\n', empty: ' []\n' },
  entry: flow,
  user: (user) => pairs(user).join('\n    '),
  subscriptions: { first: '\n    subscriptions:\n      - ', next: '\n      - ', close: '', empty: '' },
  last: (value) => ` ${flow(value)}\n`,
};

export const layouts = { yaml, json };

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = pairs(value);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return isPlain(value) ? value : JSON.stringify(value).replace(unprintable, escape);
}

// What YAML forbids and JSON doesn't escape, such as C1 controls, and what changes the direction or hides in an editor.
const unprintable = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g;
const escape = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const pairs = (value: object) => Object.entries(value).map(([key, item]) => `${flow(key)}: ${flow(item)}`);

// Quotes everything that isn't plain, and words that some version of YAML reads as something other than text.
const isPlain = (text: string): boolean =>
  /^[A-Za-z_](?:[A-Za-z0-9_./@ -]*[A-Za-z0-9_])?$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
