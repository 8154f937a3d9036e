// The types of the control API's requests and answers (docs/reference/control-api.md), from its schemas. The
// package has them written out, without the schemas' library (packaging/wire-types.ts).
import type * as requests from '../../sandboxes/sandbox-requests.ts';
import type * as sandboxes from '../../sandboxes/sandbox-schemas.ts';
import type * as rules from '../../traffic/fault-rules.ts';
import type * as journal from '../../traffic/entry.ts';
import type * as find from '../../traffic/journal/journal-schemas.ts';
import type * as match from '../../traffic/request-match.ts';

type Fixed<T> = T extends object ? { readonly [K in keyof T]: Fixed<T[K]> } : T;

export type SandboxDescription = Fixed<sandboxes.Sandbox>;
export type SandboxWithUsers = Fixed<sandboxes.SandboxDetail>;
export type CreatedSandbox = Fixed<sandboxes.NewSandbox>;
export type SandboxUser = SandboxWithUsers['users'][number];
export type UserWithToken = Fixed<sandboxes.UserToken>;
export type Snapshot = Fixed<sandboxes.Snapshot>;
export type TokenEntry = Fixed<sandboxes.TokenEntry>;
export type Seed = Fixed<requests.Seed>;
export type SeedUser = NonNullable<Seed['users']>[number];
export type SeedGroup = NonNullable<Seed['groups']>[number];
export type SeedProject = NonNullable<Seed['projects']>[number];
export type SeedComponent = NonNullable<Seed['components']>[number];
export type SeedOwnSubscription = NonNullable<SeedUser['subscriptions']>[number];
export type SeedSubscription = NonNullable<Seed['subscriptions']>[number];
export type SeedChanges = Readonly<Record<string, Fixed<sandboxes.SeedSummary[string]>>>;
export type FaultRule = Fixed<rules.FaultRule>;
export type FaultInForce = Fixed<rules.FaultInForce>;
export type JournalEntry = Fixed<journal.JournalEntry>;
export type RequestMatch = Fixed<match.RequestMatch>;
export type ExchangeMatch = Fixed<match.ExchangeMatch>;
export type RequestTimes = NonNullable<Fixed<find.RequestsFind>['times']>;
export type RequestsFound = Fixed<find.RequestsFound>;
export type RequestsExpected = Fixed<find.RequestsExpected>;
export type NearMiss = RequestsFound['near_misses'][number];
export type RequestDifference = NearMiss['differs'][number];
