// Replaces people by made-up ones. Their names depend only on the id, so every import gives the same ones.
import { personOf } from '../generate/made-up-names.ts';
import { columnsOf, type Kind } from '../../model/kinds.ts';
import type { ReadUser } from './read-server.ts';

// Kept: flags, numbers, dates, and a person's settings for the look of pages. The rest of what a server sends could
// describe the person, also in keys that this version doesn't know.
const publicColumns = (kind: Kind) =>
  new Set(
    Object.entries(columnsOf(kind).others).flatMap(([name, type]) =>
      /^(?:boolean|smallint|timestamptz)/.test(type) ? [name] : [],
    ),
  );
const [userColumns, subscriptionColumns] = [publicColumns('users'), publicColumns('subscriptions')];
const profileKeys = new Set(
  `languages secondary_languages watched theme hide_completed secondary_in_zen hide_source_secondary wide_tables
  listing_columns translate_mode zen_mode nearby_strings auto_watch contribute_personal_tm dashboard_view`.split(/\s+/),
);
// Part of the system, no person.
const anonymous = { username: 'anonymous', full_name: 'Anonymous', email: 'noreply@example.com' };

export function disguise({ id, username, fields, profile, groups, subscriptions }: ReadUser): ReadUser {
  const { username: name, ...person } = username === 'anonymous' ? anonymous : personOf(id);
  return {
    id,
    username: name,
    fields: { ...person, ...pick(fields, userColumns) },
    profile: pick(profile, profileKeys),
    groups,
    subscriptions: subscriptions.map((one) => {
      const { id: ownId, notification, scope, project, component } = one;
      return { ...pick(one, subscriptionColumns), id: ownId, notification, scope, project, component };
    }),
  };
}

const pick = (from: Readonly<Record<string, unknown>>, keys: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(from).filter(([key]) => keys.has(key)));
