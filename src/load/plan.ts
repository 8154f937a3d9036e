// What has to be written so that a sandbox holds what a seed says. Only reads: whatever is wrong is known before the first write.
import { automaticGroups } from '../seed/automatic-groups.ts';
import { matchGroups, planGroups } from './plan-groups.ts';
import { planUsers } from './plan-users.ts';
import { emptyPlan, fixedIds, type Plan, type Planning, planRows } from './planning.ts';
import { type Db, listComponents, listGroups, listProjects, listSubscriptions, listUsers } from './queries.ts';
import { findDangling, listReferences } from '../seed/references.ts';
import { componentPath, foldCase, type Seed } from '../seed/seed-types.ts';
import { type Kind, kinds } from '../seed/seed-schema.ts';

/** Compares with the sandbox, which the caller has locked. `counters` are its next ids. */
export async function planSeed(
  db: Db,
  sandboxId: number,
  seed: Seed,
  counters: Readonly<Record<Kind, number>>,
): Promise<Plan> {
  const plan = emptyPlan(counters);
  const planning: Planning = { db, sandboxId, seed, plan };
  const named = listReferences(seed);
  const slugs = [...named.projects, ...seed.projects.map((project) => project.slug)];
  const paths = [...named.components, ...seed.components.map(componentPath)];
  const usernames = [...named.users, ...seed.users.map((user) => user.username)];
  const emails = seed.users.map((user) => user.fields['email']).filter((email) => typeof email === 'string');
  const projects = await listProjects(db, sandboxId, slugs, fixedIds(seed.projects));
  const components = await listComponents(db, sandboxId, paths, fixedIds(seed.components));
  const users = await listUsers(db, sandboxId, usernames, emails, fixedIds(seed.users));
  const groups = await listGroups(db, sandboxId);

  const projectIds = new Map(projects.map((row) => [row.slug, row.id]));
  const foundProjects = seed.projects.map(({ slug }) => projectIds.get(slug));
  const projectOwners = new Map(projects.map((row) => [row.id, row.slug]));
  const newProjects = planRows(
    planning,
    'projects',
    seed.projects,
    foundProjects,
    projectOwners,
    ({ slug, fields }, isNew) => (isNew ? { slug, name: slug, web: '', private: false, ...fields } : fields),
  );
  for (const [i, { slug }] of seed.projects.entries()) projectIds.set(slug, newProjects[i] ?? 0);

  const componentIds = new Map(components.map((row) => [row.path, row.id]));
  const foundComponents = seed.components.map((component) => componentIds.get(componentPath(component)));
  const componentOwners = new Map(components.map((row) => [row.id, row.path]));
  const newComponents = planRows(
    planning,
    'components',
    seed.components,
    foundComponents,
    componentOwners,
    ({ project, slug, fields }, isNew) =>
      isNew ? { project_id: projectIds.get(project), slug, name: slug, ...fields } : fields,
  );
  for (const [i, component] of seed.components.entries())
    componentIds.set(componentPath(component), newComponents[i] ?? 0);

  const seedGroups = seed.groups ?? (groups.length === 0 ? automaticGroups : []);
  const foundGroups = matchGroups(planning, seedGroups, groups, projectIds);
  const otherGroups = groups.filter((row) => !foundGroups.includes(row.id));
  plan.faults.push(
    ...findDangling(seed, {
      users: users.map((row) => row.username_key),
      groups: [...otherGroups.map((row) => row.name), ...groups.map((row) => row.id)],
      projects: projects.map((row) => row.slug),
      components: components.map((row) => row.path),
    }),
  );
  const allGroups = await planGroups(planning, seedGroups, groups, foundGroups, projectIds);
  const userIds = await planUsers(planning, users, allGroups);
  await planSubscriptions(planning, { userIds, projectIds, componentIds });
  for (const kind of kinds) plan.next[kind] = Math.max(plan.next[kind], seed.next_id[kind] ?? 1);
  return plan;
}

interface Targets {
  readonly userIds: ReadonlyMap<string, number>;
  readonly projectIds: ReadonlyMap<string, number>;
  readonly componentIds: ReadonlyMap<string, number>;
}

async function planSubscriptions(planning: Planning, { userIds, projectIds, componentIds }: Targets): Promise<void> {
  const { db, sandboxId, seed } = planning;
  const rows = seed.subscriptions.map(({ user, notification, scope, project, component }) => ({
    user_id: userIds.get(foldCase(user)) ?? 0,
    notification,
    scope,
    project_id: project === null ? null : (projectIds.get(project) ?? 0),
    component_id: component === null ? null : (componentIds.get(component) ?? 0),
  }));
  const users = [...new Set(rows.map((row) => row.user_id))];
  const there = await listSubscriptions(db, sandboxId, users, fixedIds(seed.subscriptions));
  const key = (row: (typeof rows)[number]): string =>
    [row.user_id, row.notification, row.scope, row.project_id, row.component_id].join(' ');
  const byKey = new Map(there.map((row) => [key(row), row.id]));
  const found = rows.map((row) => byKey.get(key(row)));
  const owners = new Map(
    there.map((row) => [row.id, `another subscription, ${row.notification} of user ${row.user_id},`]),
  );
  const row = new Map(seed.subscriptions.map((subscription, i) => [subscription, rows[i]]));
  planRows(planning, 'subscriptions', seed.subscriptions, found, owners, (subscription, isNew) => ({
    ...(isNew ? row.get(subscription) : {}),
    frequency: subscription.frequency,
  }));
}
