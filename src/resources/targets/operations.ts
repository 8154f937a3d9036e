// The operations on projects and components, to which subscriptions may be limited.
import { type Static, Type } from '@sinclair/typebox';
import type { Services } from '../../api/call.ts';
import type { Resource } from '../../api/operation.ts';
import { readOnlyOperations } from '../../api/read-only.ts';
import { findComponent, findProject, listComponents, listProjects } from './queries.ts';
import { Component, Project, serializeComponent, serializeProject } from './serialize.ts';

const slug = Type.String({ pattern: '^[^/]+$' });
const ProjectPath = Type.Object({ slug });
const ComponentPath = Type.Object({ project: slug, slug });

// PostgreSQL rejects NUL, and no slug holds one or is empty.
const slugOf = (name: string) => (name.includes('\0') ? '' : name);

const projects = readOnlyOperations({
  name: 'projects',
  singular: 'project',
  url: '/api/projects/',
  entryUrl: '/api/projects/:slug/',
  params: ProjectPath,
  description: 'Translation projects API.',
  writes: ['POST', 'PUT', 'PATCH', 'DELETE'],
  item: Project,
  list: listProjects,
  find: findProject,
  namesOf: (path: Static<typeof ProjectPath>) => ({ slug: slugOf(path.slug) }),
  serialize: serializeProject,
});

const components = readOnlyOperations({
  name: 'components',
  singular: 'component',
  url: '/api/components/',
  entryUrl: '/api/components/:project/:slug/',
  params: ComponentPath,
  description: 'Translation components API.',
  // Weblate creates a component under its project.
  writes: ['PUT', 'PATCH', 'DELETE'],
  item: Component,
  list: listComponents,
  find: findComponent,
  namesOf: (path: Static<typeof ComponentPath>) => ({ project: slugOf(path.project), slug: slugOf(path.slug) }),
  serialize: serializeComponent,
});

export const targets: Resource<Services> = {
  tag: 'Projects and components',
  description: 'What a subscription may be limited to. The fields are those that identify them.',
  operations: [...projects, ...components],
};
