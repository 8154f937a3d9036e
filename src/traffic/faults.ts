// Injected faults, per sandbox: which rule applies to a request. They are kept in memory.
import { apiError } from '../base/errors.ts';
import { type FaultInForce, type FaultRule, type FaultRules, maxBytes } from './fault-rules.ts';
import { type Received, withTokensRemoved } from './entry.ts';
import { compileMatch, type Matcher } from './match.ts';
import { rangeOf } from './request-match.ts';

export interface Strike extends Pick<CompiledRule, 'rule' | 'body' | 'isText'> {
  readonly delayMs: number;
}

type FindCaller = () => Promise<string | null>;

export type Faults = ReturnType<typeof createFaults>;

export type KeyedRule = ReturnType<Faults['listKeyed']>[number];

interface CompiledRule {
  /** Names are given by clients, and not unique. */
  readonly key: number;
  readonly rule: Omit<FaultInForce, 'body'>;
  /** As it is sent, a text or JSON: a value that was parsed takes many times the memory. */
  readonly body: Buffer | undefined;
  readonly isText: boolean;
  readonly bytes: number;
  readonly matcher: Matcher;
}

type Rules = readonly CompiledRule[];

const isInForce = ({ rule: { expires, struck, next = Infinity } }: CompiledRule) =>
  struck < next && Date.parse(expires) > Date.now();

export function createFaults() {
  const all = new Map<string, Rules>();
  const changes = new Set<{ readonly sandbox: string; isLate: boolean }>();
  let lastKey = 0;

  /** Forgets the rules that have ended. */
  function inForce(sandbox: string): Rules {
    const rules = all.get(sandbox) ?? [];
    const left = rules.filter(isInForce);
    if (left.length === 0) all.delete(sandbox);
    else if (left.length < rules.length) all.set(sandbox, left);
    return left;
  }

  function put(sandbox: string, rules: Rules): void {
    const bytes = bytesOf(rules);
    if (bytes > maxBytes.ofSandbox) throw apiError('faults_limit', `${maxBytes.ofSandbox} bytes in a sandbox`);
    const others = [...all.keys()].flatMap((name) => (name === sandbox ? [] : inForce(name)));
    if (bytes + bytesOf(others) > maxBytes.inAll)
      throw apiError('faults_limit', `${maxBytes.inAll} bytes in all sandboxes together`);
    if (rules.length === 0) all.delete(sandbox);
    else all.set(sandbox, rules);
  }

  /** Replaces the sandbox's rules. Throws ApiError 409 if they are too large. */
  const set = (sandbox: string, { rules }: FaultRules): void =>
    put(
      sandbox,
      rules.map((rule, index) => begin(++lastKey, rule, index + 1)),
    );

  const listKeyed = (sandbox: string) =>
    inForce(sandbox).map(({ key, rule, body, isText }) => {
      const value = () => (isText ? String(body) : (JSON.parse(String(body)) as unknown));
      const shown: FaultInForce = body === undefined ? rule : { ...rule, body: value() };
      return { key, rule: shown };
    });

  return {
    concern: (sandbox: string): boolean => all.has(sandbox),
    /** Whether the body decides if a rule applies. */
    needBody: (sandbox: string, received: Received): boolean =>
      inForce(sandbox).some(
        ({ rule, matcher }) => rule.match?.body !== undefined && matcher.fits(received, ['user', 'body']),
      ),
    set,
    /** Puts a rule before the others, which keep their counts. Throws ApiError 409 if they are too large. */
    add(sandbox: string, rule: FaultRule): void {
      const others = inForce(sandbox);
      put(sandbox, [begin(++lastKey, rule, others.length + 1), ...others]);
    },
    remove: (sandbox: string, key: number): void =>
      put(
        sandbox,
        inForce(sandbox).filter((other) => other.key !== key),
      ),
    clear(sandbox: string): void {
      all.delete(sandbox);
      for (const change of changes) if (change.sandbox === sandbox) change.isLate = true;
    },
    /**
     * Sets the rules that `read` resolves to. Throws ApiError 409 if the sandbox's rules were cleared meanwhile: it
     * may be gone, and another have its name.
     */
    async change(sandbox: string, read: () => Promise<FaultRules>): Promise<void> {
      const change = { sandbox, isLate: false };
      changes.add(change);
      try {
        const rules = await read();
        if (change.isLate) throw apiError('faults_cleared');
        set(sandbox, rules);
      } finally {
        changes.delete(change);
      }
    },
    inForce,
    list: (sandbox: string): readonly FaultInForce[] => listKeyed(sandbox).map(({ rule }) => rule),
    listKeyed,
    /**
     * Returns the first rule that applies, and counts it.
     * @param received without tokens
     * @param findCaller called only if a rule names a user
     */
    async strike(sandbox: string, received: Received, findCaller: FindCaller): Promise<Strike | undefined> {
      for (const compiled of inForce(sandbox)) {
        const { rule, body, isText } = compiled;
        if (!(await fits(compiled, received, findCaller)) || !isInForce(compiled)) continue;
        if (rule.skipped < (rule.skip ?? 0)) {
          rule.skipped++;
          continue;
        }
        rule.struck++;
        const { min, max } = rangeOf(rule.delay_ms ?? 0);
        return { rule, body, isText, delayMs: min + Math.floor(Math.random() * (max - min + 1)) };
      }
      return undefined;
    },
  };
}

async function fits({ rule, matcher }: CompiledRule, received: Received, findCaller: FindCaller): Promise<boolean> {
  const isLookedUp = typeof rule.match?.user === 'string' && received.hasToken && matcher.fits(received, ['user']);
  return matcher.fits(isLookedUp ? { ...received, caller: await findCaller() } : received);
}

const bytesOf = (rules: Rules): number => rules.reduce((sum, { bytes }) => sum + bytes, 0);

/** @param number the rule's name, if it has none */
function begin(key: number, given: FaultRule, number: number): CompiledRule {
  const { expires_in_seconds = 300, body: sent, ...same } = given;
  const rule = {
    name: String(number),
    ...same,
    skipped: 0,
    struck: 0,
    expires: new Date(Date.now() + expires_in_seconds * 1000).toISOString(),
  };
  const isText = typeof sent === 'string';
  const body = sent === undefined ? undefined : Buffer.from(isText ? sent : JSON.stringify(sent));
  const bytes = maxBytes.perRule + Buffer.byteLength(JSON.stringify(given));
  const matcher = compileMatch(withTokensRemoved(given.match ?? {}));
  return { key, rule, body, isText, bytes, matcher };
}
