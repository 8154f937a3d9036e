// Faults on purpose, per sandbox: which of its rules strikes a request. They live in this process's memory; several services have
// counts of their own.
import type { FaultRule, FaultRules } from './fault-rules.ts';
import { pathPattern } from './path-pattern.ts';

export interface Strike {
  readonly rule: FaultRule;
  readonly delayMs: number;
}

export interface Struck {
  readonly method: string;
  /** Under the base, without the query. */
  readonly path: string;
  /** Asked only where a rule names a user. */
  readonly isUser: (username: string) => Promise<boolean>;
}

interface State {
  readonly rule: FaultRule;
  readonly fitsPath: ((path: string) => boolean) | undefined;
  readonly expiresAt: number;
  struck: number;
}

interface SandboxFaults {
  readonly states: readonly State[];
  readonly random: () => number;
}

export interface Faults {
  /** True while no sandbox has rules. */
  isIdle(): boolean;
  /** Takes the place of the sandbox's former rules. */
  set(sandbox: string, rules: FaultRules): void;
  clear(sandbox: string): void;
  /** What is in force, with how often each has struck. */
  list(sandbox: string): object[];
  /** The first rule that strikes; it is counted. */
  strike(sandbox: string, request: Struck): Promise<Strike | undefined>;
}

export function createFaults(now: () => number = Date.now): Faults {
  const all = new Map<string, SandboxFaults>();

  // What has expired is forgotten, so that nothing is looked for again.
  function current(sandbox: string): SandboxFaults | undefined {
    const faults = all.get(sandbox);
    if (faults === undefined || faults.states.some(isInForce)) return faults;
    all.delete(sandbox);
    return undefined;
  }
  const isInForce = ({ rule, expiresAt, struck }: State) => expiresAt > now() && struck < (rule.next ?? Infinity);

  return {
    isIdle: () => all.size === 0,
    set(sandbox, { rules, seed }) {
      for (const name of all.keys()) current(name);
      const states = rules.map((rule) => ({
        rule,
        fitsPath: rule.path === undefined ? undefined : pathPattern(rule.path),
        expiresAt: now() + rule.expiresInSeconds * 1000,
        struck: 0,
      }));
      if (states.length === 0) all.delete(sandbox);
      else all.set(sandbox, { states, random: randomFrom(seed) });
    },
    clear: (sandbox) => void all.delete(sandbox),
    list: (sandbox) =>
      (current(sandbox)?.states ?? []).filter(isInForce).map(({ rule, expiresAt, struck }) => {
        const { delayMs, expiresInSeconds: _seconds, ...said } = rule;
        return { ...said, delay_ms: delayMs, struck, expires: new Date(expiresAt).toISOString() };
      }),
    async strike(sandbox, request) {
      const faults = current(sandbox);
      for (const state of faults?.states ?? []) {
        const { rule, fitsPath } = state;
        const matches =
          (rule.method === undefined || rule.method === request.method) &&
          (fitsPath === undefined || fitsPath(request.path)) &&
          (rule.user === undefined || (await request.isUser(rule.user)));
        if (!matches || !isInForce(state)) continue;
        const random = (faults as SandboxFaults).random;
        if (rule.share !== undefined && random() >= rule.share) continue;
        state.struck++;
        const { min, max } = rule.delayMs ?? { min: 0, max: 0 };
        return { rule, delayMs: min + Math.floor(random() * (max - min + 1)) };
      }
      return undefined;
    },
  };
}

// mulberry32: small, and the same everywhere, so that a seed gives the same faults again.
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
