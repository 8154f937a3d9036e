// The user in a path.
import { Type } from '@sinclair/typebox';

/** A slash ends the name; an empty name is no path. */
export const UserPath = Type.Object({ username: Type.String({ pattern: '^[^/]+$', examples: ['alice'] }) });
