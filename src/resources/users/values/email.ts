// Which e-mail addresses Weblate accepts (transcript users__emails).
import { isIP } from 'node:net';

// What mail servers take for an attack is refused too: some marks, and a slash, a dot or a bar at the start.
const atom = "[-$'*+=^_{}~0-9A-Za-z/|]+";
const mailbox = new RegExp(`^(?![/|])${atom}(?:\\.${atom})*$`);
// In quotes nearly every character may stand, after a backslash also a space, a quote and a backslash.
const quotable = "\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f$'->A-Z\\[\\]^_a-z{|}~\\x7f";
const quotedMailbox = new RegExp(`^"(?!.*/\\.\\./)(?:[${quotable}]|\\\\[${quotable}\\t "\\\\])*"$`);

const letter = 'a-zA-Z\u00a1-\uffff';
const label = `(?!-)[${letter}0-9-]{1,63}(?<!-)`;
const host = new RegExp(`^(?:${label}\\.)+(?!-)(?:[${letter}-]{2,63}|[xX][nN]--[a-zA-Z0-9]{1,59})(?<!-)$`, 'u');
const literal = /^\[([A-Fa-f0-9:.]+)\]$/;

// Letters that Python takes for s, i and k where case doesn't count: they pass here, but not the next check.
const likeAscii = /[\u017f\u0131\u0130\u212a]/g;

/** Whether letters that only look like ASCII are all that is wrong before the last @. */
export const hasLikeAscii = (text: string): boolean =>
  text.slice(0, text.lastIndexOf('@')).search(likeAscii) !== -1 && isAddress(text);

export function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at === -1 || text.length > 320) return false;
  const [user, domain] = [text.slice(0, at).replaceAll(likeAscii, 'a'), text.slice(at + 1)];
  if (!mailbox.test(user) && !quotedMailbox.test(user)) return false;
  return domain === 'localhost' || host.test(domain) || isIP(literal.exec(domain)?.[1] ?? '') !== 0;
}

// Weblate has a list of thousands; these are known best.
const disposable = new Set(
  `mailinator.com guerrillamail.com guerrillamail.net guerrillamail.org 10minutemail.com yopmail.com trashmail.com
  temp-mail.org sharklasers.com dispostable.com maildrop.cc getnada.com throwawaymail.com fakeinbox.com mailnesia.com
  mytemp.email tempail.com discard.email mohmal.com`.split(/\s+/),
);

export const isDisposable = (text: string): boolean =>
  disposable.has(text.slice(text.lastIndexOf('@') + 1).toLowerCase());
