// Who is at the browser: session/visitors.ts finds a Visitor, and pages show it.
import type { CompiledRule } from '../traffic/faults.ts';

/** A user with a token to show, which is public or was just made. */
export interface Choice {
  readonly username: string;
  readonly token: string;
  readonly is_superuser?: boolean;
  /** What the user is an example of: "no subscriptions". */
  readonly note?: string;
}

/** What pages show around their content. */
export interface Visitor {
  /** The user as whom requests act; undefined for anonymous requests. */
  readonly username?: string | undefined;
  /** That user's token, if it is public. */
  readonly token?: string | undefined;
  /** Whether the session's token is no longer valid. */
  readonly hasEnded?: boolean;
  /** When the user's session ends, in milliseconds since 1970. */
  readonly ends?: number | undefined;
  /** The users with public tokens, to choose from. */
  readonly choices: readonly Choice[];
  /** The page's sandbox; null for none, or for all. Default: the sandbox in the base URL. */
  readonly sandbox?: string | null;
  /** The page's URL, to which the header's forms return. */
  readonly returnTo?: string | undefined;
  /** Whether the gate of the control API admits the browser. */
  readonly isAdmitted?: boolean;
  /** When the console's session ends; undefined without one. */
  readonly consoleEnds?: number | undefined;
  /** The sandboxes used last; empty unless the gate admits the browser. */
  readonly sandboxes?: readonly string[];
  readonly faults?: readonly Pick<CompiledRule, 'rule'>[];
}

declare module '../http/call.ts' {
  interface Call {
    /** Undefined if the answer is no page, or the database is unavailable. */
    visitor?: Visitor | undefined;
  }
}
