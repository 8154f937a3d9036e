// A subscription on the wire: the shapes that clients read and write, and the function that writes it.
import { type Static, Type } from '@sinclair/typebox';
import type { UrlContext } from '../../http/call.ts';
import { link, nullable } from '../../http/operation.ts';
import { frequencies, notificationTitles, scopes } from '../../model/notifications.ts';

const notificationName = Type.Union(
  Object.entries(notificationTitles).map(([name, title]) => Type.Literal(name, { title })),
  { title: 'Notification' },
);

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const choice = (title: string, codes: Readonly<Record<string, number>>) =>
  Type.Union(
    Object.entries(codes).map(([name, code]) => Type.Literal(code, { title: capitalised(name) })),
    {
      title,
      description: Object.entries(codes)
        .map(([name, code]) => `${code} ${name}`)
        .join(', '),
    },
  );

/** What a client may write. */
export const SubscriptionFields = Type.Object({
  notification: notificationName,
  scope: choice('Scope', scopes),
  frequency: choice('Frequency', frequencies),
});
export type SubscriptionFields = Static<typeof SubscriptionFields>;

const target = (title: string) =>
  nullable({ ...link(title), description: `The ${title.toLowerCase()} that the subscription is limited to.` });

/** An entry of the list (specification 2.1): all six keys, in this order. */
export const Subscription = Type.Object(
  {
    notification: notificationName,
    id: Type.Integer({ minimum: 1, title: 'ID' }),
    scope: SubscriptionFields.properties.scope,
    frequency: SubscriptionFields.properties.frequency,
    project: target('Project'),
    component: target('Component'),
  },
  {
    $id: 'Subscription',
    examples: [
      { notification: 'RepositoryNotification', id: 17, scope: 10, frequency: 1, project: null, component: null },
    ],
  },
);

// JSON text written by hand: a list is most of what this service answers, and JSON.stringify costs it a tenth of its
// speed.

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
 * @param lines as the list statement packs them: one a line, `id, notification, scope, frequency` and, where there is
 *   one, the target's path, with tabs between; null for none
 */
export function serializeEntries(lines: string | null, urls: UrlContext): string {
  if (lines === null) return '';
  return lines
    .split('\n')
    .map((line) => {
      const [id, notification, scope, frequency, path] = line.split('\t');
      return entry(notification as string, id as string, scope as string, frequency as string, path, urls);
    })
    .join(',');
}
