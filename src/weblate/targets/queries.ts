// The SQL of projects and components that are public or open to the caller.
import { type Expression, sql } from 'kysely';
import { visibleComponents, visibleProjects } from '../../access/visible-queries.ts';
import { entryForCaller, ofPage, pageForCaller } from '../page-queries.ts';
import type { ComponentRow, ProjectRow } from './serialize.ts';

const projectJson = sql<ProjectRow>`json_build_object(
  'name', p.name, 'slug', p.slug, 'id', p.id, 'web', p.web,
  'access_control', case when p.private then 100 else 0 end)`;
const project = visibleProjects.select(projectJson.as('item'));
const component = visibleComponents.select(
  sql<ComponentRow>`json_build_object(
    'name', c.name, 'slug', c.slug, 'id', c.id,
    'project', ${projectJson})`.as('item'),
);

export const listProjects = pageForCaller(() => visibleProjects.select('p.id'), project.where('p.id', '=', ofPage));

export const findProject = entryForCaller<{ slug: string }, ProjectRow>((slot) =>
  project.where('p.slug', '=', slot('slug', 'text')),
);

const idOfProject = (slug: Expression<string>) => visibleProjects.select('p.id').where('p.slug', '=', slug);

const componentIds = visibleComponents.select('c.id');
const componentOnPage = component.where('c.id', '=', ofPage);

export const listComponents = pageForCaller(() => componentIds, componentOnPage);

export const listParts = pageForCaller<ComponentRow, { slug: string }>(
  (slot) => componentIds.where('c.project_id', '=', idOfProject(slot('slug', 'text'))),
  componentOnPage,
);

export const findComponent = entryForCaller<{ project: string; slug: string }, ComponentRow>((slot) =>
  component.where('c.project_id', '=', idOfProject(slot('project', 'text'))).where('c.slug', '=', slot('slug', 'text')),
);
