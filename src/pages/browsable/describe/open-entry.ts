// A request of the journal that the page shows in its form, so that a person can correct it and send it.
import { isForm } from '../../../http/body/decode.ts';
import type { Exchange } from '../../../http/send.ts';
import { parseQuery, replaceQuery } from '../../../http/wire/query-string.ts';
import { bodyOf, contentTypeOf } from '../../../traffic/compare-body.ts';
import type { Journal } from '../../../traffic/journal/journal.ts';
import { numberOf, usernameOf, withoutTokens } from '../../../traffic/entry.ts';
import { jsonText } from '../../json.ts';

/** The entry's id, in the query of a link. The API doesn't know it, so the page shows its request without it. */
const parameter = 'understudy_entry';

/** A request for a form, or why there is none. If only its sender may open it, who that is. */
type Opened = Partial<Record<'method' | 'body' | 'refusal', string>> & { readonly sender?: string | null };

/** The query without the entry, and the entry if the query names one. */
export function openEntry(exchange: Exchange, journal: Pick<Journal, 'find'>) {
  const { search } = exchange;
  if (!search.includes(parameter)) return { search, opened: undefined };
  const id = parseQuery(search)[parameter];
  const opened = id === undefined ? undefined : { id, ...findEntry(id, exchange, journal) };
  return { search: replaceQuery(search, parameter, null), opened };
}

/** Visitors may read what they sent themselves; the rest of the journal is for those whom the console admits. */
function findEntry(id: string, { sandbox, visitor }: Exchange, journal: Pick<Journal, 'find'>): Opened {
  const number = numberOf(id);
  const kept = number === undefined ? undefined : journal.find(sandbox, number);
  if (kept === undefined)
    return { refusal: `The journal of this sandbox has no request ${id}. The forms begin as usual.` };
  const sender = usernameOf(kept);
  if ((sender === null || sender !== visitor?.username) && visitor?.isAdmitted !== true)
    return { refusal: `Only its sender may open the request ${id} here.`, sender };
  const { value, reason } = bodyOf(kept);
  if (reason !== undefined) return { refusal: `The request ${id} can’t be opened in a form. ${reason}` };
  // Exactly as it was sent, unless it was a form.
  const isText = !isForm({ contentType: contentTypeOf(kept) ?? '' });
  return { method: kept.method, body: isText ? withoutTokens(kept.requestBody ?? '') : jsonText(value) };
}
