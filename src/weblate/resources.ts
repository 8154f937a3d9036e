// The resources of the mirrored API.
import type { Services } from '../http/call.ts';
import type { Resource } from '../http/operation.ts';
import { groups } from './groups/operations.ts';
import { notifications } from './notifications/operations.ts';
import { rootOf } from './root/operations.ts';
import { targets } from './targets/operations.ts';
import { users } from './users/operations.ts';

const collections = [users, notifications, groups, targets];

export const resources: readonly Resource<Services>[] = [rootOf(collections), ...collections];
