// A part of a path that isn't empty and ends at a slash.
import { Type } from '@sinclair/typebox';

export const pathPart = (example: string) => Type.String({ pattern: '^[^/]+$', examples: [example] });

export const UserPath = Type.Object({ username: pathPart('alice') });
