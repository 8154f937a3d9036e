// In transcripts, `{base_url}` replaces the service's base URL, and `{token:alice}` replaces alice's token.

/** Tokens by the name that a step's `as` gives. */
export type Tokens = ReadonlyMap<string, string>;

export function fillBaseUrl(text: string, baseUrl: string): string {
  return text.replaceAll('{base_url}', () => baseUrl);
}

/** Doesn't take a longer URL's beginning for the base URL: `http://host:80001` isn't `http://host:8000`. */
export function makeLeaveOutBaseUrl(baseUrl: string): (text: string) => string {
  const found = new RegExp(`${RegExp.escape(baseUrl)}(?![\\w:-]|\\.\\w)`, 'gu');
  return (text) => text.replaceAll(found, '{base_url}');
}

/** Tokens by username and by plain name: jurgen for `jürgen`, janedoeciexample for `jane.doe+ci@example`. */
export function listTokens(users: readonly { username: string; token?: string | null }[]): Tokens {
  const tokens = new Map(users.flatMap(({ username, token }) => (token ? [[username, token] as const] : [])));
  for (const [username, token] of tokens) {
    const plain = username
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z0-9]/gu, '')
      .toLowerCase();
    if (!tokens.has(plain)) tokens.set(plain, token);
  }
  return tokens;
}

export function getToken(tokens: Tokens, name: string): string {
  const token = tokens.get(name);
  if (token === undefined) throw new Error(`no token for ${JSON.stringify(name)}`);
  return token;
}

const placeholder = /\{token:([^{}]+)\}/gu;

export function listTokenNames(text: string): string[] {
  return [...text.matchAll(placeholder)].map((match) => match[1] ?? '');
}

export function fillTokens(text: string, tokens: Tokens): string {
  return text.replaceAll(placeholder, (_all, name: string) => getToken(tokens, name));
}

/** Weblate's tokens are recognised by their form too, so that unknown tokens are not written down either. */
const tokenForm = String.raw`\bwl[up]_[A-Za-z0-9]{20,}`;

export function makeRedact(tokens: Tokens): (text: string) => string {
  const names = new Map<string, string>();
  for (const [name, token] of tokens) if (!names.has(token)) names.set(token, name);
  // The longest first and all in one pass: one token may be the beginning of another, or inside it.
  const known = [...names.keys()].toSorted((a, b) => b.length - a.length).map((token) => RegExp.escape(token));
  const anyToken = new RegExp([tokenForm, ...known].join('|'), 'gu');
  return (text) => text.replaceAll(anyToken, (token) => (names.has(token) ? `{token:${names.get(token)}}` : '{token}'));
}
