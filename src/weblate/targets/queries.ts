// The SQL of projects and components: the public ones, and the private ones that are open to the caller.
import { sql } from 'kysely';
import { isProjectVisible, ofAccess } from '../../access/queries.ts';
import { joinRow, lookUp } from '../../database/page-of-rows.ts';
import { entryForCaller, pageForCaller } from '../page-queries.ts';
import type { ComponentRow, ProjectRow } from './serialize.ts';

const projectJson = sql<ProjectRow>`json_build_object('name', p.name, 'slug', p.slug, 'id', p.id, 'web', p.web)`;
const componentJson = sql<ComponentRow>`json_build_object('name', c.name, 'slug', c.slug, 'id', c.id, 'project', ${projectJson})`;

export const listProjects = pageForCaller(
  sql`select p.id from understudy.projects p where p.sandbox_id = ${ofAccess('sandbox_id')} and ${isProjectVisible}`,
  joinRow('projects', 'p', ofAccess('sandbox_id')),
  projectJson,
);

export const findProject = entryForCaller<{ slug: string }, ProjectRow>(
  projectJson,
  (slot) => sql`understudy.projects p
    where p.sandbox_id = ${ofAccess('sandbox_id')} and p.slug = ${slot('slug', 'text')} and ${isProjectVisible}`,
);

// The project of the component c.
const ofComponent = lookUp(
  sql`select p.id, p.name, p.slug, p.web, p.private from understudy.projects p
    where p.sandbox_id = c.sandbox_id and p.id = c.project_id`,
);

export const listComponents = pageForCaller(
  sql`select c.id from understudy.components c join lateral ${ofComponent} p on true
    where c.sandbox_id = ${ofAccess('sandbox_id')} and ${isProjectVisible}`,
  sql`${joinRow('components', 'c', ofAccess('sandbox_id'))} join lateral ${ofComponent} p on true`,
  componentJson,
);

export const findComponent = entryForCaller<{ project: string; slug: string }, ComponentRow>(
  componentJson,
  (slot) => sql`understudy.projects p
    join lateral (
      select c.id, c.name, c.slug from understudy.components c
      where c.sandbox_id = p.sandbox_id and c.project_id = p.id and c.slug = ${slot('slug', 'text')} offset 0
    ) c on true
    where p.sandbox_id = ${ofAccess('sandbox_id')} and p.slug = ${slot('project', 'text')} and ${isProjectVisible}`,
);
