// The groups of a seed, which projects they open, and which group a user of the seed means.
import { planLinks, type Planning, planRows } from './planning.ts';
import { type GroupRow, listOpened } from './queries.ts';
import { faultAt, type SeedGroup } from '../seed/seed-types.ts';

export interface PlannedGroup {
  readonly id: number;
  readonly name: string;
  readonly automatic: boolean;
}

const defaults = { automatic: false, project_selection: 0, language_selection: 0, roles: [], permissions: [] };

/**
 * The id of each group that is there: the one with its id, or else the one of its name and, where the seed says it, its defining
 * project. Names aren't unique: those that projects define share theirs.
 */
export function matchGroups(
  planning: Planning,
  groups: readonly SeedGroup[],
  there: readonly GroupRow[],
  projectIds: ReadonlyMap<string, number>,
): (number | undefined)[] {
  return groups.map(({ id, name, definingProject, place }) => {
    if (id !== undefined) return there.find((row) => row.id === id)?.id;
    const definedBy = definingProject === null ? null : projectIds.get(definingProject ?? '');
    const same = there.filter(
      (row) => row.name === name && (definingProject === undefined || row.defining_project_id === definedBy),
    );
    if (same.length > 1)
      planning.plan.faults.push(
        faultAt(
          place,
          `may be any of the groups ${same.map((row) => row.id).join(', ')} of the sandbox; give the id`,
          'name',
        ),
      );
    return same[0]?.id;
  });
}

/** Notes the groups' rows and projects. Gives all groups that the sandbox will have. */
export async function planGroups(
  planning: Planning,
  groups: readonly SeedGroup[],
  there: readonly GroupRow[],
  found: readonly (number | undefined)[],
  projectIds: ReadonlyMap<string, number>,
): Promise<PlannedGroup[]> {
  const ids = planRows(planning, 'groups', groups, found, new Map(), ({ fields, definingProject }, isNew) => ({
    ...(isNew ? { ...defaults, defining_project_id: null } : {}),
    ...fields,
    ...(definingProject === undefined ? {} : { defining_project_id: projectIds.get(definingProject ?? '') ?? null }),
  }));
  const saying = groups.flatMap((group, i) =>
    group.projects === undefined ? [] : [{ id: ids[i] ?? 0, slugs: group.projects }],
  );
  const wanted = saying.flatMap(({ id, slugs }) =>
    slugs.map((slug) => ({ owner: id, other: projectIds.get(slug) ?? 0 })),
  );
  const opened = await listOpened(
    planning.db,
    planning.sandboxId,
    saying.map(({ id }) => id),
  );
  planLinks(planning, 'group_projects', opened, wanted);

  const before = new Map(there.map((row) => [row.id, row]));
  const planned = groups.map(({ name, fields }, i) => {
    const id = ids[i] ?? 0;
    return { id, name, automatic: Boolean(fields['automatic'] ?? before.get(id)?.automatic ?? false) };
  });
  return [...planned, ...there.filter((row) => !ids.includes(row.id))];
}
