// Opens a page in the user's browser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CommandContext } from './command.ts';

/** Each gets the URL as its last argument. No shell reads it. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Notes a failure. */
export async function openBrowser(url: string, { env, note }: CommandContext): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { env, stdio: 'ignore', detached: true });
  child.unref();
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (code !== 0) throw new Error(`${program} ended with ${code ?? signal}`);
  } catch (error) {
    note(`could not open ${url} in a browser: ${(error as Error).message}`);
  }
}
