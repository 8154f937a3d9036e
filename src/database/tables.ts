// The types of the tables that migrations/ makes. Columns that the database fills are Generated.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface SandboxesTable {
  id: Generated<number>;
  name: string | null;
  baseline_id: number | null;
  seed_name: string | null;
  seed_digest: string | null;
  seeded_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp | null;
  lifetime_seconds: number | null;
  template_key: string | null;
  snapshot_of: number | null;
  snapshot_name: string | null;
}

/** Tokens that survive resets of their sandbox. Those whose user exists are in `tokens` as well. */
export interface SandboxTokensTable {
  sandbox_id: number;
  hash: Buffer;
  username_key: string;
}

export interface CountersTable {
  sandbox_id: number;
  next_user_id: Generated<number>;
  next_group_id: Generated<number>;
  next_project_id: Generated<number>;
  next_component_id: Generated<number>;
  next_subscription_id: Generated<number>;
}

export interface UsersTable {
  sandbox_id: Generated<number>;
  id: Generated<number>;
  username: string;
  username_key: GeneratedAlways<string>;
  full_name: Generated<string>;
  email: string | null;
  email_key: GeneratedAlways<string | null>;
  is_superuser: Generated<boolean>;
  is_active: Generated<boolean>;
  is_bot: Generated<boolean>;
  is_internal: Generated<boolean>;
  date_joined: Generated<Timestamp>;
  date_expires: Timestamp | null;
  last_login: Timestamp | null;
  profile: Generated<ColumnType<Record<string, unknown>, string, string>>;
}

export interface TokensTable {
  sandbox_id: Generated<number>;
  hash: Buffer;
  user_id: number;
}

export interface GroupsTable {
  sandbox_id: Generated<number>;
  id: Generated<number>;
  name: string;
  automatic: Generated<boolean>;
  project_selection: Generated<number>;
  language_selection: Generated<number>;
  defining_project_id: number | null;
  roles: Generated<number[]>;
  permissions: Generated<string[]>;
}

export interface GroupProjectsTable {
  sandbox_id: Generated<number>;
  group_id: number;
  project_id: number;
}

export interface UserGroupsTable {
  sandbox_id: Generated<number>;
  user_id: number;
  group_id: number;
}

export interface ProjectsTable {
  sandbox_id: Generated<number>;
  id: Generated<number>;
  slug: string;
  name: string;
  web: Generated<string>;
  private: Generated<boolean>;
}

export interface ComponentsTable {
  sandbox_id: Generated<number>;
  id: Generated<number>;
  project_id: number;
  slug: string;
  name: string;
}

export interface SubscriptionsTable {
  sandbox_id: Generated<number>;
  id: Generated<number>;
  user_id: number;
  notification: string;
  scope: number;
  frequency: number;
  project_id: number | null;
  component_id: number | null;
  /** `<project>` or `<project>/<component>`; filled by a trigger where it is left out. */
  target_path: string | null;
  private_project_id: number | null;
}

/** Each table by its qualified name: the service doesn't rely on search_path. */
export interface Tables {
  'understudy.sandboxes': SandboxesTable;
  'understudy.sandbox_tokens': SandboxTokensTable;
  'understudy.counters': CountersTable;
  'understudy.users': UsersTable;
  'understudy.tokens': TokensTable;
  'understudy.groups': GroupsTable;
  'understudy.group_projects': GroupProjectsTable;
  'understudy.user_groups': UserGroupsTable;
  'understudy.projects': ProjectsTable;
  'understudy.components': ComponentsTable;
  'understudy.subscriptions': SubscriptionsTable;
}

/** The tables that hold a sandbox's rows. A table comes after those that it references. */
export const tableNames = [
  'understudy.counters',
  'understudy.users',
  'understudy.tokens',
  'understudy.projects',
  'understudy.components',
  'understudy.groups',
  'understudy.group_projects',
  'understudy.user_groups',
  'understudy.subscriptions',
] as const satisfies readonly (keyof Tables)[];
