// The pages of the console, as a table.
import type { ConsoleRoute } from './console-page.ts';
import { sandboxPages } from './sandboxes/sandbox-pages.ts';
import { trafficPages } from './traffic/traffic-pages.ts';

export const consolePages: readonly ConsoleRoute[] = [...sandboxPages, ...trafficPages];
