// Puts a seed into a real Weblate's database by SQL. Columns that a seed lacks are as in the recorded world.
import type { Client } from 'pg';
import { languages } from '../../src/model/languages.ts';
import { type GeneratedSeed, ownRoles } from '../generator/worlds.ts';

type Row = Readonly<Record<string, unknown>>;

/** Weblate's own value for a private project. */
const accessPrivate = 100;

function rowsOf(seed: GeneratedSeed): Readonly<Record<string, readonly Row[]>> {
  const { users, groups, projects, components, subscriptions } = seed;
  const idsOf = <T extends { readonly id: number }>(list: readonly T[], nameOf: (one: T) => string) => {
    const ids = new Map(list.map((one) => [nameOf(one), one.id]));
    return (name: string | null) => (name === null ? null : ids.get(name));
  };
  const userId = idsOf(users, ({ username }) => username);
  const projectId = idsOf(projects, ({ slug }) => slug);
  const componentId = idsOf(components, ({ project, slug }) => `${project}/${slug}`);
  /** The rows of a table of links, which need ids too. */
  const links = (rows: readonly Row[]) => rows.map((row, index) => ({ id: index + 1, ...row }));
  return {
    weblate_auth_user: users.map(({ token: _token, groups: _groups, profile: _profile, ...user }) => user),
    accounts_profile: users.map(({ id, profile }) => ({ ...profile, id, user_id: id })),
    accounts_profile_watched: links(
      users.flatMap(({ id, profile }) =>
        profile.watched.map((slug) => ({ profile_id: id, project_id: projectId(slug) })),
      ),
    ),
    authtoken_token: users.flatMap(({ id, token }) => (token === null ? [] : [{ key: token, user_id: id }])),
    trans_project: projects.map(({ private: isPrivate, ...project }) => ({
      ...project,
      access_control: isPrivate ? accessPrivate : 0,
    })),
    trans_component: components.map(({ project, ...component }) => ({
      ...component,
      project_id: projectId(project),
      filemask: `${component.slug}/*.po`,
    })),
    weblate_auth_group: groups.map(({ defining_project: of, ...group }) => ({
      ...group,
      defining_project_id: projectId(of),
    })),
    weblate_auth_group_languages: links(
      groups.flatMap(({ id, languages: codes }) =>
        codes.map((code) => ({ group_id: id, language_id: languages().byCode.get(code)?.id })),
      ),
    ),
    weblate_auth_group_components: links(
      groups.flatMap(({ id, components: paths }) =>
        paths.map((path) => ({ group_id: id, component_id: componentId(path) })),
      ),
    ),
    weblate_auth_group_roles: links(
      groups.flatMap(({ id, roles }) => roles.map((role) => ({ group_id: id, role_id: role }))),
    ),
    weblate_auth_group_projects: links(
      groups.flatMap((group) => group.projects.map((slug) => ({ group_id: group.id, project_id: projectId(slug) }))),
    ),
    weblate_auth_autogroup: links(
      groups.filter(({ automatic }) => automatic).map(({ id }) => ({ match: '^.*$', group_id: id })),
    ),
    weblate_auth_user_groups: links(
      users.flatMap((user) => user.groups.map((group) => ({ user_id: user.id, group_id: group }))),
    ),
    accounts_subscription: subscriptions.map(({ user, project, component, ...subscription }) => ({
      ...subscription,
      user_id: userId(user),
      project_id: projectId(project),
      component_id: componentId(component),
    })),
  };
}

/** The database must hold the recorded world and nothing else. */
export async function fillReal(client: Client, seed: GeneratedSeed): Promise<void> {
  const tables = Object.entries(rowsOf(seed));
  const {
    rows: [usual],
  } = await client.query<Readonly<Record<string, Row | null>>>(
    `select ${tables.map(([table]) => `(select to_jsonb(x) from ${table} x limit 1) as ${table}`).join(', ')}`,
  );
  // Foreign keys are checked at the commit.
  await client.query('begin');
  for (const table of ['accounts_auditlog', ...tables.map(([name]) => name)])
    await client.query(`delete from ${table}`);
  for (const [role, permission] of ownRoles) {
    await client.query('insert into weblate_auth_role (id, name) values ($1, $2)', [role, `may ${permission}`]);
    await client.query(
      `insert into weblate_auth_role_permissions (role_id, permission_id)
       select $1, id from weblate_auth_permission where codename = $2`,
      [role, permission],
    );
  }
  for (const [table, rows] of tables) {
    const whole = rows.map((row) => ({ ...usual?.[table], ...row }));
    await client.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(whole),
    ]);
    if (table === 'authtoken_token') continue;
    const counted: Readonly<Record<string, number>> = {
      weblate_auth_user: seed.next_id.users,
      accounts_subscription: seed.next_id.subscriptions,
    };
    const next = counted[table] ?? Math.max(0, ...rows.map(({ id }) => id as number)) + 1;
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2, false)`, [table, next]);
  }
  await client.query('commit');
}
