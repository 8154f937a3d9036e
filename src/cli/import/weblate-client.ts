// Reads JSON from one server, one request at a time, until one fails. No request goes to a URL that the server gave:
// it could lead the token elsewhere.
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { attempt } from '../../base/attempt.ts';
import { reasonOf, UserError } from '../../base/errors.ts';

export type ApiClient = ReturnType<typeof makeClient>;

const responseMs = 60_000;
// Of one response, decompressed. A page of 200 users has some 500 KB.
const maxBytes = 32 * 1024 * 1024;
const pageSize = 200;
const maxPages = 2000;

/** @param baseUrl may carry a path */
export function makeClient(baseUrl: string, token: string | undefined, signal: AbortSignal) {
  const headers = { accept: 'application/json', ...(token === undefined ? {} : { authorization: `Token ${token}` }) };

  /** Returns the JSON at this path below /api/, which has to fit the schema. */
  async function get<T extends TSchema>(path: string, schema: T): Promise<Static<T>> {
    const url = `${baseUrl}/api/${path}`;
    const { response, text } = await send(url);
    if (response.status !== 200)
      throw new UserError(`${url} answered ${response.status}: ${explain(response, path === '')}`);
    const body = attempt((): unknown => JSON.parse(text));
    const fault = Value.Errors(schema, body).First();
    if (fault === undefined) return body;
    const { path: where, message } = fault;
    throw new UserError(`${url} doesn't answer as Weblate does: ${where || 'the body'}: ${message.toLowerCase()}`);
  }

  async function send(url: string) {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(responseMs)]);
      const response = await fetch(url, { headers, redirect: 'manual', signal: limit });
      return { response, text: await readText(url, response) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UserError) throw error;
      // fetch says "fetch failed", and why in its cause.
      const { cause = error } = error as Error;
      throw new UserError(`no answer from ${url}: ${reasonOf(cause)}`);
    }
  }

  function explain({ status, headers: fields }: Response, isRoot: boolean): string {
    if (status >= 300 && status < 400)
      return `it leads on to ${fields.get('location')}; give that server's URL instead`;
    if ((status === 401 || status === 403) && token === undefined) return 'it wants a token: --token-env';
    if (status === 401) return 'the token is not valid there';
    if (status === 403) return 'this token may not read it';
    if (status === 404 && isRoot) return 'no API is there; --from is the URL of the server, without /api/';
    if (status === 404) return 'it does not exist, or is not visible with this token';
    if (status === 429) return `the rate limit is used up, for ${fields.get('retry-after') ?? 'some'} seconds`;
    return 'expected 200';
  }

  /** Returns all entries of a list. Its pages are counted: no link of the server is followed. */
  async function list<T extends TSchema>(path: string, entry: T): Promise<Static<T>[]> {
    const schema = Type.Object({ next: Type.Union([Type.String(), Type.Null()]), results: Type.Array(entry) });
    const pages: Static<T>[][] = [];
    while (pages.length < maxPages) {
      const { next, results } = await get(`${path}?page_size=${pageSize}&page=${pages.length + 1}`, schema);
      pages.push(results);
      if (next === null) return pages.flat();
    }
    throw new UserError(`${baseUrl}/api/${path} has more than ${maxPages} pages`);
  }

  return { get, list };
}

async function readText(url: string, { body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new UserError(`${url} answered more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
