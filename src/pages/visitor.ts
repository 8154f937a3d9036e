// Who is at the browser: session/visitors.ts finds this, and pages show it.
import type { CompiledRule } from '../traffic/faults.ts';

/** A user with a token that pages show: a public one, or one that was just made. */
export interface Choice {
  readonly username: string;
  readonly token: string;
  readonly is_superuser?: boolean;
  /** What the user is an example of: "ten subscriptions". */
  readonly note?: string;
}

/** What pages show around an answer: who is at the browser, where it is, and what it may do. */
export interface Visitor {
  /** The user as whom requests act; undefined for anonymous requests. */
  readonly username?: string | undefined;
  /** That user's token, if it is public. */
  readonly token?: string | undefined;
  /** Whether the token of the browser's session isn't valid any longer. */
  readonly hasEnded?: boolean;
  /** When the browser's session ends, in milliseconds since 1970. */
  readonly ends?: number | undefined;
  /** The users with public tokens, to choose from. */
  readonly choices: readonly Choice[];
  /** The page's sandbox; null for all sandboxes. If left out, the sandbox in the base URL. */
  readonly sandbox?: string | null;
  /** The page's URL, to which the forms of its header return. */
  readonly returnTo?: string | undefined;
  /** Whether the gate of the control API admits the browser. */
  readonly isAdmitted?: boolean;
  /** When the console's session ends, in milliseconds since 1970, if it needs one. */
  readonly consoleEnds?: number | undefined;
  /** The sandboxes that were used last; empty unless the gate admits the browser. */
  readonly sandboxes?: readonly string[];
  /** The rules in force. Their counts are live: they include the page's own request. */
  readonly faults?: readonly Pick<CompiledRule, 'rule'>[];
}

declare module '../http/call.ts' {
  interface Call {
    /** Undefined if the answer is no page, or the database is unavailable. */
    visitor?: Visitor | undefined;
  }
}
