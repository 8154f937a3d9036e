// A thing of each kind with every property of the seed format.
import type { Kind } from '../../src/model/kinds.ts';

/** None of the values is a new row's default. */
export const values: Record<Kind, Record<string, unknown>> = {
  projects: { slug: 'p', name: 'A project', web: 'https://example.org/', private: true },
  components: { project: 'p', slug: 'c', name: 'A component' },
  groups: {
    name: 'g',
    automatic: true,
    project_selection: 1,
    language_selection: 1,
    internal: true,
    enforced_2fa: true,
    roles: ['Translation coordinator'],
    languages: ['cs'],
    permissions: ['user.view'],
    projects: ['p'],
    components: ['p/c'],
    admins: ['u'],
    defining_project: 'p',
  },
  users: {
    username: 'u',
    full_name: 'A User',
    email: 'u@example.org',
    is_superuser: true,
    is_active: false,
    is_bot: true,
    is_internal: true,
    date_joined: '2026-02-01T00:00:00.000000Z',
    date_expires: '2026-02-02T00:00:00.000000Z',
    last_login: '2026-02-03T00:00:00.000000Z',
    profile: { language: 'de' },
    groups: ['g'],
  },
  subscriptions: {
    user: 'u',
    notification: 'LockNotification',
    scope: 'component',
    frequency: 'weekly',
    component: 'p/c',
  },
};
/** A second subscription, because one can't have both a project and a component. */
export const second = {
  user: 'u',
  notification: 'LockNotification',
  scope: 'project',
  frequency: 'weekly',
  project: 'p',
};
