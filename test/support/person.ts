// A person's browser at the console, as far as the service notices: its cookie, its headers, and the forms that it sends.
import type { Answered, Service } from './service.ts';
import { type Element, parse } from './markup.ts';

export interface Shown extends Answered {
  readonly elements: readonly Element[];
}

export interface Person {
  /** `name=value`, as the service set it. */
  cookie: string | undefined;
  get(path: string, headers?: Record<string, string>): Promise<Shown>;
  /** Sends a form; follows a 307 with the same form. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Shown>;
  /** Sends the form of a file. */
  upload(path: string, fields: Record<string, string>, file: Buffer): Promise<Shown>;
}

export const browserHeaders = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const navigation = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

export function openConsole(service: Pick<Service, 'url' | 'request'>): Person {
  async function send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Buffer,
  ): Promise<Shown> {
    const answered = await service.request(method, `/_understudy/${path}`, {
      headers: { ...browserHeaders, ...(person.cookie !== undefined && { cookie: person.cookie }), ...headers },
      ...(body !== undefined && { body }),
    });
    const cookie = answered.headers['set-cookie']?.split(';')[0];
    if (cookie !== undefined) person.cookie = cookie.endsWith('=') ? undefined : cookie;
    if (answered.status === 307)
      return send(
        method,
        (answered.headers['location'] ?? '').replace(`${service.url}/_understudy/`, ''),
        headers,
        body,
      );
    const isPage = answered.headers['content-type']?.startsWith('text/html') === true && answered.text !== '';
    const elements = isPage ? parse(answered.text) : [];
    return { ...answered, elements };
  }

  const ofForm = (type: string) => ({ 'sec-fetch-site': 'same-origin', origin: service.url, 'content-type': type });
  const person: Person = {
    cookie: undefined,
    get: (path, headers = {}) => send('GET', path, { ...navigation, ...headers }),
    post: (path, fields = {}, headers = {}) => {
      const body = new URLSearchParams(fields).toString();
      return send('POST', path, { ...ofForm('application/x-www-form-urlencoded'), ...headers }, body);
    },
    upload: (path, fields, file) => {
      const parts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, Buffer.from(value)));
      const ofFile = part('name="seed_file"; filename="seed.yaml"\r\nContent-Type: application/yaml', file);
      const body = Buffer.concat([...parts, ofFile, Buffer.from('--x--\r\n')]);
      return send('POST', path, ofForm('multipart/form-data; boundary=x'), body);
    },
  };
  return person;
}

const part = (disposition: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);

/** The text of the elements with this id or class, such as `#name-error` or `.done`. */
export const textsOf = ({ elements }: Pick<Shown, 'elements'>, selector: string): string[] =>
  elements
    .filter(({ attributes }) =>
      selector.startsWith('#')
        ? attributes.get('id') === selector.slice(1)
        : attributes.get('class')?.split(' ').includes(selector.slice(1)),
    )
    .map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
