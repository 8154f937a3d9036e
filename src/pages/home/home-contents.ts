// What a home page shows.
import type { Choice, Visitor } from '../frame/visitor.ts';

export interface Home {
  /** Of the sandbox. */
  readonly baseUrl: string;
  /** Undefined for `default`. */
  readonly sandbox: string | undefined;
  readonly visitor: Visitor | undefined;
  /** Users with public tokens. */
  readonly choices: readonly Choice[];
  /** What a request without a token may do. */
  readonly anonymous: 'read' | 'strict' | 'write';
  /** Whether a program where the browser runs may use `/_understudy/`. */
  readonly admin: 'open' | 'token' | 'closed';
  /** Undefined if the database is unavailable. */
  readonly state: SandboxState | undefined;
}

export interface SandboxState {
  /** What the sandbox was made from. */
  readonly seed: string | null;
  readonly expires: Date | null;
  /** `7`, or `more than 100`. */
  readonly users: string;
  readonly isEmpty: boolean;
}

/** Whose token stands in the examples. */
export const exampleUser = (choices: readonly Choice[]): Choice | undefined =>
  choices.find(({ username }) => username === 'alice') ?? choices[0];

export const notificationsOf = (username: string, baseUrl: string): string =>
  `${baseUrl}/api/users/${encodeURIComponent(username.toWellFormed())}/notifications/`;
