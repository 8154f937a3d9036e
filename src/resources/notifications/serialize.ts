// Rows to the wire: entries of specification 2.1 as JSON text with the keys in their order. Written by
// hand, because a list is most of what this service answers and JSON.stringify costs it a tenth of its speed.
import type { UrlContext } from '../../api/call.ts';

/** What an entry is written from. */
export interface SubscriptionRow {
  readonly id: number;
  /** Letters alone (a check of the table), so that it needs no escape. */
  readonly notification: string;
  readonly scope: number;
  readonly frequency: number;
  /** `<project>`, `<project>/<component>` or null; slugs need no escape either. */
  readonly target_path: string | null;
}

/** One entry: notification, id, scope, frequency, project, component; all six always. */
export function serializeEntry(row: SubscriptionRow, urls: UrlContext): string {
  return entry(row.notification, row.id, row.scope, row.frequency, row.target_path, urls);
}

function entry(
  notification: string,
  id: number | string,
  scope: number | string,
  frequency: number | string,
  path: string | null | undefined,
  { baseUrl, urlQuery }: UrlContext,
): string {
  let project = 'null';
  let component = 'null';
  if (path !== null && path !== undefined) {
    if (path.includes('/')) component = `"${baseUrl}/api/components/${path}/${urlQuery}"`;
    else project = `"${baseUrl}/api/projects/${path}/${urlQuery}"`;
  }
  return `{"notification":"${notification}","id":${id},"scope":${scope},"frequency":${frequency},"project":${project},"component":${component}}`;
}

/**
 * The entries of one page, with commas between.
 * @param lines as the list statement packs them: one a line, `id, notification, scope, frequency` and, where there is one, the
 *   target's path, with tabs between; null for none
 */
export function serializeEntries(lines: string | null, urls: UrlContext): string {
  if (lines === null) return '';
  return lines
    .split('\n')
    .map((line) => entryOfLine(line, urls))
    .join(',');
}

function entryOfLine(line: string, urls: UrlContext): string {
  const [id, notification, scope, frequency, path] = line.split('\t');
  return entry(notification as string, id as string, scope as string, frequency as string, path, urls);
}
