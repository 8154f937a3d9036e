// The end of a test in its sandbox, in any runner: the journal where it failed or requested what isn't served.
import { attempt } from '../../base/failure.ts';
import { RequestMismatchError } from './requests.ts';
import type { Sandbox } from './sandbox-client.ts';

export interface TestConditions {
  /** Whether the test may request paths that aren't served; false if left out. */
  readonly allowUnmatched?: boolean;
  /** For a runner in which a test fails without throwing: whether it has failed. */
  readonly failed?: () => boolean;
  /**
   * Fails the test when it aborts. Only the runner knows of its time-out: pass `t.signal` of node:test, or
   * `AbortSignal.timeout(…)` of a little less than the runner's limit.
   */
  readonly signal?: AbortSignal;
}

/** Shows the requests itself, and has no trace, which would only lead into this file. */
class ReportError extends Error {
  override readonly stack = String(this);
}

/**
 * Runs a test, and drops its sandbox. If the test throws, the requests that its sandbox received are printed beside
 * the error, which is unchanged: a runner may know it by its type or its fields, or show its message on one line.
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
    // Runners know which test writes to the console.
    // oxlint-disable-next-line no-console
    if (!(error instanceof ReportError)) console.error(await reportRequests(box));
    throw error;
  } finally {
    // The signal may be that of a whole run.
    over.abort();
    // A sandbox that can't be dropped expires: no reason to fail the test.
    await box.drop().catch(() => undefined);
  }
}

const untilAborted = (signal: AbortSignal, over: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over });
  });

async function expectServed(box: Sandbox): Promise<void> {
  await box.requests.expect({ unmatched: true }, { times: 0 }).catch((error: unknown) => {
    if (!(error instanceof RequestMismatchError)) throw error;
    const rule = 'A test may only request paths that Understudy serves, unless it sets allowUnmatched.';
    throw new ReportError(`${rule}\n${error.message}`);
  });
}

/** What Jest and node:test show of a console doesn't name the test, and may be far from its failure. */
function nameTest(): string {
  const { expect } = globalThis as { expect?: { getState?: () => { currentTestName?: string } } };
  type OfNode = { getTestContext?: () => { fullName: string } | undefined };
  const name = attempt(
    // `getTestContext` exists from Node 26 on; in other runners it returns undefined.
    () =>
      expect?.getState?.().currentTestName ??
      (process.getBuiltinModule('node:test') as OfNode).getTestContext?.()?.fullName,
  );
  return name === undefined ? '' : ` of the test "${name}"`;
}

/** The journal with a headline. It never fails, because the test's own failure matters more. */
const reportRequests = (box: Sandbox): Promise<string> =>
  box.requests
    .report()
    .then((report) => `Requests to Understudy${nameTest()}, sandbox ${box.name}:\n${report}`)
    .catch((error: unknown) => `The requests to Understudy, sandbox ${box.name}, can't be read: ${String(error)}`);
