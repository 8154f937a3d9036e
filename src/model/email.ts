// Which e-mail addresses Weblate accepts (transcript users__emails).
import { isIP } from 'node:net';

// Forms that mail servers take for an attack are refused too: some marks, and a slash, a dot or a bar at the start.
const atom = "[-$'*+=^_{}~0-9A-Za-z/|]+";
const mailbox = new RegExp(`^(?![/|])${atom}(?:\\.${atom})*$`);
// Quotes may hold nearly every character; a space, a quote and a backslash only after a backslash.
const quotable = "\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f$'->A-Z\\[\\]^_a-z{|}~\\x7f";
const quotedMailbox = new RegExp(`^"(?!.*/\\.\\./)(?:[${quotable}]|\\\\[${quotable}\\t "\\\\])*"$`);

const letter = 'a-zA-Z\u00a1-\uffff';
const label = `(?!-)[${letter}0-9-]{1,63}(?<!-)`;
const host = new RegExp(`^(?:${label}\\.)+(?!-)(?:[${letter}-]{2,63}|[xX][nN]--[a-zA-Z0-9]{1,59})(?<!-)$`, 'u');
const literal = /^\[([A-Fa-f0-9:.]+)\]$/;

export function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at === -1 || text.length > 320) return false;
  const [user, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (!mailbox.test(user) && !quotedMailbox.test(user)) return false;
  return domain === 'localhost' || host.test(domain) || isIP(literal.exec(domain)?.[1] ?? '') !== 0;
}
