// Programs that answer differently can't be compared: before measuring, one request goes to each, and the answers must be equal.
import { isDeepStrictEqual } from 'node:util';
import type { LoadRequest } from './load.ts';

/**
 * Sends one request to all programs. Returns the body of their common answer, in which `{base_url}` stands
 * for the program's URL.
 * @throws Error if two answers differ, or if a status isn't the expected one
 */
export async function assertSameAnswer(
  urls: readonly string[],
  request: LoadRequest,
  status: number,
): Promise<unknown> {
  const heard = await Promise.all(urls.map((url) => ask(url, request)));
  for (const [i, one] of heard.entries()) {
    const what = `${request.method} ${urls[i]}${request.path}: ${one.status} ${JSON.stringify(one.body)}`;
    if (one.status !== status) throw new Error(`${what}; expected ${status}`);
    if (!isDeepStrictEqual(one, heard[0])) throw new Error(`${what}; another program says ${JSON.stringify(heard[0])}`);
  }
  return heard[0]?.body;
}

export async function ask(url: string, { method, path, headers, body }: LoadRequest) {
  const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = (await response.text()).replaceAll(url, '{base_url}');
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as unknown };
}
