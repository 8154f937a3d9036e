// What a test needs of its sandbox at its end, in any test runner: the journal where it failed, and a failure where it requested
// what isn't served.
import { describeRequests } from './describe-requests.ts';
import type { Sandbox } from './sandbox-client.ts';

export interface TestConditions {
  /** Whether the test may request paths that aren't served; false if left out. */
  readonly allowUnmatched?: boolean;
  /** For a runner in which a test fails without throwing: whether it has failed. */
  readonly failed?: () => boolean;
  /**
   * Fails the test when it aborts. A runner that lets a test time out tells nobody else: give it `t.signal` of node:test, or
   * `AbortSignal.timeout(…)` of a little less than the runner's limit.
   */
  readonly signal?: AbortSignal;
}

/**
 * Runs a test, and drops its sandbox. The requests that the sandbox of a test that throws received are printed beside its error,
 * which stays as it is: a runner may know it by its type or its fields.
 *
 * @throws what the test throws, the signal's reason, or an Error of its own
 */
export async function testInSandbox<T>(
  box: Sandbox,
  test: (box: Sandbox) => T | Promise<T>,
  { allowUnmatched = false, failed = () => false, signal }: TestConditions,
): Promise<T> {
  try {
    const result = await runTest(box, test, signal);
    if (failed()) throw createReport(await reportRequests(box));
    if (!allowUnmatched) await assertAllServed(box);
    return result;
  } finally {
    // One that can't be dropped expires, and is no reason to fail the test.
    await box.drop().catch(() => undefined);
  }
}

async function runTest<T>(
  box: Sandbox,
  test: (box: Sandbox) => T | Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await Promise.race([test(box), ...(signal ? [untilAborted(signal)] : [])]);
  } catch (error) {
    const report = await reportRequests(box);
    // Runners know which test writes to the console.
    // oxlint-disable-next-line no-console
    console.error(report);
    throw error;
  }
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

async function assertAllServed(box: Sandbox): Promise<void> {
  const unmatched = await box.requests.list({ unmatched: true });
  if (unmatched.length === 0) return;
  throw createReport(
    `The test requested paths that Understudy doesn't serve:\n${describeRequests(unmatched)}\n` +
      'If that is intended, set allowUnmatched.',
  );
}

/** The journal with a headline. It never fails, because the test's own failure matters more. */
const reportRequests = (box: Sandbox): Promise<string> =>
  box.requests.list().then(
    (entries) => `Requests to Understudy, sandbox ${box.name}:\n${describeRequests(entries) || 'none'}`,
    (error: unknown) => `The requests to Understudy, sandbox ${box.name}, can't be read: ${String(error)}`,
  );

/** An error without a trace, which would only lead into this file. */
function createReport(text: string): Error {
  const report = new Error(text);
  report.stack = String(report);
  return report;
}
