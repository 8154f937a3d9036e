// A subscription on the wire: the schemas of what clients read and write, and the JSON.
import { Type } from '@sinclair/typebox';
import type { Call, UrlContext } from '../../http/call.ts';
import type { RowOf } from '../../database/tables.ts';
import { choices, link, nullable, pageOf } from '../../http/operation.ts';
import { answerPage, type PageParameters } from '../../http/paginate.ts';
import { frequencies, notificationTitles, scopes } from '../../model/notifications.ts';
import { titleOf } from '../read-only.ts';

const notificationName = { ...choices(...Object.entries(notificationTitles)), title: 'Notification' };

const choice = (title: string, codes: Readonly<Record<string, number>>, refused: readonly number[] = []) => {
  const named = Object.entries(codes);
  const notes = (code: number) => (refused.includes(code) ? 'refused in a new subscription' : undefined);
  return {
    ...choices(...named.map(([name, code]) => [code, titleOf(name), notes(code)] as const)),
    title,
    description: named.map(([name, code]) => `${code} ${name}`).join(', '),
  };
};

export const SubscriptionFields = Type.Object({
  notification: notificationName,
  scope: choice('Scope', scopes, [scopes.project, scopes.component]),
  frequency: choice('Frequency', frequencies),
});

const target = (title: string) =>
  nullable({ ...link(title), description: `The ${title.toLowerCase()} that the subscription is limited to.` });

/** A subscription in answers, with all six keys in this order. */
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

/** The columns that statements return. A project is a slug, a component `<project>/<component>`. */
export const entryColumns = ['id', 'notification', 'scope', 'frequency', 'project', 'component'] as const;

type Row = RowOf<'subscriptions'>;
type ValuesOf<Columns extends readonly (keyof Row)[]> = { readonly [C in keyof Columns]: Row[Columns[C]] };
type ListsOf<Values extends readonly unknown[]> = { readonly [V in keyof Values]: readonly Values[V][] };
export type Entry = ValuesOf<typeof entryColumns>;
/** The subscriptions of a page, column by column. */
export type EntryPage = ListsOf<Entry>;

/**
 * Builds the JSON by hand: JSON.stringify would cost lists a tenth of their speed. Check constraints of the
 * tables ensure that neither names nor slugs need an escape.
 */
export function serializeEntry(
  [id, notification, scope, frequency, project, component]: Entry,
  { baseUrl, urlQuery }: UrlContext,
) {
  const projectUrl = project === null ? 'null' : `"${baseUrl}/api/projects/${project}/${urlQuery}"`;
  const componentUrl = component === null ? 'null' : `"${baseUrl}/api/components/${component}/${urlQuery}"`;
  return `{"notification":"${notification}","id":${id},"scope":${scope},"frequency":${frequency},"project":${projectUrl},"component":${componentUrl}}`;
}

export function serializePage(call: Call, page: PageParameters, total: number, entries: EntryPage | null) {
  const entryAt = (i: number) => entries?.map((column) => column[i]) as unknown as Entry;
  const results = entries?.[0].map((_id, i) => serializeEntry(entryAt(i), call)) ?? [];
  return answerPage(call, page, total, results.join(','));
}
