// What the routes of projects and components take.
import { type Static, Type } from '@sinclair/typebox';

const slug = Type.String({ pattern: '^[^/]+$' });

export const ProjectPath = Type.Object({ slug });
export type ProjectPath = Static<typeof ProjectPath>;

export const ComponentPath = Type.Object({ project: slug, slug });
export type ComponentPath = Static<typeof ComponentPath>;
