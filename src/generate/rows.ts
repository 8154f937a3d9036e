// Rows in COPY's text format: columns between tabs, \N for null. Made-up values hold no tab, line feed or backslash, so none is escaped.
import { createHash } from 'node:crypto';
import { scopes } from '../resources/notifications/codes.ts';
import { personOf } from './made-up-names.ts';
import type { Slot } from './patterns.ts';
import { randomOf } from './random.ts';
import type { Team, World } from './world.ts';

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

export interface RowsOptions {
  readonly sandboxId: number;
  readonly seed: string;
  readonly world: World;
  readonly patterns: readonly (readonly Slot[])[];
  /** Ids of the groups that every user joins. */
  readonly everybodysGroups: readonly number[];
}

/** The rows of the users `from` to below `to`, by their ids. */
export interface Rows {
  users(from: number, to: number): Iterable<string>;
  memberships(from: number, to: number): Iterable<string>;
  tokens(from: number, to: number): Iterable<string>;
  /** @param firstId of the first subscription */
  subscriptions(from: number, to: number, firstId: number): Iterable<string>;
}

/** The token of a generated user. It is public: a sample, never a secret. */
export const generatedToken = (userId: number): string =>
  `wlu_generated_public_sample_${String(userId).padStart(12, '0')}`;

const nothing = '\\N';
const noTarget = `\t${nothing}\t${nothing}\t${nothing}\t${nothing}\n`;
const teamEvery = 8;
type Limited = typeof scopes.project | typeof scopes.component;

export function makeRows({ sandboxId, seed, world, patterns, everybodysGroups }: RowsOptions): Rows {
  const { random: ofTraits, startFor: startTraits } = randomOf(`${seed} traits`);
  const { random: ofDates, startFor: startDates } = randomOf(`${seed} dates`);
  const start = `${sandboxId}\t`;
  const open: Record<Limited, string[]> = {
    30: world.projects.filter((project) => !project.private).map((project) => projectTarget(project)),
    40: world.components.filter(({ project }) => !project.private).map((component) => componentTarget(component)),
  };
  const ofTeam = new Map(
    world.teams.map((team): [Team, Record<Limited, string>] => [
      team,
      { 30: projectTarget(team.project), 40: componentTarget(team.component) },
    ]),
  );
  const written = patterns.map((slots) =>
    slots.map(({ notification, scope, frequency, target }) => ({
      text: `\t${notification}\t${scope}\t${frequency}`,
      kind: scope === scopes.project || scope === scopes.component ? scope : undefined,
      target,
    })),
  );

  // The same for each table.
  function traitsOf(user: number) {
    startTraits(user);
    const isMember = ofTraits.below(teamEvery) === 0;
    const team = isMember ? world.teams[ofTraits.below(world.teams.length)] : undefined;
    return { team, pattern: written[ofTraits.below(written.length)] ?? [], offset: ofTraits.below(2 ** 31) };
  }

  return {
    *users(from, to) {
      for (let id = from; id < to; id++) {
        const { username, full_name, email } = personOf(id);
        startDates(id);
        const joined = ofDates.below(joinedSpan);
        const isActive = ofDates.below(40) > 0;
        const isNew = ofDates.below(12) === 0;
        const seen = isNew ? nothing : moment(joined + ofDates.below(lastMoment - joined));
        yield `${start}${id}\t${username}\t${full_name}\t${email}\t${isActive ? 't' : 'f'}\t${moment(joined)}\t${seen}\n`;
      }
    },
    *memberships(from, to) {
      for (let id = from; id < to; id++) {
        for (const group of everybodysGroups) yield `${start}${id}\t${group}\n`;
        const { team } = traitsOf(id);
        if (team !== undefined) yield `${start}${id}\t${team.id}\n`;
      }
    },
    *tokens(from, to) {
      for (let id = from; id < to; id++)
        yield `${start}\\\\x${createHash('sha256').update(generatedToken(id)).digest('hex')}\t${id}\n`;
    },
    *subscriptions(from, to, firstId) {
      let next = firstId;
      for (let id = from; id < to; id++) {
        const { team, pattern, offset } = traitsOf(id);
        const own = team === undefined ? undefined : ofTeam.get(team);
        for (const { text, kind, target } of pattern) {
          let limit = noTarget;
          if (kind !== undefined) {
            const choice = open[kind];
            limit =
              target === 0 && own !== undefined ? own[kind] : (choice[(offset + target) % choice.length] as string);
          }
          yield `${start}${next++}\t${id}${text}${limit}`;
        }
      }
    },
  };
}

const projectTarget = (project: Team['project']): string =>
  `\t${project.id}\t${nothing}\t${project.slug}\t${project.private ? project.id : nothing}\n`;
const componentTarget = ({ id, slug, project }: Team['component']): string =>
  `\t${nothing}\t${id}\t${project.slug}/${slug}\t${project.private ? project.id : nothing}\n`;

// In minutes since the first of January 2020. Users join until 2025, and their last log-in is before October 2026.
const dayMinutes = 24 * 60;
const firstDay = Date.UTC(2020, 0, 1);
const joinedSpan = (Date.UTC(2026, 0, 1) - firstDay) / 60_000;
const lastMoment = (Date.UTC(2026, 9, 1) - firstDay) / 60_000;
const days = Array.from({ length: lastMoment / dayMinutes }, (_, day) =>
  new Date(firstDay + day * dayMinutes * 60_000).toISOString().slice(0, 10),
);
const times = Array.from(
  { length: dayMinutes },
  (_, minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
);

function moment(minutes: number): string {
  return `${days[Math.floor(minutes / dayMinutes)]} ${times[minutes % dayMinutes]}:00+00`;
}
