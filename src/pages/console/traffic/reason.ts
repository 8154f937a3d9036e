// Why a request got its answer, in words: the one place where the journal's pages say so. All of it is read from the entry
// when a page shows it, so that requests pay nothing for it.
import { catalogue } from '../../../base/errors.ts';
import { didYouMean } from '../../../base/nearest.ts';
import type { PathTable } from '../../../http/path-table.ts';
import type { KeptEntry } from '../../../traffic/entry.ts';
import { shownEntry } from '../../../traffic/journal/journal-entries.ts';

/** What people misspell: the paths that are served, and, for requests that reached none, the names of sandboxes. */
export interface Known {
  readonly paths: PathTable;
  readonly sandboxes: readonly string[];
}

/** A longer path is compared with no other. */
const maxComparedLength = 300;

/** Undefined for a request that needs no explanation. */
export function explain(kept: KeptEntry, { paths, sandboxes }: Known): string | undefined {
  const { fault, unmatched, status, hint, method, not_mirrored: notMirrored } = kept;
  if (fault !== null) return `The fault rule ${fault} was injected.`;
  if (status < 400) return hint ?? undefined;
  if (unmatched) return explainPath(kept, paths);
  if (notMirrored !== null) return `Weblate may take this; Understudy doesn’t mirror ${notMirrored}.`;
  const { error, principal, response_headers: headers } = shownEntry(kept);
  const { allow, 'retry-after': seconds, 'x-ratelimit-limit': limit } = headers;
  if (status === 405 && allow !== undefined) return `The path takes ${allow}, and not ${method}.`;
  if (status === 429 && limit !== undefined)
    return `The rate limit of ${limit} requests was reached: wait ${seconds} s.`;
  if (error === null) return undefined;
  const { attr, detail } = error;
  const [, missing] = /^No sandbox is named "(.*)"\.$/s.exec(detail) ?? [];
  if (missing !== undefined) return `No sandbox is named ${missing}${didYouMean(missing, sandboxes, '.')}`;
  const who = principal ?? 'a request without a token';
  switch (detail) {
    case catalogue.not_authenticated.detail:
      return 'The request has no token.';
    case catalogue.invalid_token.detail:
      return hint ?? 'No user of this sandbox has the token: it was made elsewhere, or is no longer valid.';
    case catalogue.permission_denied.detail:
      return `Refused to ${who}: it takes a superuser, or a group with the permission user.edit.`;
    case catalogue.not_found.detail:
      return `There is no such user or entry, or none that ${who} may see.`;
    default:
      return attr === null ? detail : `${attr}: ${detail}`;
  }
}

function explainPath({ path, not_mirrored: resource }: KeptEntry, paths: PathTable): string {
  if (paths.find(`${path}/`) !== undefined) return `The path lacks its final slash: ${path}/`;
  if (resource !== null) return `Weblate serves ${resource}; Understudy doesn’t mirror that.`;
  const none = 'Nothing is served at this path';
  if (path.length > maxComparedLength) return `${none}.`;
  // That of a request that reached no sandbox is whole. Clients forget /api/ too.
  const [, base = '', rest = ''] = /^(\/sandboxes\/[^/]+)?(.*)$/s.exec(path) ?? [];
  const near = paths.findNearest(rest) ?? paths.findNearest(`/api${rest}`);
  return near === undefined ? `${none}.` : `${none}; did you mean ${base}${near}?`;
}
