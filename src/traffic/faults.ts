// Injected faults, per sandbox: which rule strikes a request. They are kept in memory.
import type { FaultInForce, FaultRules } from './fault-rules.ts';
import { pathPattern } from './path-pattern.ts';

export type StrikingRule = Omit<FaultInForce, 'struck' | 'expires'> & { readonly name: string };

export interface Strike {
  readonly rule: StrikingRule;
  readonly delayMs: number;
}

export interface Struck {
  readonly method: string;
  /** Under the base, without the query. */
  readonly path: string;
  /** Called only if a rule names a user. */
  readonly isUser: (username: string) => Promise<boolean>;
}

interface State {
  readonly rule: StrikingRule;
  readonly fitsPath: ((path: string) => boolean) | undefined;
  readonly expiresAt: number;
  struck: number;
}

export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  const all = new Map<string, { readonly states: readonly State[]; readonly random: () => number }>();

  // Forgets a sandbox whose rules have all ended.
  function current(sandbox: string) {
    const faults = all.get(sandbox);
    if (faults === undefined || faults.states.some(isInForce)) return faults;
    all.delete(sandbox);
    return undefined;
  }
  const isInForce = ({ rule, expiresAt, struck }: State) => expiresAt > Date.now() && struck < (rule.next ?? Infinity);

  return {
    /** True while no sandbox has rules. */
    isIdle: () => all.size === 0,
    /** Replaces the sandbox's rules. */
    set(sandbox: string, { rules, seed = 1 }: FaultRules): void {
      for (const name of all.keys()) current(name);
      const states = rules.map(({ delay_ms, expires_in_seconds = 300, ...rule }, index) => ({
        rule: {
          name: String(index + 1),
          ...rule,
          ...(delay_ms !== undefined && {
            delay_ms: typeof delay_ms === 'number' ? { min: delay_ms, max: delay_ms } : delay_ms,
          }),
        },
        fitsPath: rule.path === undefined ? undefined : pathPattern(rule.path),
        expiresAt: Date.now() + expires_in_seconds * 1000,
        struck: 0,
      }));
      if (states.length === 0) all.delete(sandbox);
      else all.set(sandbox, { states, random: randomFrom(seed) });
    },
    clear: (sandbox: string) => void all.delete(sandbox),
    list: (sandbox: string): FaultInForce[] =>
      (current(sandbox)?.states ?? [])
        .filter(isInForce)
        .map(({ rule, expiresAt, struck }) => ({ ...rule, struck, expires: new Date(expiresAt).toISOString() })),
    /** Returns the first rule that strikes, and counts it. */
    async strike(sandbox: string, request: Struck): Promise<Strike | undefined> {
      const faults = current(sandbox);
      if (faults === undefined) return undefined;
      for (const state of faults.states) {
        const { rule, fitsPath } = state;
        const matches =
          (rule.method === undefined || rule.method === request.method) &&
          (fitsPath === undefined || fitsPath(request.path)) &&
          (rule.user === undefined || (await request.isUser(rule.user)));
        if (!matches || !isInForce(state)) continue;
        if (rule.share !== undefined && faults.random() >= rule.share) continue;
        state.struck++;
        const { min, max } = rule.delay_ms ?? { min: 0, max: 0 };
        return { rule, delayMs: min + Math.floor(faults.random() * (max - min + 1)) };
      }
      return undefined;
    },
  };
}

// mulberry32: small, and the same everywhere, so that a seed repeats its faults.
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
