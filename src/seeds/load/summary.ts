// A load's summary in words.
import type { SeedSummary } from './apply.ts';

const words: Readonly<Record<keyof SeedSummary, string>> = {
  users: 'users',
  tokens: 'tokens',
  groups: 'groups',
  user_groups: 'memberships',
  projects: 'projects',
  group_projects: 'projects of groups',
  group_components: 'components of groups',
  group_admins: 'admins of groups',
  components: 'components',
  subscriptions: 'subscriptions',
};
const kinds = ['created', 'updated', 'unchanged', 'removed'] as const;

export const hasChanges = (summary: SeedSummary): boolean =>
  Object.values(summary).some(({ created, updated, removed }) => created + updated + removed > 0);

/** A line for each table with changes or kept rows: `users: 2 created, 6 unchanged`. */
export function describeSummary(summary: SeedSummary): string[] {
  return Object.entries(words).flatMap(([table, word]) => {
    const changes = summary[table as keyof SeedSummary];
    const parts = kinds.filter((kind) => changes[kind] > 0).map((kind) => `${changes[kind]} ${kind}`);
    return parts.length === 0 ? [] : [`${word}: ${parts.join(', ')}`];
  });
}
