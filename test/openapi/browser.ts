// The slice of Chromium's protocol that the tests need: open an address, evaluate an expression, collect errors.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '../support/database.ts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of Chromium, or undefined if it isn't installed. */
export const findBrowser = (): string | undefined =>
  [process.env['CHROMIUM'] ?? '', ...places].find((path) => existsSync(path));

export interface Page {
  open(url: string): Promise<void>;
  resize(width: number): Promise<void>;
  /** Evaluates an expression in the page; awaits a promise. */
  evaluate(expression: string): Promise<unknown>;
  /** Script errors and violations of the page's policy so far. */
  readonly complaints: string[];
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

export async function openBrowser(t: Owner, path: string): Promise<Page> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-browser-'));
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    `--user-data-dir=${folder}`,
    '--remote-debugging-port=0',
  ];
  const browser = spawn(path, [...flags, 'about:blank'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => browser.once('exit', resolve));
  t.teardown(async () => {
    browser.kill();
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const socket = new WebSocket(await findPage(join(folder, 'DevToolsActivePort')));
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const complaints: string[] = [];
  const waiting = new Map<number, (message: Message) => void>();
  const loaded: (() => void)[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else if (message.method === 'Page.loadEventFired') loaded.shift()?.();
    else if (message.method === 'Runtime.exceptionThrown' || message.method === 'Log.entryAdded')
      complaints.push(JSON.stringify(message.params));
  });
  let count = 0;
  const send = (method: string, params: object = {}) =>
    new Promise<Message>((resolve) => {
      waiting.set(++count, resolve);
      socket.send(JSON.stringify({ id: count, method, params }));
    });
  for (const domain of ['Page', 'Log', 'Runtime']) await send(`${domain}.enable`);
  return {
    complaints,
    async open(url) {
      const done = new Promise<void>((resolve) => loaded.push(resolve));
      await send('Page.navigate', { url });
      await done;
    },
    async resize(width) {
      await send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
    },
    evaluate: async (expression) =>
      (await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result?.result?.value,
  };
}

// The browser writes its port to the file when it listens.
async function findPage(file: string): Promise<string> {
  for (;;) {
    const port = existsSync(file) ? (await readFile(file, 'utf8')).split('\n')[0] : undefined;
    const response = port ? await fetch(`http://127.0.0.1:${port}/json`).catch(() => undefined) : undefined;
    const targets = ((await response?.json()) ?? []) as { type: string; webSocketDebuggerUrl: string }[];
    const page = targets.find(({ type }) => type === 'page');
    if (page !== undefined) return page.webSocketDebuggerUrl;
    await sleep(50);
  }
}
