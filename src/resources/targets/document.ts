// Projects and components as serialize.ts writes them, and what the API's document says of them.
import { Type } from '@sinclair/typebox';
import { pageOf, refusedOperations, type ResourceDocument } from '../../api/operation.ts';

const url = Type.String({ format: 'uri' });

const Project = Type.Object(
  { id: Type.Integer(), name: Type.String(), slug: Type.String(), web: Type.String(), web_url: url, url },
  { $id: 'Project' },
);

const Component = Type.Object(
  { id: Type.Integer(), name: Type.String(), slug: Type.String(), project: Project, web_url: url, url },
  { $id: 'Component' },
);

const projects = { list: '/api/projects/', entry: '/api/projects/:slug/' };
const components = { list: '/api/components/', entry: '/api/components/:project/:slug/' };

export const targetsDocument: ResourceDocument = {
  tag: 'Projects and components',
  description: 'What a subscription may be limited to. The fields are those that identify them.',
  operations: {
    [`GET ${projects.list}`]: { id: 'projects_list', summary: 'List projects', answer: pageOf(Project) },
    [`GET ${projects.entry}`]: { id: 'projects_read', summary: 'Read a project', answer: Project },
    ...refusedOperations('projects', 'project', projects),
    [`GET ${components.list}`]: { id: 'components_list', summary: 'List components', answer: pageOf(Component) },
    [`GET ${components.entry}`]: { id: 'components_read', summary: 'Read a component', answer: Component },
    ...refusedOperations('components', 'component', { entry: components.entry }),
  },
};
