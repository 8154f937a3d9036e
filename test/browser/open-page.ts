// Opens a page in Chromium, and fails the test for everything that a page must not do.
import type { BrowserContext, Page, Response } from 'playwright-core';
import { launchChromium } from './chromium.ts';

/** The slice of a tap test that we use. */
export interface Watcher {
  teardown(step: () => unknown): unknown;
  fail(complaint: string): unknown;
}

export interface PageOptions {
  /** The service's URL, to which paths are relative, then the URLs of other servers that the page may use. */
  readonly hosts: readonly string[];
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** `false` turns the page's scripts off. */
  readonly scripts?: false;
  /** What the test provokes: complaints that match don't fail it. */
  readonly expected?: RegExp;
}

/**
 * Opens an empty page in a profile of its own, without cookies; both end with the test. The test fails if
 * the page logs or throws an error, breaks its policy, misses a file, requests another host, or gets 500 or above.
 */
export async function openPage(t: Watcher, options: PageOptions): Promise<Page> {
  const { hosts, width = 1280, scheme = 'light', scripts = true, expected } = options;
  const browser = await launchChromium();
  const context = await browser.newContext({
    ...(hosts[0] === undefined ? {} : { baseURL: hosts[0] }),
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: scheme,
    javaScriptEnabled: scripts,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(60_000);
  const complaints = new Set<string>();
  t.teardown(() => context.close());
  watch(context, hosts, (complaint) => {
    // Each cause is reported once: a page that is opened twice repeats it.
    if (expected?.test(complaint) || complaints.has(complaint)) return;
    complaints.add(complaint);
    t.fail(complaint);
  });
  return context.newPage();
}

function watch(context: BrowserContext, hosts: readonly string[], complain: (complaint: string) => void): void {
  const origins = new Set(hosts.map((url) => new URL(url).origin));
  context.on('console', (message) => {
    // Failed requests are reported below, where the URL is known.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource: ')) return;
    // Swagger UI takes `_` in an operation's link for the old form of a space. It tries both; the link works.
    if (message.text().startsWith('Deprecated: escaping deep link')) return;
    complain(`console error: ${message.text()}`);
  });
  context.on('weberror', (error) => complain(`script error: ${String(error.error())}`));
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:|^wss?:/.test(protocol) && !origins.has(origin)) complain(`request to another host: ${request.url()}`);
  });
  context.on('response', (response) => {
    if (isFault(response)) complain(`${response.status()} for ${response.url()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // The browser aborts a page's requests when it leaves the page.
    if (reason !== 'net::ERR_ABORTED') complain(`${reason} for ${request.url()}`);
  });
}

/** Documents and requests of scripts may get 4xx; the page's other files must not. */
function isFault(response: Response): boolean {
  const mayRefuse = new Set(['document', 'fetch', 'xhr']);
  return response.status() >= (mayRefuse.has(response.request().resourceType()) ? 500 : 400);
}
