// The surface of what subscriptions may be limited to: projects and components. They are read here; seeds make them.
import type { Services } from '../../api/call.ts';
import { namesIn, readOnlyHandlers } from '../../api/read-only.ts';
import type { Resource } from '../../api/route.ts';
import { PageQuery } from '../../api/schema.ts';
import { targetsDocument } from './document.ts';
import { componentMetadata, projectMetadata } from './metadata.ts';
import { findComponent, findProject, listComponents, listProjects } from './queries.ts';
import { ComponentPath, ProjectPath } from './schema.ts';
import { serializeComponent, serializeProject } from './serialize.ts';

const projectList = '/api/projects/';
const project = '/api/projects/:slug/';
const componentList = '/api/components/';
const component = '/api/components/:project/:slug/';
const ofList = { querystring: PageQuery };
const ofProject = { params: ProjectPath };
const ofComponent = { params: ComponentPath };

const ofProjects = { description: 'Translation projects API.', fields: () => projectMetadata };
const ofComponents = { description: 'Translation components API.', fields: () => componentMetadata };

// A component is made under its project in the real system, and not in the list of all.
export function targets(services: Services): Resource {
  const projects = readOnlyHandlers(
    services,
    { name: 'projects', list: listProjects, find: findProject, serialize: serializeProject },
    namesIn<ProjectPath>,
  );
  const components = readOnlyHandlers(
    services,
    { name: 'components', list: listComponents, find: findComponent, serialize: serializeComponent },
    namesIn<ComponentPath>,
  );
  return {
    document: targetsDocument,
    routes: [
      { method: 'GET', path: projectList, schema: ofList, handler: projects.list },
      { method: 'POST', path: projectList, schema: {}, handler: projects.refuseCreation },
      { method: 'GET', path: project, schema: ofProject, handler: projects.read },
      { method: 'PUT', path: project, schema: ofProject, handler: projects.refuseChange },
      { method: 'PATCH', path: project, schema: ofProject, handler: projects.refuseChange },
      { method: 'DELETE', path: project, schema: ofProject, handler: projects.refuseChange },
      { method: 'GET', path: componentList, schema: ofList, handler: components.list },
      { method: 'GET', path: component, schema: ofComponent, handler: components.read },
      { method: 'PUT', path: component, schema: ofComponent, handler: components.refuseChange },
      { method: 'PATCH', path: component, schema: ofComponent, handler: components.refuseChange },
      { method: 'DELETE', path: component, schema: ofComponent, handler: components.refuseChange },
    ],
    paths: {
      [projectList]: { name: 'Project List', ...ofProjects },
      [project]: { name: 'Project Instance', ...ofProjects },
      [componentList]: { name: 'Component List', ...ofComponents },
      [component]: { name: 'Component Instance', ...ofComponents },
    },
  };
}
