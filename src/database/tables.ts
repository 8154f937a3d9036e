// The types of the tables that migrations/ makes, by qualified name: the service doesn't rely on search_path. Columns
// that the database fills are Generated.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

type Timestamp = ColumnType<Date, Date | string, Date | string>;

interface OfSandbox {
  sandbox_id: Generated<number>;
}

interface Numbered extends OfSandbox {
  id: Generated<number>;
}

export interface Tables {
  'understudy.sandboxes': {
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
  };
  /** Tokens that survive resets of their sandbox. Those whose user exists are in `tokens` as well. */
  'understudy.sandbox_tokens': { sandbox_id: number; hash: Buffer; username_key: string; created_at: Generated<Date> };
  'understudy.counters': {
    sandbox_id: number;
    next_user_id: Generated<number>;
    next_group_id: Generated<number>;
    next_project_id: Generated<number>;
    next_component_id: Generated<number>;
    next_subscription_id: Generated<number>;
    /** The moment that the sandbox's new dates are; null: the real time. */
    clock: Timestamp | null;
  };
  'understudy.users': Numbered & {
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
  };
  'understudy.tokens': OfSandbox & { hash: Buffer; user_id: number };
  'understudy.groups': Numbered & {
    name: string;
    automatic: Generated<boolean>;
    project_selection: Generated<number>;
    language_selection: Generated<number>;
    defining_project_id: number | null;
    roles: Generated<number[]>;
    permissions: Generated<string[]>;
  };
  'understudy.group_projects': OfSandbox & { group_id: number; project_id: number };
  'understudy.user_groups': OfSandbox & { user_id: number; group_id: number };
  'understudy.projects': Numbered & { slug: string; name: string; web: Generated<string>; private: Generated<boolean> };
  'understudy.components': Numbered & { project_id: number; slug: string; name: string };
  'understudy.subscriptions': Numbered & {
    user_id: number;
    notification: string;
    scope: number;
    frequency: number;
    project_id: number | null;
    component_id: number | null;
    /** `<project>` or `<project>/<component>`; filled by a trigger where it is left out. */
    target_path: string | null;
    private_project_id: number | null;
  };
}
