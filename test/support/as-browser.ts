// A browser, as far as sessions need it: keeps cookies, and sends the headers that Chromium sends.
import { createSessions, type CookiePlace } from '../../src/access/sessions.ts';
import type { Answered, Service } from './service.ts';
import { type Element, parse } from './markup.ts';

export const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
/** The headers of a request for an address that a person entered. */
export const entered = {
  ...html,
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};
/** The headers of a request by a link or a form on a page of the service. */
export const followed = { ...entered, 'sec-fetch-site': 'same-origin' };
export const formType = { 'content-type': 'application/x-www-form-urlencoded' };

type Fields = Readonly<Record<string, string>>;
export type Browser = ReturnType<typeof openBrowser>;

/** @param base the beginning of all paths: `/sandboxes/x`, or nothing */
export function openBrowser(service: Pick<Service, 'request'>, base = '') {
  const cookies = new Map<string, string>();

  async function request(method: string, path: string, headers: Fields = {}, body?: string): Promise<Answered> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = { ...(cookie !== '' && { cookie }), ...headers };
    const answered = await service.request(method, base + path, { headers: all, ...(body !== undefined && { body }) });
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(answered.headers['set-cookie'] ?? '') ?? [];
    if (value !== '') cookies.set(name, value);
    else cookies.delete(name);
    return answered;
  }

  return {
    cookies,
    request,
    get: (path: string, headers: Fields = {}) => request('GET', path, { ...followed, ...headers }),
    /** Sends the form by which a person chooses the user of the session. */
    choose: (fields: Fields, headers: Fields = {}) =>
      request('POST', '/session/', { ...followed, ...formType, ...headers }, new URLSearchParams(fields).toString()),
    /** What the header of the home page says: `as alice`, `no user`, `token ended`. */
    async who(headers: Fields = followed): Promise<string | undefined> {
      return whoIn(await request('GET', '/', headers));
    },
  };
}

interface Opened extends Partial<Pick<CookiePlace, 'kind' | 'prefix'>> {
  readonly adminToken?: string;
  readonly tokenHash?: Buffer;
  /** How long ago the service set the cookie. */
  readonly secondsAgo?: number;
}

/** Returns `name=value` of a cookie as the service sets it. */
export async function cookieOf(service: Pick<Service, 'url' | 'database'>, opened: Opened): Promise<string> {
  const { kind = 'user', prefix = '', adminToken, tokenHash, secondsAgo = 0 } = opened;
  const sessions = createSessions(service.database, adminToken, () => Date.now() - secondsAgo * 1000);
  return (await sessions.open({ kind, prefix, origin: service.url }, tokenHash)).split(';')[0] ?? '';
}

const withClass = (elements: readonly Element[], name: string) =>
  elements.filter(({ attributes }) => attributes.get('class')?.split(' ').includes(name));
const plain = (text = '') => text.trim().replaceAll(/\s+/g, ' ');

export const whoIn = ({ text }: Answered): string | undefined => {
  const elements = parse(text);
  const summary = elements.find(
    ({ name, parent }) => name === 'summary' && parent?.attributes.get('class') === 'menu account',
  );
  return summary && plain(summary.text);
};

/** The users whom the page offers to choose from, in order. */
export const choicesIn = ({ text }: Answered): string[] =>
  withClass(parse(text), 'pick')
    .filter(({ name }) => name === 'button')
    .map(({ attributes }) => attributes.get('value') ?? '');

export const wrongIn = ({ text }: Answered): string[] =>
  withClass(parse(text), 'wrong').map((element) => plain(element.text));

/** The user of the last request in the journal. */
export async function lastPrincipal(service: Pick<Service, 'request'>, sandbox = 'default'): Promise<string | null> {
  const { json } = await service.request('GET', `/_understudy/sandboxes/${sandbox}/requests?limit=1`);
  return (json as { requests: { principal: string | null }[] }).requests[0]?.principal ?? null;
}
