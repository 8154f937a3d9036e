// A request of the journal that the page shows in its form, so that a person can correct it and send it.
import { isForm } from '../../../http/body/decode.ts';
import type { Exchange } from '../../../http/send.ts';
import { replaceQuery, parsePairs } from '../../../http/wire/query-string.ts';
import { bodyOf, contentTypeOf } from '../../../traffic/compare-body.ts';
import { numberOf, usernameOf, withoutTokens } from '../../../traffic/entry.ts';
import { jsonText } from '../../json.ts';
import type { Opened, PageOptions } from '../page-contents.ts';

/** The entry's id, in the query of a link. The API doesn't know it, so the page shows its request without it. */
const parameter = 'understudy_entry';

export function splitQuery(search: string): { readonly search: string; readonly id: string | undefined } {
  if (!search.includes(parameter)) return { search, id: undefined };
  const pairs = parsePairs(search);
  const id = pairs.find(([name]) => name === parameter)?.[1];
  return { search: replaceQuery(pairs, parameter, null), id };
}

/** Visitors may read what they sent themselves; the rest of the journal is for those whom the console admits. */
export function openEntry(id: string, { sandbox, visitor }: Exchange, { journal }: PageOptions): Opened {
  const number = numberOf(id);
  const kept = number === undefined ? undefined : journal.find(sandbox, number);
  if (kept === undefined)
    return { id, refusal: `The journal of this sandbox has no request ${id}. The forms begin as usual.` };
  const sender = usernameOf(kept);
  if ((sender === null || sender !== visitor?.username) && visitor?.isAdmitted !== true)
    return { id, refusal: `Only its sender may open the request ${id} here.`, ...(sender !== null && { sender }) };
  const { value, reason } = bodyOf(kept);
  if (reason !== undefined) return { id, refusal: `The request ${id} can’t be opened in a form. ${reason}` };
  // Exactly as it was sent, unless it was a form.
  const isText = !isForm({ contentType: contentTypeOf(kept) ?? '' });
  return { id, method: kept.method, body: isText ? withoutTokens(kept.requestBody ?? '') : jsonText(value) };
}
