// Bodies of requests: what they hold, and what of it differs from an expected part.
import { isObject, type JsonObject } from '../base/json-object.ts';
import { decodeFields, isForm } from '../http/body/decode.ts';
import { maxBodyLength, type Received, withTokensRemoved } from './entry.ts';
import type { Difference } from './request-match.ts';

/**
 * The value of a body: a form as an object of texts, anything else as JSON, or as its text if it isn't JSON.
 * Undefined for no body, and with a reason for one that can't be compared.
 */
export function bodyOf(kept: Received): { readonly value: unknown; readonly reason?: string } {
  const { requestBody } = kept;
  const value = undefined;
  if (isBodyLost(kept)) return { value, reason: 'The journal has dropped the body.' };
  if (requestBody === null) return { value };
  if (requestBody.length > maxBodyLength)
    return { value, reason: `Only the first ${maxBodyLength} characters of the body are kept.` };
  // Removed from the values, where no escape hides them.
  return { value: withTokensRemoved(decode(requestBody, kept.request_headers['content-type'] ?? '')) };
}

export const isBodyLost = (kept: Received): boolean => kept.hadBody === true && kept.areBodiesDropped === true;

function decode(text: string, contentType: string): unknown {
  try {
    if (!isForm({ contentType })) return JSON.parse(text);
    return decodeFields({ body: Buffer.from(text), contentType });
  } catch {
    return text;
  }
}

/**
 * Compares as far as is expected: an object by its keys, a list by its length and its entries, anything else
 * exactly. Yields the values that differ. Its depth is bounded by that of what is expected.
 */
export function* compareBody(expected: unknown, received: unknown, at: string): Generator<Difference> {
  const areLists = Array.isArray(expected) && Array.isArray(received) && expected.length === received.length;
  if (areLists || (isObject(expected) && isObject(received))) {
    const [wanted, members] = [expected, received] as [JsonObject, JsonObject];
    for (const [key, value] of Object.entries(wanted)) {
      const member = Object.hasOwn(members, key) ? members[key] : undefined;
      if (value !== member) yield* compareBody(value, member, areLists ? `${at}[${key}]` : `${at}.${key}`);
    }
  } else yield* compare(at, expected, received);
}

export const compare = (
  field: string,
  expected: unknown,
  received: unknown,
  fits = expected === received,
): readonly Difference[] => (fits ? [] : [{ field, expected, ...(received !== undefined && { received }) }]);
