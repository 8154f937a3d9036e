// Rows in COPY's text format: columns between tabs, \N for null. Made-up values hold no tab, line feed or backslash, so
// none is escaped.
import { hash } from 'node:crypto';
import type { NextIds } from '../load/queries.ts';
import { scopes } from '../resources/notifications/codes.ts';
import { personOf } from './made-up-names.ts';
import type { Pattern } from './patterns.ts';
import { randomOf } from './random.ts';
import type { Project } from './world.ts';

export interface RowTable {
  readonly table: string;
  readonly columns: string;
}
export const rowTables = {
  users: { table: 'users', columns: 'sandbox_id, id, username, full_name, email, is_active, date_joined, last_login' },
  memberships: { table: 'user_groups', columns: 'sandbox_id, user_id, group_id' },
  tokens: { table: 'tokens', columns: 'sandbox_id, hash, user_id' },
  subscriptions: {
    table: 'subscriptions',
    columns:
      'sandbox_id, id, user_id, notification, scope, frequency, project_id, component_id, target_path, private_project_id',
  },
} as const satisfies Record<string, RowTable>;
/** The rows of the user with this id. */
export type RowsOf = (user: number) => string;

interface RowsOptions {
  readonly sandboxId: number;
  readonly seed: string;
  readonly subscriptions: number;
  readonly next: NextIds;
  readonly projects: readonly Project[];
  readonly patterns: readonly Pattern[];
  /** Ids of the groups that every user joins. */
  readonly everybodysGroups: readonly number[];
}

/** The token of a generated user. It is public: a sample, never a secret. */
export const generatedToken = (userId: number): string =>
  `wlu_generated_public_sample_${String(userId).padStart(12, '0')}`;

const nothing = '\\N';
const noTarget = [nothing, nothing, nothing, nothing].join('\t');
const teamEvery = 8;

export function makeRows(options: RowsOptions): Record<keyof typeof rowTables, RowsOf> {
  const { sandboxId, seed, subscriptions, next, projects, patterns, everybodysGroups } = options;
  const open = targetsIn(projects.filter((project) => !project.private));
  const teams = projects.flatMap(({ team, ...project }) =>
    team ? [{ id: team.id, targets: targetsIn([{ ...project, components: project.components.slice(0, 1) }]) }] : [],
  );

  // The same for each table.
  function traitsOf(user: number) {
    const random = randomOf(`${seed} traits`, user);
    const team = random(teamEvery) === 0 ? teams[random(teams.length)] : undefined;
    return { team, pattern: patterns[random(patterns.length)] ?? [], offset: random(2 ** 31) };
  }

  return {
    users(id) {
      const { username, full_name, email } = personOf(id);
      const random = randomOf(`${seed} dates`, id);
      const joined = random(joinedSpan);
      const isActive = random(40) > 0 ? 't' : 'f';
      const seen = random(12) === 0 ? nothing : moment(joined + random(lastMoment - joined));
      return `${sandboxId}\t${id}\t${username}\t${full_name}\t${email}\t${isActive}\t${moment(joined)}\t${seen}\n`;
    },
    memberships(id) {
      const { team } = traitsOf(id);
      const groups = team === undefined ? everybodysGroups : [...everybodysGroups, team.id];
      return groups.map((group) => `${sandboxId}\t${id}\t${group}\n`).join('');
    },
    tokens: (id) => `${sandboxId}\t\\\\x${hash('sha256', generatedToken(id))}\t${id}\n`,
    subscriptions(id) {
      const { team, pattern, offset } = traitsOf(id);
      const first = next.subscriptions + (id - next.users) * subscriptions;
      return pattern
        .map(({ notification, scope, frequency, target }, i) => {
          const choices = (target === 0 && team !== undefined ? team.targets : open)[scope];
          const limit = choices?.[(offset + target) % choices.length] ?? noTarget;
          return `${sandboxId}\t${first + i}\t${id}\t${notification}\t${scope}\t${frequency}\t${limit}\n`;
        })
        .join('');
    },
  };
}

/** The last four columns of subscriptions that are limited to these projects or to their components, by scope. */
function targetsIn(projects: readonly Omit<Project, 'team'>[]): Partial<Record<number, readonly string[]>> {
  return {
    [scopes.project]: projects.map(
      (project) => `${project.id}\t${nothing}\t${project.slug}\t${project.private ? project.id : nothing}`,
    ),
    [scopes.component]: projects.flatMap((project) =>
      project.components.map(
        ({ id, slug }) => `${nothing}\t${id}\t${project.slug}/${slug}\t${project.private ? project.id : nothing}`,
      ),
    ),
  };
}

// In minutes since the first of January 2020. Users join until 2025, and their last log-in is before October 2026.
const firstDay = Date.UTC(2020, 0, 1);
const joinedSpan = (Date.UTC(2026, 0, 1) - firstDay) / 60_000;
const lastMoment = (Date.UTC(2026, 9, 1) - firstDay) / 60_000;

const moment = (minutes: number): string => new Date(firstDay + minutes * 60_000).toISOString();
