// What the first process and its workers tell one another.
import type { Family } from '../monitoring/metrics-text.ts';
import type { SampleUser } from '../pages/home.ts';
import type { Configuration } from './config.ts';

/** What a worker serves. */
export interface Work {
  readonly configuration: Configuration;
  /** Of the database, which is migrated and seeded. */
  readonly url: string;
  readonly samples: readonly SampleUser[];
}

export type ToWorker =
  | { readonly work: Work; readonly port: number }
  /** Tell your figures, for the question of that number. */
  | { readonly tell: number }
  /** What all workers told, for your question of that number. */
  | { readonly told: number; readonly figures: readonly (readonly Family[])[] }
  /** Close your port. */
  | { readonly close: true }
  | { readonly end: true };

export type FromWorker =
  | { readonly listening: number }
  | { readonly closed: true }
  /** What keeps it from listening, for people. */
  | { readonly fault: string }
  /** Ask all workers for their figures; the answer carries the number. */
  | { readonly gather: number }
  | { readonly figures: number; readonly families: readonly Family[] };
