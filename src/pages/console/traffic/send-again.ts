// Sends a request of the journal again, as the same user. The journal keeps whose token a request had and not the token,
// so the service acts with any token that the user has now.
import type { Handle as Database } from '../../../database/prepare.ts';
import type { SelfSent } from '../../../http/send-to-self.ts';
import { withQuery } from '../../../http/wire/query-string.ts';
import { idOf, type KeptEntry, requestHeaderNames, splitHeaders } from '../../../traffic/entry.ts';
import { strays } from '../../../traffic/journal/journal.ts';
import { findTokenOf } from '../../session/queries.ts';
import type { Handle } from '../console-page.ts';
import { baseOf, findEntry, journalUrl } from './journal-page.ts';
import { findLoss } from './journal-lines.ts';

/** The token's hash, null for a request that had none; or why the request can't be sent again. */
export type Plan = Pick<SelfSent, 'tokenHash'> | { readonly obstacle: string };

export async function planAgain(kept: KeptEntry, sandbox: string, reads: Database): Promise<Plan> {
  const { hasToken, caller, error, requestBody: body } = kept;
  const loss = findLoss(kept);
  const obstacles: readonly (readonly [boolean, string])[] = [
    // Its header or token may have named the sandbox, and the journal keeps neither.
    [sandbox === strays && !kept.path.startsWith('/sandboxes/'), 'it reached no sandbox'],
    [loss !== undefined, `its body isn’t whole: ${loss}`],
    [body?.includes('\ufffd') === true, 'its body is no text'],
    [withQuery(kept.path, kept.query).includes('wlu_…'), 'its address had a token, which the journal doesn’t keep'],
    [!hasToken && error?.includes('"authentication_failed"') === true, 'its header Authorization had no token'],
    [hasToken && caller === null, 'its token was nobody’s'],
  ];
  const found = obstacles.find(([isThere]) => isThere);
  if (found !== undefined) return { obstacle: found[1] };
  if (caller === null) return { tokenHash: null };
  const [id = '', username = ''] = caller.split(' ');
  const [token] = await findTokenOf(reads, { sandbox, id: Number(id), username });
  return token === undefined
    ? { obstacle: `${username} has no token any more, has another name now, or is gone` }
    : { tokenHash: token.hash };
}

/** Leads to the new entry. */
export const sendAgain: Handle = async (visit, services) => {
  const { origin, address, sandbox, entry } = visit;
  const kept = await findEntry(visit, services);
  const url = journalUrl('', sandbox);
  const plan = kept && (await planAgain(kept, sandbox, services.database.reads));
  // The entry's page says why.
  if (kept === undefined || plan === undefined || 'obstacle' in plan) return { redirect: `${url}${entry}/` };
  const { method, requestBody: body } = kept;
  const sent: SelfSent = { origin, address, tokenHash: plan.tokenHash };
  const headers = splitHeaders(requestHeaderNames, kept.requestHeaders);
  const path = baseOf('', sandbox) + withQuery(kept.path, kept.query);
  await services.sendToSelf({ method, path, headers, body }, sent);
  await services.journal.settled();
  const made = sent.entry;
  return { redirect: made ? `${journalUrl('', made.sandbox)}${idOf(made.number)}/?again=${entry}` : url };
};
