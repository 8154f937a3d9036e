// Who is at the browser, as pages show it.

export interface Choice {
  readonly username: string;
  /** A public token. */
  readonly token: string;
  /** What the user shows: "ten subscriptions". */
  readonly note: string;
}

export interface Visitor {
  /** The user that requests act as; undefined for anonymous ones. */
  readonly username?: string;
  /** Of that user, if it is public. */
  readonly token?: string;
  /** Whether the token of the browser's session isn't valid any longer. */
  readonly hasEnded?: boolean;
  /** Users to choose from: those with public tokens. */
  readonly choices: readonly Choice[];
}
