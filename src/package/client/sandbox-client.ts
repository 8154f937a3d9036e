// One sandbox of a running service.
import type { Duration } from '../../base/duration.ts';
import { openRequests, type Requests } from './requests.ts';
import { jsonBody, pathOf, type Transport } from './transport.ts';
import { UnderstudyError } from './understudy-error.ts';
import type {
  CreatedSandbox,
  FaultInForce,
  FaultRule,
  SandboxUser,
  SandboxWithUsers,
  Seed,
  SeedChanges,
  Snapshot,
  TokenEntry,
  UserWithToken,
} from './wire-types.ts';

export interface UndoOption {
  /** Keeps what was, for an `undo()` within the next hour. */
  readonly undo?: boolean | undefined;
}

export interface LoadOptions extends UndoOption {
  /** Changes nothing, and resolves with what would change. */
  readonly check?: boolean | undefined;
  /** Users whom the seed gives no token keep theirs. */
  readonly keepTokens?: boolean | undefined;
}

export interface Sandbox extends AsyncDisposable {
  readonly name: string;
  /** The base URL for clients of the mirrored API, without a final slash. */
  readonly baseUrl: string;
  readonly users: readonly SandboxUser[];
  /** As the service described the sandbox when it was made or opened. */
  readonly description: CreatedSandbox | SandboxWithUsers;
  /**
   * The headers that authenticate a user: `{ Authorization: 'Token …' }`.
   *
   * @param username the first superuser, else the first user, if left out
   * @throws Error if the user's token isn't known; `token(username)` makes one
   */
  headers(username?: string): { Authorization: string };
  /**
   * Makes a further token for a user. It chooses the sandbox by itself, and survives reset and restore.
   * @throws UnderstudyError `refused`, status 404, for an unknown user
   */
  token(username: string): Promise<string>;
  /** The tokens that were created for the sandbox, in any of these ways. */
  tokens(): Promise<TokenEntry[]>;
  /** @param id of its entry in `tokens()` */
  revokeToken(id: string): Promise<void>;
  /** Restores the state that the sandbox was created with. Its faults and its journal are emptied. */
  reset(options?: UndoOption): Promise<void>;
  /**
   * Leaves exactly what the seed says; the sandbox resets to that from then on.
   *
   * @param content YAML or JSON text, or an object. `object` admits JSON whose texts TypeScript knows only as
   * `string`.
   * @throws UnderstudyError `refused` with all errors, each with its line
   */
  seed(content: string | Seed | object, options?: LoadOptions): Promise<SeedChanges>;
  /** Takes back the last reset, restore or load that was asked to keep what was. */
  undo(): Promise<void>;
  snapshot(name: string): Promise<void>;
  snapshots(): Promise<Snapshot[]>;
  deleteSnapshot(name: string): Promise<void>;
  restore(name: string, options?: UndoOption): Promise<void>;
  /** The sandbox as a seed that makes it again, without tokens. */
  export(format?: 'yaml' | 'json'): Promise<string>;
  /** The same, piece by piece. */
  exportPieces(format?: 'yaml' | 'json'): AsyncIterable<string>;
  /** The present of the mirrored API, for dates and rate limits. A reset brings the seed's `now` back. */
  readonly clock: {
    /** What it is set to; null: it runs. */
    get(): Promise<string | null>;
    /** A clock that is set stands still; null lets it run. */
    set(now: string | Date | null): Promise<void>;
    /** Adds `'90s'`, `'30m'`, `'1h'` or `'2d'`, to the present if it runs. Resolves with the moment that it shows then. */
    advance(by: Exclude<Duration, number>): Promise<string>;
  };
  readonly faults: {
    set(rules: readonly FaultRule[]): Promise<FaultInForce[]>;
    /** Adds a rule before the others. Its `key` removes it. */
    add(rule: FaultRule): Promise<FaultInForce>;
    remove(key: string): Promise<void>;
    list(): Promise<FaultInForce[]>;
    clear(): Promise<void>;
  };
  readonly requests: Requests;
  /** Also done by `await using`. A sandbox that is dropped already is no error. */
  drop(): Promise<void>;
}

export function openSandbox(transport: Transport, description: CreatedSandbox | SandboxWithUsers): Sandbox {
  const { read, stream } = transport;
  const { name, users, base_url: baseUrl } = description;
  const tokens = new Map(users.flatMap((user) => ('token' in user ? [[user.username, user.token] as const] : [])));
  const at = (...parts: string[]) => `/sandboxes${pathOf(name, ...parts)}`;
  const exportPieces = (format = 'yaml') => stream('GET', `${at('seed')}?format=${format}`);
  const drop = () => read('DELETE', at()).catch(ignoreUnknown);

  const first = () =>
    users.find((user) => user.is_superuser && tokens.has(user.username))?.username ?? [...tokens.keys()][0] ?? '';

  return {
    name,
    baseUrl,
    users,
    description,
    headers(username) {
      const token = tokens.get(username ?? first());
      if (token !== undefined) return { Authorization: `Token ${token}` };
      const who = username === undefined ? 'any user' : JSON.stringify(username);
      const known = tokens.size === 0 ? '' : `; those known are of ${[...tokens.keys()].join(', ')}`;
      throw new Error(
        `no token of ${who} is known in sandbox ${name}${known}. Make one: await sandbox.token(username)`,
      );
    },
    async token(username) {
      const { token } = await read<UserWithToken>('POST', at('tokens'), jsonBody({ username }));
      tokens.set(username, token);
      return token;
    },
    tokens: () => read('GET', at('tokens')),
    revokeToken: (id) => read('DELETE', at('tokens', id)),
    reset: (options) => read('POST', at('reset') + flags(options)),
    seed: (content, options) =>
      read(
        'PUT',
        at('seed') + flags(options),
        typeof content === 'string' ? { type: 'application/yaml', text: content } : jsonBody(content),
      ),
    snapshot: (snapshot) => read('PUT', at('snapshots', snapshot)),
    snapshots: () => read('GET', at('snapshots')),
    deleteSnapshot: (snapshot) => read('DELETE', at('snapshots', snapshot)),
    restore: (snapshot, options) => read('POST', at('snapshots', snapshot, 'restore') + flags(options)),
    undo: () => read('POST', at('undo')),
    async export(format) {
      let text = '';
      for await (const piece of exportPieces(format)) text += piece;
      return text;
    },
    exportPieces,
    clock: {
      get: async () => (await read<{ now: string | null }>('GET', at('clock'))).now,
      set: (now) => read('PUT', at('clock'), jsonBody({ now })),
      advance: async (by) => (await read<{ now: string }>('POST', at('clock', 'advance'), jsonBody({ by }))).now,
    },
    faults: {
      set: (rules) => read('PUT', at('faults'), jsonBody({ rules })),
      add: (rule) => read('POST', at('faults'), jsonBody(rule)),
      remove: (key) => read('DELETE', at('faults', key)),
      list: () => read('GET', at('faults')),
      clear: () => read('DELETE', at('faults')),
    },
    requests: openRequests(transport, name),
    drop,
    [Symbol.asyncDispose]: drop,
  };
}

/** Those that are set, as a query; the service refuses what it doesn't know. */
function flags({ keepTokens, ...same }: LoadOptions = {}): string {
  const set = Object.entries({ ...same, keep_tokens: keepTokens }).filter(([, value]) => value);
  return set.length === 0 ? '' : `?${set.map(([name]) => `${name}=true`).join('&')}`;
}

function ignoreUnknown(error: unknown): void {
  if (!(error instanceof UnderstudyError && error.status === 404)) throw error;
}
