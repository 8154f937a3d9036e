// A sandbox's journal and faults.
import type { ConsoleRoute } from '../console-page.ts';

export const trafficPages: readonly ConsoleRoute[] = [];
