// A subscription on the wire: the shapes that clients read and write, and what writes an entry and a page.
import { Type } from '@sinclair/typebox';
import type { Answer, Call, UrlContext } from '../../http/call.ts';
import { link, nullable, pageOf } from '../../http/operation.ts';
import { answerPage, type PageParameters } from '../../http/paginate.ts';
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

export const SubscriptionPage = pageOf(Subscription);

export interface SubscriptionRow {
  readonly id: number;
  /** Only letters (a check of the table), so that it needs no escape. */
  readonly notification: string;
  readonly scope: number;
  readonly frequency: number;
  /** `<project>`, `<project>/<component>` or null; slugs need no escape either. */
  readonly target_path: string | null;
}

/** The rows of a page, column by column. */
export type EntryColumns = readonly [
  ids: readonly number[],
  notifications: readonly string[],
  scopes: readonly number[],
  frequencies: readonly number[],
  target_paths: readonly (string | null)[],
];

/** Written by hand: JSON.stringify costs lists, most of what this service answers, a tenth of their speed. */
export function serializeEntry(
  { notification, id, scope, frequency, target_path: path }: SubscriptionRow,
  { baseUrl, urlQuery }: UrlContext,
): string {
  const isComponent = path?.includes('/') === true;
  const project = path === null || isComponent ? 'null' : `"${baseUrl}/api/projects/${path}/${urlQuery}"`;
  const component = isComponent ? `"${baseUrl}/api/components/${path}/${urlQuery}"` : 'null';
  return `{"notification":"${notification}","id":${id},"scope":${scope},"frequency":${frequency},"project":${project},"component":${component}}`;
}

/** The paginated envelope (specification 2.2). */
export function serializePage(call: Call, page: PageParameters, total: number, entries: EntryColumns | null): Answer {
  const [ids, names, scopeCodes, frequencyCodes, paths] = entries ?? [[], [], [], [], []];
  const results = ids.map((id, i) => {
    const [notification, target_path] = [names[i] as string, paths[i] as string | null];
    const [scope, frequency] = [scopeCodes[i] as number, frequencyCodes[i] as number];
    return serializeEntry({ id, notification, scope, frequency, target_path }, call);
  });
  return answerPage(call, page, total, results.join(','));
}
