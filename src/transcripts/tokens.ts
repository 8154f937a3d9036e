// Names for tokens. A transcript says who asks, never with which token; what is printed or written says `{token:alice}`.

import { escapePattern } from './placeholder.ts';

/** Token by the name that a step's `as` gives. */
export type Tokens = ReadonlyMap<string, string>;

/** Tokens of the real system are recognised by their form, so that one which no seed names is not written down either. */
const tokenForm = String.raw`\bwl[up]_[A-Za-z0-9]{20,}`;
const placeholder = /\{token:([^{}]+)\}/gu;

/** Lists users' tokens under their usernames, and under the plain name: `jürgen` is jurgen, `jane.doe+ci@example` janedoeciexample. */
export function listTokens(users: readonly { username: string; token?: string | null }[]): Tokens {
  const tokens = new Map<string, string>();
  const withToken = users.flatMap(({ username, token }) => (token ? [{ username, token }] : []));
  for (const { username, token } of withToken) tokens.set(username, token);
  for (const { username, token } of withToken) {
    const plain = username
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z0-9]/gu, '')
      .toLowerCase();
    if (!tokens.has(plain)) tokens.set(plain, token);
  }
  return tokens;
}

/** Throws when nobody of that name has a token. */
export function getToken(tokens: Tokens, name: string): string {
  const token = tokens.get(name);
  if (token === undefined) throw new Error(`no token for ${JSON.stringify(name)}`);
  return token;
}

export function listTokenNames(text: string): string[] {
  return [...text.matchAll(placeholder)].map((match) => match[1] ?? '');
}

/** Puts tokens where `{token:NAME}` stands. */
export function fillTokens(text: string, tokens: Tokens): string {
  return text.replaceAll(placeholder, (_all, name: string) => getToken(tokens, name));
}

/** Makes the function that writes `{token:NAME}` where a token stands in a text. */
export function makeRedact(tokens: Tokens): (text: string) => string {
  const names = new Map<string, string>();
  for (const [name, token] of tokens) if (!names.has(token)) names.set(token, name);
  // The longest first: one token may be the beginning of another. And all in one pass, for one may stand inside another.
  const known = [...names.keys()].toSorted((a, b) => b.length - a.length).map(escapePattern);
  const anyToken = new RegExp([tokenForm, ...known].join('|'), 'gu');
  return (text) => text.replaceAll(anyToken, (token) => (names.has(token) ? `{token:${names.get(token)}}` : '{token}'));
}
