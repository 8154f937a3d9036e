// What the routes of groups take.
import { type Static, Type } from '@sinclair/typebox';

export const GroupPath = Type.Object({ id: Type.String({ pattern: '^[0-9]+$' }) });
export type GroupPath = Static<typeof GroupPath>;
