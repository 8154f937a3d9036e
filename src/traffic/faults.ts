// Injected faults, per sandbox: which rule strikes a request. They are kept in memory.
import type { FaultInForce, FaultRules } from './fault-rules.ts';
import { pathPattern } from './path-pattern.ts';

export interface Strike {
  readonly rule: Readonly<FaultInForce>;
  readonly delayMs: number;
}

interface StruckRequest {
  readonly method: string;
  /** Under the base, without the query. */
  readonly path: string;
  /** Called only if a rule names a user. */
  readonly isUser: (username: string) => Promise<boolean>;
}

export type Faults = ReturnType<typeof createFaults>;

interface CompiledRule {
  readonly rule: FaultInForce;
  readonly isPath: (path: string) => boolean;
}

const isInForce = ({ expires, struck, next = Infinity }: FaultInForce) =>
  struck < next && Date.parse(expires) > Date.now();

export function createFaults() {
  const all = new Map<string, { readonly rules: readonly CompiledRule[]; readonly random: () => number }>();

  // Forgets a sandbox whose rules have all ended.
  function current(sandbox: string) {
    const faults = all.get(sandbox);
    if (faults === undefined || faults.rules.some(({ rule }) => isInForce(rule))) return faults;
    all.delete(sandbox);
    return undefined;
  }

  return {
    /** True while no sandbox has rules. */
    isIdle: () => all.size === 0,
    /** Replaces the sandbox's rules. */
    set(sandbox: string, { rules, seed = 1 }: FaultRules): void {
      for (const name of all.keys()) current(name);
      const inForce = rules.map(({ delay_ms: delay, expires_in_seconds = 300, ...rule }, index) => ({
        name: String(index + 1),
        ...rule,
        ...(delay !== undefined && { delay_ms: typeof delay === 'number' ? { min: delay, max: delay } : delay }),
        struck: 0,
        expires: new Date(Date.now() + expires_in_seconds * 1000).toISOString(),
      }));
      if (inForce.length === 0) all.delete(sandbox);
      else all.set(sandbox, { rules: inForce.map(compile), random: randomFrom(seed) });
    },
    clear: (sandbox: string) => void all.delete(sandbox),
    list: (sandbox: string): readonly FaultInForce[] =>
      (current(sandbox)?.rules ?? []).map(({ rule }) => rule).filter(isInForce),
    /** Returns the first rule that strikes, and counts it. */
    async strike(sandbox: string, { method, path, isUser }: StruckRequest): Promise<Strike | undefined> {
      const faults = current(sandbox);
      if (faults === undefined) return undefined;
      for (const { rule, isPath } of faults.rules) {
        const matches =
          (rule.method === undefined || rule.method === method) &&
          isPath(path) &&
          (rule.user === undefined || (await isUser(rule.user)));
        if (!matches || !isInForce(rule)) continue;
        if (rule.share !== undefined && faults.random() >= rule.share) continue;
        rule.struck++;
        const { min, max } = rule.delay_ms ?? { min: 0, max: 0 };
        return { rule, delayMs: min + Math.floor(faults.random() * (max - min + 1)) };
      }
      return undefined;
    },
  };
}

const compile = (rule: FaultInForce): CompiledRule => ({
  rule,
  isPath: rule.path === undefined ? () => true : pathPattern(rule.path),
});

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
