// The operations on projects and components, to which subscriptions may be limited.
import { Type } from '@sinclair/typebox';
import type { Services } from '../../http/call.ts';
import type { Resource } from '../../http/operation.ts';
import { pathPart, readOnlyOperations } from '../read-only.ts';
import { findComponent, findProject, listComponents, listParts, listProjects } from './queries.ts';
import { Component, PartOfProject, Project, serializeComponent, serializeProject } from './serialize.ts';

// PostgreSQL rejects NUL. No slug is empty, so the empty text finds nothing.
const slugOf = (name = '') => (name.includes('\0') ? '' : name);

const projects = readOnlyOperations({
  name: 'projects',
  params: Type.Object({ slug: pathPart('demo') }),
  description: 'Translation projects API.',
  item: Project,
  list: listProjects,
  find: findProject,
  namesOf: ({ slug }) => ({ slug: slugOf(slug) }),
  serialize: serializeProject,
  parts: { name: 'components', item: PartOfProject, list: listParts, serialize: serializeComponent },
});

const components = readOnlyOperations({
  name: 'components',
  params: Type.Object({ project: pathPart('demo'), slug: pathPart('app') }),
  description: 'Translation components API.',
  // Weblate creates components at their project's path.
  isPosted: false,
  item: Component,
  list: listComponents,
  find: findComponent,
  namesOf: ({ project, slug }) => ({ project: slugOf(project), slug: slugOf(slug) }),
  serialize: serializeComponent,
});

export const targets: Resource<Services> = {
  tag: 'Projects and components',
  description: 'What a subscription may be limited to. Keys that no seed sets are as in new projects and components.',
  operations: [...projects, ...components],
};
