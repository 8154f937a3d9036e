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
  const all = new Map<string, readonly CompiledRule[]>();
  let lastKey = 0;

  // Forgets a sandbox whose rules have all ended.
  function current(sandbox: string): readonly CompiledRule[] {
    const rules = all.get(sandbox) ?? [];
    if (!rules.some(({ rule }) => isInForce(rule))) all.delete(sandbox);
    return rules;
  }

  const inForce = (sandbox: string): readonly CompiledRule[] => current(sandbox).filter(({ rule }) => isInForce(rule));

  function put(sandbox: string, rules: readonly CompiledRule[]): void {
    for (const name of all.keys()) current(name);
    if (rules.length === 0) all.delete(sandbox);
    else all.set(sandbox, rules);
  }

  return {
    /** True while no sandbox has rules. */
    isIdle: () => all.size === 0,
    /** Replaces the sandbox's rules. */
    set(sandbox: string, { rules }: FaultRules): void {
      const begun = rules.map((rule, index) => compile(++lastKey, begin(rule, index + 1)));
      put(sandbox, begun);
    },
    /** Puts a rule before the others, which keep their counts. */
    add(sandbox: string, rule: FaultRule): void {
      const others = inForce(sandbox);
      const begun = compile(++lastKey, begin(rule, others.length + 1));
      put(sandbox, [begun, ...others]);
    },
    /** The others keep their counts. */
    remove(sandbox: string, key: number): void {
      const others = inForce(sandbox).filter((other) => other.key !== key);
      put(sandbox, others);
    },
    clear: (sandbox: string) => void all.delete(sandbox),
    list: (sandbox: string): readonly FaultInForce[] => inForce(sandbox).map(({ rule }) => rule),
    /** The same with their keys. */
    listKeyed: (sandbox: string): readonly KeyedRule[] => inForce(sandbox),
    /** Returns the first rule that strikes, and counts it. */
    async strike(sandbox: string, { method, path, isUser }: StruckRequest): Promise<Strike | undefined> {
      for (const { rule, isPath } of current(sandbox)) {
        const matches =
          (rule.method === undefined || rule.method === method) &&
          isPath(path) &&
          (rule.user === undefined || (await isUser(rule.user)));
        if (!matches || !isInForce(rule)) continue;
        rule.struck++;
        const { min, max } = rule.delay_ms ?? { min: 0, max: 0 };
        return { rule, delayMs: min + Math.floor(Math.random() * (max - min + 1)) };
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
