// A request, sent or expected, as one line for the journal, pages and failed assertions.

type Request = Partial<
  Record<'path', string | undefined> &
    Record<'method', string | readonly string[] | undefined> &
    Record<'status', number | string | undefined> &
    Record<'user' | 'fault', string | null | undefined> &
    Record<'query' | 'headers' | 'body' | 'unmatched', unknown>
>;

const longestValue = 160;

/** `POST /api/users/** as alice {"scope":10} → 201` */
export function requestLine({ method, path, user, query, headers, body, unmatched, status, fault }: Request) {
  const words = [
    method && [method].flat().join('|').toUpperCase(),
    path ?? (method === undefined ? 'any request' : 'any path'),
    user === null ? 'without a token' : user && `as ${user}`,
    query !== undefined && `with query ${shownValue(query)}`,
    headers !== undefined && `with headers ${shownValue(headers)}`,
    body !== undefined && shownValue(body),
    unmatched !== undefined && `to a path that ${unmatched ? "isn't" : 'is'} served`,
    status !== undefined && `→ ${status === 0 ? 'closed' : status}`,
    fault && `struck by fault ${fault}`,
  ];
  return words.filter(Boolean).join(' ');
}

export const shownValue = (value: unknown) => shorten(JSON.stringify(value), longestValue);

export const shorten = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);
