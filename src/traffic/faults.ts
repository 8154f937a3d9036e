// The fault rules of each sandbox, in memory, and which of them applies to a request.
import { apiError } from '../base/errors.ts';
import { describeFault, type FaultInForce, type FaultRule, maxBytes, maxRules } from './fault-rules.ts';
import { idOf, type Received, removeTokens } from './entry.ts';
import { compileMatch } from './match.ts';
import { rangeOf } from './request-match.ts';

export type Faults = ReturnType<typeof createFaults>;

export type CompiledRule = ReturnType<typeof begin>;
type Rules = readonly CompiledRule[];

const isInForce = ({ endsAt }: CompiledRule) => endsAt > Date.now();

/** How long the console shows rules that have ended: they explain past answers. */
const endedShownMs = 300_000;
const maxEnded = 20;

/** @param findSandbox rejects for a name that no sandbox has */
export function createFaults(findSandbox: (name: string) => Promise<unknown>) {
  const all = new Map<string, Rules>();
  const ended = new Map<string, readonly EndedRule[]>();
  const changes = new Set<{ readonly sandbox: string; isLate: boolean }>();

  /** Returns the rules in force, and moves the others to `ended`. */
  function inForce(sandbox: string): Rules {
    const rules = all.get(sandbox) ?? [];
    const left = rules.filter(isInForce);
    if (left.length === rules.length) return left;
    const justEnded = rules.filter((one) => !left.includes(one)).map(describeEnded);
    ended.set(sandbox, [...justEnded, ...endedIn(sandbox)].slice(0, maxEnded));
    if (left.length === 0) all.delete(sandbox);
    else all.set(sandbox, left);
    return left;
  }

  /** The rules that ended by themselves in the last five minutes. */
  function endedIn(sandbox: string): readonly EndedRule[] {
    return (ended.get(sandbox) ?? []).filter(({ at }) => at > Date.now() - endedShownMs);
  }

  function put(sandbox: string, rules: Rules) {
    const bytes = bytesOf(rules);
    if (rules.length > maxRules) throw apiError('faults_limit', `${maxRules} entries in a sandbox`);
    if (bytes > maxBytes.ofSandbox) throw apiError('faults_limit', `${maxBytes.ofSandbox} bytes in a sandbox`);
    const others = [...all.keys()].flatMap((name) => (name === sandbox ? [] : inForce(name)));
    if (bytes + bytesOf(others) > maxBytes.inAll)
      throw apiError('faults_limit', `${maxBytes.inAll} bytes in all sandboxes together`);
    if (rules.length === 0) all.delete(sandbox);
    else all.set(sandbox, rules);
  }

  function clear(sandbox: string) {
    all.delete(sandbox);
    ended.delete(sandbox);
    for (const begun of changes) if (begun.sandbox === sandbox) begun.isLate = true;
  }

  /** Throws ApiError 409 if the rules are cleared, or the sandbox is deleted, during `read`. */
  async function change<T, R>(sandbox: string, read: () => Promise<T>, apply: (read: T) => R) {
    const begun = { sandbox, isLate: false };
    changes.add(begun);
    try {
      await findSandbox(sandbox);
      const found = await read();
      if (begun.isLate) throw apiError('faults_cleared');
      return apply(found);
    } finally {
      changes.delete(begun);
    }
  }

  return {
    hasRules: (sandbox: string) => all.has(sandbox),
    /** Sets the rules that `read` resolves to. Throws ApiError 409 above the limits. */
    replace: (sandbox: string, read: () => Promise<{ rules: FaultRule[] }>): Promise<FaultInForce[]> =>
      change(sandbox, read, ({ rules }) => {
        const begun = rules.map((rule, index) => begin(rule, index + 1));
        put(sandbox, begun);
        return begun.map(shown);
      }),
    /** Puts a rule before the others, whose counts stay. */
    add: (sandbox: string, read: () => Promise<FaultRule>): Promise<FaultInForce> =>
      change(sandbox, read, (given) => {
        const others = inForce(sandbox);
        const added = begin(given, others.length + 1);
        put(sandbox, [added, ...others]);
        return shown(added);
      }),
    /** Removes the rule with the key; without a key, all. Resolves to false if no rule has the key. */
    async remove(sandbox: string, key?: string) {
      await findSandbox(sandbox);
      const rules = inForce(sandbox);
      const left = rules.filter(({ rule }) => rule.key !== key);
      if (key === undefined) clear(sandbox);
      else put(sandbox, left);
      return key === undefined || left.length < rules.length;
    },
    async list(sandbox: string): Promise<FaultInForce[]> {
      await findSandbox(sandbox);
      return inForce(sandbox).map(shown);
    },
    clear,
    inForce,
    endedIn,
    /**
     * Finds the first rule that applies, and counts the request.
     * @param findCaller called at most once, and only if a rule names a user
     * @param admit called with the delay, before the count; throws if too many requests are delayed
     */
    async strike(
      sandbox: string,
      received: Received,
      findCaller: () => Promise<string | null>,
      admit: (delayMs: number) => void,
    ): Promise<CompiledRule | undefined> {
      let known = received;
      for (const compiled of inForce(sandbox)) {
        const { rule, matcher } = compiled;
        const isOfUser = typeof rule.match?.user === 'string' && received.hasToken;
        if (isOfUser && known === received && matcher.fits(received, ['user']))
          known = { ...received, caller: await findCaller() };
        if (!matcher.fits(known) || !isInForce(compiled)) continue;
        if (rule.skipped < (rule.skip ?? 0)) {
          rule.skipped++;
          continue;
        }
        const { min, max } = rangeOf(rule.delay_ms ?? 0);
        admit(min + Math.floor(Math.random() * (max - min + 1)));
        rule.struck++;
        if (rule.struck === rule.next) compiled.endsAt = Date.now();
        return compiled;
      }
      return undefined;
    },
  };
}

const bytesOf = (rules: Rules) => rules.reduce((sum, { bytes }) => sum + bytes, 0);

/** A rule that ended by itself: what it did, and when it ended. */
export type EndedRule = ReturnType<typeof describeEnded>;

const describeEnded = ({ rule, endsAt: at }: CompiledRule) => ({
  name: rule.name,
  effect: describeFault(rule),
  struck: rule.struck,
  at,
});

function shown({ rule, body, isText }: CompiledRule): FaultInForce {
  if (body === undefined) return rule;
  return { ...rule, body: isText ? String(body) : (JSON.parse(String(body)) as unknown) };
}

// Unlike names, which clients give, keys are unique in this process.
let lastKey = 0;

/** @param number the rule's name, unless the client gives one */
function begin(given: FaultRule, number: number) {
  const { expires_in_seconds = 300, body: sent, ...same } = given;
  const endsAt = Date.now() + expires_in_seconds * 1000;
  const rule = {
    key: idOf(++lastKey),
    name: String(number),
    ...same,
    skipped: 0,
    struck: 0,
    expires: new Date(endsAt).toISOString(),
  };
  const isText = typeof sent === 'string';
  // Bytes take far less memory than a parsed value.
  const body = sent === undefined ? undefined : Buffer.from(isText ? sent : JSON.stringify(sent));
  const bytes = maxBytes.perRule + Buffer.byteLength(JSON.stringify(given));
  const matcher = compileMatch(removeTokens(given.match ?? {}));
  return { rule, body, isText, bytes, matcher, endsAt };
}
