// Injected faults, per sandbox: which rule strikes a request. They are kept in memory.
import type { FaultInForce, FaultRule, FaultRules } from './fault-rules.ts';
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

/** A rule with what it is known by: names are given by clients, and not unique. */
export interface KeyedRule {
  readonly key: number;
  readonly rule: FaultInForce;
}

interface CompiledRule extends KeyedRule {
  readonly isPath: (path: string) => boolean;
}

const isInForce = ({ expires, struck, next = Infinity }: FaultInForce) =>
  struck < next && Date.parse(expires) > Date.now();

export function createFaults() {
  const all = new Map<string, { readonly rules: readonly CompiledRule[]; readonly random: () => number }>();
  let lastKey = 0;

  // Forgets a sandbox whose rules have all ended.
  function current(sandbox: string) {
    const faults = all.get(sandbox);
    if (faults === undefined || faults.rules.some(({ rule }) => isInForce(rule))) return faults;
    all.delete(sandbox);
    return undefined;
  }

  const inForce = (sandbox: string): readonly CompiledRule[] =>
    (current(sandbox)?.rules ?? []).filter(({ rule }) => isInForce(rule));

  function put(sandbox: string, rules: readonly CompiledRule[], random = randomFrom(1)): void {
    for (const name of all.keys()) current(name);
    if (rules.length === 0) all.delete(sandbox);
    else all.set(sandbox, { rules, random });
  }

  return {
    /** True while no sandbox has rules. */
    isIdle: () => all.size === 0,
    /** Replaces the sandbox's rules. */
    set(sandbox: string, { rules, seed = 1 }: FaultRules): void {
      const begun = rules.map((rule, index) => compile(++lastKey, begin(rule, index + 1)));
      put(sandbox, begun, randomFrom(seed));
    },
    /** Puts a rule before the others, which keep their counts. */
    add(sandbox: string, rule: FaultRule): void {
      const others = inForce(sandbox);
      const begun = compile(++lastKey, begin(rule, others.length + 1));
      put(sandbox, [begun, ...others], current(sandbox)?.random);
    },
    /** The others keep their counts. */
    remove: (sandbox: string, key: number): void =>
      put(
        sandbox,
        inForce(sandbox).filter((other) => other.key !== key),
        current(sandbox)?.random,
      ),
    clear: (sandbox: string) => void all.delete(sandbox),
    list: (sandbox: string): readonly FaultInForce[] => inForce(sandbox).map(({ rule }) => rule),
    /** The same with their keys. */
    listKeyed: (sandbox: string): readonly KeyedRule[] => inForce(sandbox),
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
        rule.struck++;
        const { min, max } = rule.delay_ms ?? { min: 0, max: 0 };
        return { rule, delayMs: min + Math.floor(faults.random() * (max - min + 1)) };
      }
      return undefined;
    },
  };
}

/** @param number the rule's name, if it has none */
const begin = ({ delay_ms: delay, expires_in_seconds = 300, ...rule }: FaultRule, number: number): FaultInForce => ({
  name: String(number),
  ...rule,
  ...(delay !== undefined && { delay_ms: typeof delay === 'number' ? { min: delay, max: delay } : delay }),
  struck: 0,
  expires: new Date(Date.now() + expires_in_seconds * 1000).toISOString(),
});

const compile = (key: number, rule: FaultInForce): CompiledRule => ({
  key,
  rule,
  isPath: rule.path === undefined ? () => true : pathPattern(rule.path),
});

// mulberry32: small, and the same everywhere, so that a seed repeats its delays.
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
