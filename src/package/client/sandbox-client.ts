// One sandbox of a running service.
import type { Duration } from '../../base/duration.ts';
import { openRequests } from './requests.ts';
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
  /** Keeps the former state, for an `undo()` within the next hour. */
  readonly undo?: boolean | undefined;
}

export interface LoadOptions extends UndoOption {
  /** Changes nothing; resolves with what would change. */
  readonly check?: boolean | undefined;
  /** Users without a token in the seed keep their tokens. */
  readonly keepTokens?: boolean | undefined;
}

/** A sandbox. Its functions need no `this`. */
export interface Sandbox extends Readonly<ReturnType<typeof openSandbox>> {}

export function openSandbox(transport: Transport, description: CreatedSandbox | SandboxWithUsers) {
  const { read, stream } = transport;
  const { name, users, base_url: baseUrl } = description;
  const tokens = new Map(users.flatMap((user) => ('token' in user ? [[user.username, user.token] as const] : [])));
  const at = (...parts: string[]) => `/sandboxes${pathOf(name, ...parts)}`;
  const exportPieces = (format: 'yaml' | 'json' = 'yaml') => stream('GET', `${at('seed')}?format=${format}`);
  const drop = (): Promise<void> =>
    read('DELETE', at()).catch((error: unknown) => {
      if (!(error instanceof UnderstudyError && error.status === 404)) throw error;
    });

  function headers(username?: string): { Authorization: string } {
    const superuser = users.find((user) => user.is_superuser && tokens.has(user.username))?.username;
    const known = tokens.get(username ?? superuser ?? [...tokens.keys()][0] ?? '');
    if (known !== undefined) return { Authorization: `Token ${known}` };
    const who = username === undefined ? 'any user' : JSON.stringify(username);
    const others = tokens.size === 0 ? '' : `; those known are of ${[...tokens.keys()].join(', ')}`;
    throw new Error(`no token of ${who} is known in sandbox ${name}${others}. Make one: await sandbox.as(username)`);
  }

  async function token(username: string) {
    const made = await read<UserWithToken>('POST', at('tokens'), jsonBody({ username }));
    tokens.set(username, made.token);
    return made.token;
  }

  return {
    name,
    /** The base URL for clients of the Weblate API, without a final slash. */
    baseUrl,
    users: users as readonly SandboxUser[],
    /** The service's description of the sandbox when it was made or opened. */
    description,
    /**
     * The headers that authenticate a user: `{ Authorization: 'Token …' }`.
     * @param username default: among users with a known token, the first superuser, else the first user
     * @throws Error if the user's token isn't known: `as(username)` makes one
     */
    headers,
    /**
     * As `headers`, but for any user of the sandbox: makes a token if none is known.
     * @example
     *   await fetch(url, { headers: await box.as('ada') });
     * @throws UnderstudyError `refused`, status 404, for an unknown user
     */
    async as(username: string): Promise<{ Authorization: string }> {
      if (!tokens.has(username)) await token(username);
      return headers(username);
    },
    /**
     * Makes another token for a user. The token selects the sandbox by itself, and survives a reset.
     * @throws UnderstudyError `refused`, status 404, for an unknown user
     */
    token,
    /** The tokens that were made with the sandbox, and those that `as` and `token` made. */
    tokens: (): Promise<TokenEntry[]> => read('GET', at('tokens')),
    /** @param id the id of the token's entry in `tokens()` */
    revokeToken: (id: string): Promise<void> => read('DELETE', at('tokens', id)),
    /** Returns to the last complete seed, from `seed` or creation. Removes faults, empties the journal. */
    reset: (options?: UndoOption): Promise<void> => read('POST', at('reset') + flags(options)),
    /**
     * Makes the sandbox hold exactly what the seed says. From then on, `reset` returns to this seed.
     * @param content YAML or JSON text, or an object. TypeScript gives texts in imported
     * JSON the type `string`: write `content as Seed`.
     * @throws UnderstudyError `refused` with the seed's errors, with line numbers if `content` is text
     */
    seed(content: string | Seed, options?: LoadOptions): Promise<SeedChanges> {
      const body = typeof content === 'string' ? { type: 'application/yaml', text: content } : jsonBody(content);
      return read('PUT', at('seed') + flags(options), body);
    },
    /** Takes back the last reset, restore or load that had the option `undo`. */
    undo: (): Promise<void> => read('POST', at('undo')),
    snapshot: (snapshot: string): Promise<void> => read('PUT', at('snapshots', snapshot)),
    snapshots: (): Promise<Snapshot[]> => read('GET', at('snapshots')),
    deleteSnapshot: (snapshot: string): Promise<void> => read('DELETE', at('snapshots', snapshot)),
    restore: (snapshot: string, options?: UndoOption): Promise<void> =>
      read('POST', at('snapshots', snapshot, 'restore') + flags(options)),
    /** Resolves with a seed that makes the sandbox again, without tokens. */
    async export(format?: 'yaml' | 'json') {
      return (await Array.fromAsync(exportPieces(format))).join('');
    },
    /** As `export`, piece by piece. */
    exportPieces,
    /** The current time for new dates and rate limits. A reset brings back the seed's `now`. */
    clock: {
      /** The time that the clock is set to; null: the clock runs. */
      get: async () => (await read<{ now: string | null }>('GET', at('clock'))).now,
      /** Stops the clock at a time; null lets it run. */
      set: (now: string | Date | null): Promise<void> => read('PUT', at('clock'), jsonBody({ now })),
      /** Advances the clock by `'90s'`, `'30m'`, `'1h'` or `'2d'` and stops it. Resolves with the time. */
      advance: async (by: Exclude<Duration, number>) =>
        (await read<{ now: string }>('POST', at('clock', 'advance'), jsonBody({ by }))).now,
    },
    faults: {
      set: (rules: readonly FaultRule[]): Promise<FaultInForce[]> => read('PUT', at('faults'), jsonBody({ rules })),
      /** Adds a rule before the others. `remove` takes its `key`. */
      add: (rule: FaultRule): Promise<FaultInForce> => read('POST', at('faults'), jsonBody(rule)),
      remove: (key: string): Promise<void> => read('DELETE', at('faults', key)),
      list: (): Promise<FaultInForce[]> => read('GET', at('faults')),
      clear: (): Promise<void> => read('DELETE', at('faults')),
    },
    requests: openRequests(transport, name),
    /** Deletes the sandbox, as `await using` does. Resolves too if the sandbox is gone. */
    drop,
    [Symbol.asyncDispose]: drop,
  };
}

/** The options that are set, as a query. The service refuses unknown options. */
function flags({ keepTokens, ...same }: LoadOptions = {}) {
  const set = Object.entries({ ...same, keep_tokens: keepTokens }).filter(([, value]) => value);
  return set.length === 0 ? '' : `?${set.map(([name]) => `${name}=true`).join('&')}`;
}
