// The SQL of projects and components: the public ones, and the private ones that are open to the caller.
import { sql } from 'kysely';
import type { CallerRights } from '../../access/permissions.ts';
import { type CallerParams, inAccess, isVisible, ofAccess, withCaller } from '../../access/queries.ts';
import { pageForCaller } from '../../access/page-queries.ts';
import { joinRow, lookUp } from '../../database/page-of-rows.ts';
import { prepare } from '../../database/prepare.ts';
import type { ComponentRow, ProjectRow } from './serialize.ts';

const projectJson = sql<ProjectRow>`json_build_object('id', p.id, 'name', p.name, 'slug', p.slug, 'web', p.web)`;
const componentJson = sql<ComponentRow>`json_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'project', ${projectJson})`;

/** The project p is open to the caller. */
const isOpen = isVisible(sql`case when p.private then p.id end`, inAccess);

export const listProjects = pageForCaller(
  sql`select p.id from understudy.projects p where p.sandbox_id = ${ofAccess('sandbox_id')} and ${isOpen}`,
  joinRow('projects', 'p', ofAccess('sandbox_id')),
  projectJson,
);

interface ProjectParameters extends CallerParams {
  slug: string;
}

export const findProject = prepare<ProjectParameters, CallerRights & { readonly found: ProjectRow | null }>(
  (db, slot) =>
    withCaller(db, slot, 'any')
      .selectFrom('access')
      .leftJoin('understudy.projects as p', (join) =>
        join.on('p.sandbox_id', '=', ofAccess('sandbox_id')).on('p.slug', '=', slot('slug', 'text')).on(isOpen),
      )
      .selectAll('access')
      .select(sql<ProjectRow | null>`case when p.id is not null then ${projectJson} end`.as('found')),
);

// The project of the component c.
const ofComponent = lookUp<{ id: number; name: string; slug: string; web: string; private: boolean }>(
  sql`select p.id, p.name, p.slug, p.web, p.private from understudy.projects p
    where p.sandbox_id = c.sandbox_id and p.id = c.project_id`,
);

export const listComponents = pageForCaller(
  sql`select c.id from understudy.components c join lateral ${ofComponent} p on true
    where c.sandbox_id = ${ofAccess('sandbox_id')} and ${isOpen}`,
  sql`${joinRow('components', 'c', ofAccess('sandbox_id'))} join lateral ${ofComponent} p on true`,
  componentJson,
);

interface ComponentParameters extends CallerParams {
  project: string;
  slug: string;
}

export const findComponent = prepare<ComponentParameters, CallerRights & { readonly found: ComponentRow | null }>(
  (db, slot) =>
    withCaller(db, slot, 'any')
      .selectFrom('access')
      .leftJoin('understudy.projects as p', (join) =>
        join.on('p.sandbox_id', '=', ofAccess('sandbox_id')).on('p.slug', '=', slot('project', 'text')).on(isOpen),
      )
      .leftJoinLateral(
        lookUp<{ id: number; name: string; slug: string }>(
          sql`select c.id, c.name, c.slug from understudy.components c
            where c.sandbox_id = ${ofAccess('sandbox_id')} and c.project_id = p.id and c.slug = ${slot('slug', 'text')}`,
        ).as('c'),
        (join) => join.onTrue(),
      )
      .selectAll('access')
      .select(sql<ComponentRow | null>`case when c.id is not null then ${componentJson} end`.as('found')),
);
