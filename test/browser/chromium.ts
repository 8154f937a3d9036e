// Chromium for the tests: where it is, and one process of it for a test file.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * The path of Chromium, or undefined if it isn't installed. If CHROMIUM_PATH is set, as in .ci/run, that file
 * must exist: the tests then fail instead of skipping themselves.
 */
function findChromium(): string | undefined {
  const wanted = process.env['CHROMIUM_PATH'] ?? '';
  if (wanted === '') return usual.find((path) => existsSync(path));
  if (!existsSync(wanted)) throw new Error(`CHROMIUM_PATH: there is no ${wanted}; install Chromium`);
  return wanted;
}

/** The option `skip` of a test that needs Chromium. */
export const skip =
  findChromium() === undefined && 'there is no Chromium: install Debian’s package chromium, or set CHROMIUM_PATH';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing but this machine is reached, by name or by address.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

let launched: Promise<Browser> | undefined;

/** The file's Chromium, started by the first call. */
export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('there is no Chromium');
  return (launched ??= chromium.launch({ executablePath, args: flags }));
}

/** Ends the file's Chromium, if it runs. */
export async function closeChromium(): Promise<void> {
  const browser = await launched;
  launched = undefined;
  await browser?.close();
}
