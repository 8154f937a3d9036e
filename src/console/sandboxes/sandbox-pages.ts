// The pages of sandboxes, as a table.
import type { ConsoleRoute } from '../console-page.ts';
import { tokenRoute } from './created-page.ts';
import { listPage, redirects } from './list-page.ts';
import { newRoutes } from './new-page.ts';
import { overviewRoute } from './overview-page.ts';
import { sandboxActs } from './sandbox-acts.ts';
import { seedRoutes } from './seed-page.ts';

export const sandboxPages: readonly ConsoleRoute[] = [
  listPage,
  ...redirects,
  ...newRoutes,
  overviewRoute,
  tokenRoute,
  ...seedRoutes,
  ...sandboxActs,
];
