// Runs a test in its sandbox, in any runner.
// Shows the journal if the test fails or requests an unserved path.
import { attempt } from '../../base/failure.ts';
import { RequestMismatchError } from './requests.ts';
import type { Sandbox } from './sandbox-client.ts';

export interface TestConditions {
  /** Whether the test may request paths that aren't served. Default: false. */
  readonly allowUnmatched?: boolean;
  /** Whether the test has failed, in a runner where a test can fail without throwing. */
  readonly failed?: () => boolean;
  /**
   * Fails the test when the signal aborts. Only the runner knows the test's time limit: pass `t.signal`
   * of node:test, or an `AbortSignal.timeout(…)` a little below the limit.
   */
  readonly signal?: AbortSignal;
}

/** An error whose message has the requests. A trace would only lead here. */
class ReportError extends Error {
  override readonly stack = String(this);
}

/**
 * Runs a test, and drops its sandbox. If the test throws, prints the sandbox's requests, and throws the
 * error unchanged: a runner may know the error by its type or fields, or show its message on one line.
 */
export async function testInSandbox<T>(
  box: Sandbox,
  test: (box: Sandbox) => T | Promise<T>,
  { allowUnmatched, failed, signal }: TestConditions,
): Promise<T> {
  const over = new AbortController();
  try {
    const result = await Promise.race([test(box), ...(signal ? [untilAborted(signal, over.signal)] : [])]);
    if (failed?.()) throw new ReportError(await reportRequests(box));
    if (!allowUnmatched) await expectServed(box);
    return result;
  } catch (error) {
    // Runners show what tests write to the console.
    // oxlint-disable-next-line no-console
    if (!(error instanceof ReportError)) console.error(await reportRequests(box));
    throw error;
  } finally {
    // The signal may belong to the whole run: this removes our listener.
    over.abort();
    // A sandbox that can't be dropped will expire: no reason to fail the test.
    await box.drop().catch(() => undefined);
  }
}

const untilAborted = (signal: AbortSignal, over: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over });
  });

async function expectServed(box: Sandbox) {
  await box.requests.expect({ unmatched: true }, { times: 0 }).catch((error: unknown) => {
    if (!(error instanceof RequestMismatchError)) throw error;
    const rule = 'A test may only request paths that Understudy serves, unless it sets allowUnmatched.';
    throw new ReportError(`${rule}\n${error.message}`);
  });
}

/** The test's name: Jest and node:test print the console without it, maybe far from the failure. */
function nameTest() {
  const { expect } = globalThis as { expect?: { getState?: () => { currentTestName?: string } } };
  type OfNode = { getTestContext?: () => { fullName: string } | undefined };
  const name = attempt(
    // Only Node 26 and later have `getTestContext`; in other runners it returns undefined.
    () =>
      expect?.getState?.().currentTestName ??
      (process.getBuiltinModule('node:test') as OfNode).getTestContext?.()?.fullName,
  );
  return name === undefined ? '' : ` of the test "${name}"`;
}

/** The journal with a headline. Never rejects: the test's own failure matters more. */
const reportRequests = (box: Sandbox) =>
  box.requests
    .report()
    .then((report) => `Requests to Understudy${nameTest()}, sandbox ${box.name}:\n${report}`)
    .catch((error: unknown) => `The requests to Understudy, sandbox ${box.name}, can't be read: ${String(error)}`);
