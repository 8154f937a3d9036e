// The made-up projects, their components, and the teams that private projects are open to.
import type { NextIds } from '../load/queries.ts';
import { componentOf, type Named, projectOf } from './made-up-names.ts';
import type { Random } from './random.ts';

export interface MadeProject extends Named {
  readonly id: number;
  readonly private: boolean;
}
export interface MadeComponent extends Named {
  readonly id: number;
  readonly project: MadeProject;
}
export interface Team {
  readonly id: number;
  readonly name: string;
  readonly project: MadeProject;
  readonly component: MadeComponent;
}
export interface World {
  readonly projects: readonly MadeProject[];
  readonly components: readonly MadeComponent[];
  /** One for each private project. */
  readonly teams: readonly Team[];
}

const privateEvery = 8;

export function makeWorld(publicProjects: number, next: NextIds, random: Random): World {
  const components: MadeComponent[] = [];
  const teams: Team[] = [];
  const projects = Array.from({ length: publicProjects + Math.ceil(publicProjects / privateEvery) }, (_, i) => {
    const id = next.projects + i;
    const project = { id, ...projectOf(id), private: i % (privateEvery + 1) === privateEvery >> 1 };
    const count = 2 + random.below(4);
    const own = Array.from({ length: count }, (_unused, n) => ({
      id: next.components + components.length + n,
      project,
      ...componentOf(n + 1),
    }));
    components.push(...own);
    if (project.private)
      teams.push({
        id: next.groups + teams.length,
        name: `${project.name} team`,
        project,
        component: own[0] as MadeComponent,
      });
    return project;
  });
  return { projects, components, teams };
}
