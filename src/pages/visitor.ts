// Who is at the browser: pages show this around every answer. session/visitors.ts finds it out.

/** A user with a token that pages show: one that is public, or was made just now. */
export interface Choice {
  readonly username: string;
  readonly token: string;
  readonly is_superuser?: boolean;
  /** What the user is an example of: "ten subscriptions". */
  readonly note?: string;
}

/** Who is at the browser, where the browser is and what it may do, as pages show it around every answer. */
export interface Visitor {
  /** The user that requests act as; undefined for anonymous requests. */
  readonly username?: string | undefined;
  /** That user's token, if it is public. */
  readonly token?: string | undefined;
  /** Whether the token of the browser's session isn't valid any longer. */
  readonly hasEnded?: boolean;
  /** When the browser's session ends, in milliseconds since 1970. */
  readonly ends?: number | undefined;
  /** Users to choose from: those with public tokens. */
  readonly choices: readonly Choice[];
  /** The page's sandbox; null for a page of all sandboxes. If left out, it is the sandbox of the base URL. */
  readonly sandbox?: string | null;
  /** The page's URL, to which the forms of its header return. */
  readonly returnTo?: string | undefined;
  /** Whether the gate of the control API admits the browser. */
  readonly isAdmitted?: boolean;
  /** When the browser's session of the console ends, in milliseconds since 1970, if the console needs one. */
  readonly consoleEnds?: number | undefined;
  /** Names of sandboxes to choose from, those used last; none unless the gate admits the browser. */
  readonly sandboxes?: readonly string[];
  /** The rules in force, such as `429 on /api/**`. `struck` is live, and counts the page that a rule answers too. */
  readonly faults?: readonly {
    effect: string;
    rule: Readonly<Record<'key' | 'expires', string>> & { readonly struck: number };
  }[];
}

declare module '../http/call.ts' {
  interface Call {
    /** Undefined if the answer is no page, or the database is unavailable. */
    visitor?: Visitor | undefined;
  }
}
