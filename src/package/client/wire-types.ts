// What the own API sends and takes, as docs/reference/own-api.md describes it. Written by hand, so that the published types
// need no library; test/client holds them against the schemas.
import type { ServiceFault } from './understudy-error.ts';

export interface SandboxDescription {
  readonly name: string;
  /** What clients of the mirrored API take for its base. */
  readonly base_url: string;
  readonly seed: string | null;
  /** ISO 8601. */
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

/** A token that was created for a sandbox, without its text. */
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
  readonly token: string | null;
  readonly users: readonly UserWithToken[];
}

/** Rows by table. */
export type SeedChanges = Readonly<
  Record<
    string,
    { readonly created: number; readonly updated: number; readonly unchanged: number; readonly removed: number }
  >
>;

/** A fault that is injected. */
export interface FaultRule {
  /** Shown in X-Understudy-Fault. */
  readonly name?: string;
  /** In capitals. */
  readonly method?: string;
  /** Under the base URL; `*` stands for one part of it, `**` for any. */
  readonly path?: string;
  /** Whose token the request carries. */
  readonly user?: string;
  /** Answered in place of the request, which is not executed. */
  readonly status?: number;
  /** With a status: JSON, or a text that is sent as it is. From 400 on, the error of the status if left out. */
  readonly body?: unknown;
  /** With a status. */
  readonly headers?: Readonly<Record<string, string | number>>;
  /**
   * `close`: no answer, and the request is not executed; `cut`: the request is executed, and the connection breaks in
   * the middle of the answer.
   */
  readonly connection?: 'close' | 'cut';
  readonly delay_ms?: number | { readonly min: number; readonly max: number };
  /** Strikes so many times. */
  readonly next?: number;
  /** 300 if left out. */
  readonly expires_in_seconds?: number;
}

export interface FaultInForce extends Omit<FaultRule, 'headers' | 'delay_ms' | 'expires_in_seconds'> {
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay_ms?: { readonly min: number; readonly max: number };
  readonly struck: number;
  readonly expires: string;
}

/** A request that a sandbox received, without tokens; bodies are cut after 2,000 characters. */
export interface JournalEntry {
  /** Another one for each entry. */
  readonly id: string;
  /** ISO 8601: when it arrived. */
  readonly at: string;
  readonly method: string;
  /** Under the base URL, without the query. */
  readonly path: string;
  readonly query: string;
  /** 0 if the connection was closed instead. */
  readonly status: number;
  readonly duration_ms: number;
  /** The user of the token, by the name that the user had when the request came. */
  readonly principal: string | null;
  readonly principal_id: number | null;
  /** Whether no such path is served. */
  readonly unmatched: boolean;
  /** The rule that struck. */
  readonly fault: string | null;
  /** X-Understudy-Hint of the response. */
  readonly hint: string | null;
  /** X-Understudy-Not-Mirrored of the response: what Weblate has and Understudy doesn't. */
  readonly not_mirrored: string | null;
  /** The first error of the response. */
  readonly error: ServiceFault | null;
  /** Those of Accept, Content-Type, User-Agent and X-Request-Id that it had, in lower case. */
  readonly request_headers: Readonly<Record<string, string>>;
  /** Those of Allow, Location, Retry-After and X-RateLimit-* that it had, in lower case. */
  readonly response_headers: Readonly<Record<string, string>>;
  /** Whether a form or script of a page sent it. */
  readonly from_page: boolean;
  readonly request_body: string | null;
  readonly response_body: string | null;
}

/** What the journal doesn't have any more, since it was last empty. */
export interface JournalDropped {
  /** How many requests. */
  readonly dropped: number;
  /** How many of the requests that it has lost their bodies. */
  readonly dropped_bodies: number;
}

/** What a request must have: every field that is given must fit. */
export interface RequestMatch {
  /** In upper or lower case. */
  readonly method?: string;
  /** Under the base URL; `*` stands for one part of it, `**` for any. */
  readonly path?: string;
  /** The user of the token; null for a request without a token. */
  readonly user?: string | null;
  /** Values that the query has, decoded. It may have others. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /**
   * A part of the JSON: an object needs to have only the keys given here; a list must have as many entries; anything else must be
   * equal. A form counts as an object of texts.
   */
  readonly body?: unknown;
  /** 404, or `4xx`; 0 if the connection was closed instead. */
  readonly status?: number | string;
  /** Whether no such path is served. */
  readonly unmatched?: boolean;
  /** The name of the fault rule that struck. */
  readonly fault?: string;
}

/** Exactly so many, or at least `min` and at most `max`. */
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
  /** The first field that differs. */
  readonly differs: RequestDifference;
}

export interface RequestsFound extends JournalDropped {
  readonly count: number;
  /** How many others may have matched, which the journal can't compare any more. */
  readonly lost: number;
  /** Whether there are as many as expected, however many of the lost ones matched. */
  readonly matched: boolean;
  /** Those that match, oldest first. */
  readonly requests: readonly JournalEntry[];
  /** Where there are too few: at most five others, those of the same path first, then the latest. */
  readonly near_misses: readonly NearMiss[];
}
