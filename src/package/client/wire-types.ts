// What the own API sends and takes (docs/reference/own-api.md), written by packaging/write-wire-types.ts from the schemas.

export interface SandboxDescription {
  readonly name: string;
  /** What clients take for the base of the API. */
  readonly base_url: string;
  readonly seed: string | null;
  readonly created: string;
  readonly expires: string | null;
  readonly expires_in_seconds: number | null;
  readonly snapshots: readonly string[];
}

export interface SandboxUser {
  readonly username: string;
  readonly is_superuser: boolean;
}

export interface UserWithToken extends SandboxUser {
  readonly token: string;
}

export interface TokenEntry {
  /** The first 16 digits of its SHA-256. */
  readonly id: string;
  readonly username: string;
  readonly created: string;
}

export interface SandboxWithUsers extends SandboxDescription {
  readonly users: readonly SandboxUser[];
}

export interface CreatedSandbox extends SandboxDescription {
  /** That of the first superuser, else of the first user. */
  readonly token: string | null;
  /** The first users, each with a token that is shown this once. */
  readonly users: readonly UserWithToken[];
}

/** Rows by table. */
export type SeedChanges = Readonly<
  Record<
    string,
    { readonly created: number; readonly updated: number; readonly unchanged: number; readonly removed: number }
  >
>;

/** What a request must have: every field that is given must fit. */
export interface RequestMatch {
  /** In upper or lower case. */
  readonly method?: string;
  /** Under the base; `*` stands for one part of it, `**` for any. */
  readonly path?: string;
  /** The user of the token; null for a request without a token. */
  readonly user?: string | null;
  /** Values that the query has, decoded. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Texts that headers contain, in upper or lower case. Of accept, content-type, user-agent, x-request-id. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * A part of the JSON or form: an object needs to have only the keys given here; a list must have as many
   * entries.
   */
  readonly body?: unknown;
}

export interface FaultRule {
  /** Shown in X-Understudy-Fault; the rule’s number if left out. */
  readonly name?: string;
  readonly match?: RequestMatch;
  /** Answered in place of the request, which is not executed. */
  readonly status?: number;
  /** With a status: JSON, or a text that is sent as it is. From 400 on, the error of the status if left out. */
  readonly body?: unknown;
  /**
   * `close`: no answer, and the request is not executed; `cut`: the request is executed, and the connection breaks
   * in the middle of the answer.
   */
  readonly connection?: 'close' | 'cut';
  /** With a status. */
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly delay_ms?: number | { readonly min: number; readonly max: number };
  /** So many that match pass first. */
  readonly skip?: number;
  /** Strikes so many times; then it no longer matches. */
  readonly next?: number;
  readonly expires_in_seconds?: number;
}

export interface FaultInForce extends Omit<FaultRule, 'name' | 'expires_in_seconds'> {
  /** Shown in X-Understudy-Fault; the rule’s number if left out. */
  readonly name: string;
  /** How many passed by `skip`. */
  readonly skipped: number;
  readonly struck: number;
  readonly expires: string;
}

/** A request without tokens. Bodies are cut after 2000 characters. */
export interface JournalEntry {
  /** Another one for each entry, also of other services. */
  readonly id: string;
  /** The same for the same request: without times, ids and headers. */
  readonly line: string;
  /** When it arrived. */
  readonly at: string;
  readonly method: string;
  /** Under the base, without the query. */
  readonly path: string;
  readonly query: string;
  /** 0 if the connection was closed instead. */
  readonly status: number;
  readonly duration_ms: number;
  /** The user of the token when the request came. */
  readonly principal: string | null;
  readonly principal_id: number | null;
  /** Whether no such path is served. */
  readonly unmatched: boolean;
  /** The rule that struck. */
  readonly fault: string | null;
  /** The value of X-Understudy-Hint. */
  readonly hint: string | null;
  /** The value of X-Understudy-Not-Mirrored. */
  readonly not_mirrored: string | null;
  /** The first error of the response. */
  readonly error: { readonly code: string; readonly detail: string; readonly attr: string | null } | null;
  /** Of these, those that the request has: accept, content-type, user-agent, x-request-id. */
  readonly request_headers: Readonly<Record<string, string>>;
  /**
   * Of these, those that the response has: allow, location, retry-after, x-ratelimit-limit, x-ratelimit-remaining,
   * x-ratelimit-reset.
   */
  readonly response_headers: Readonly<Record<string, string>>;
  /** Whether a page of this service sent it. */
  readonly from_page: boolean;
  readonly request_body: string | null;
  readonly response_body: string | null;
}

export interface JournalDropped {
  /** Requests that the journal has dropped since it was emptied. */
  readonly dropped: number;
  /** Requests that it still has, without their bodies. */
  readonly dropped_bodies: number;
}

export interface ExchangeMatch extends RequestMatch {
  /** 404, or `4xx`; 0 if the connection was closed instead. */
  readonly status?: number | string;
  /** Whether no such path is served. */
  readonly unmatched?: boolean;
  /** The name of the rule that struck. */
  readonly fault?: string;
}

/** How many are expected; at least 1 if left out. */
export type RequestTimes = number | { readonly min?: number; readonly max?: number };

export interface RequestDifference {
  /** `method`, `query.page`, `body.scope` */
  readonly field: string;
  readonly expected: unknown;
  /** Left out if the request has no such value. */
  readonly received?: unknown;
  /** Why there is no value to compare with. */
  readonly reason?: string;
}

export interface NearMiss {
  readonly request: JournalEntry;
  readonly differs: RequestDifference;
}

export interface RequestsFound extends JournalDropped {
  readonly count: number;
  /** Further ones that may match: those that were dropped, and if `body` is given, those whose body was. */
  readonly lost: number;
  /** Whether there are as many as expected, however many of the lost ones match. */
  readonly matched: boolean;
  /** Those that match, oldest first. */
  readonly requests: readonly JournalEntry[];
  /**
   * Where there are too few: at most five of the others, those of the same path first, then the latest; each with
   * the first field that differs.
   */
  readonly near_misses: readonly NearMiss[];
}
