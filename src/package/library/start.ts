// Starts the service from a program, as a process that ends with this one, however this one ends.
import { type ChildProcess, fork } from 'node:child_process';
import { connect } from '../client/client.ts';
import { refuseUnknown } from '../../base/nearest.ts';
import { programFile } from '../../base/files.ts';
import { adviceOnArchive } from './plug-and-play.ts';
import { describeLaunch, inTermsOfOptions, optionNames, type StartOptions } from './start-options.ts';
import { collectLines, createService, type Service } from './service.ts';

type Message = { ready: { url: string } } | { failed: { message: string } };

/**
 * Starts a service in its own process, and resolves when it listens. No environment variable configures it.
 * Without options, it has a free port, and the seed `documented` in a temporary database.
 * The service ends with this process at the latest, and doesn't keep this process alive.
 * @example
 *   const api = await start();
 *   const box = await api.sandbox();
 *   await fetch(`${box.baseUrl}/api/users/alice/notifications/`, { headers: box.headers('alice') });
 *   await api.close();
 *
 * @throws Error if the service can't start, or doesn't listen within `startTimeoutMs`: its message says what
 *   to change. The reason of `signal` if that aborts.
 */
export async function start(options: StartOptions = {}): Promise<Service> {
  refuseUnknown('start', options, optionNames);
  if (adviceOnArchive !== undefined) throw new Error(adviceOnArchive);
  const { log = 'silent', signal } = options;
  signal?.throwIfAborted();
  const { env, input } = describeLaunch(options);
  const output = log === 'inherit' ? 'inherit' : 'pipe';
  const child = fork(programFile('cli/understudy.ts'), ['serve', '--exit-on-ipc-close'], {
    env,
    // Options of this process, such as a loader, stay out. The one here makes V8 collect garbage less often,
    // so a start takes 10 % less time.
    execArgv: ['--min-semi-space-size=16'],
    stdio: ['pipe', output, output, 'ipc'],
    // With its own session, the service survives Ctrl-C in a terminal: this process may still need it.
    detached: true,
  });
  // Without a listener, an error would end this process: for example, the error of a late kill.
  child.on('error', () => undefined);
  // A service that fails early doesn't read its input.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  // Reading `Headers` makes Node load `fetch` now: while the service starts, there is time.
  void globalThis.Headers;
  const lastLines = collectLines([child.stdout, child.stderr], typeof log === 'function' ? log : undefined);
  try {
    const url = await untilReady(child, lastLines, options);
    release(child);
    return createService(connect(url, { adminToken: env['UNDERSTUDY_ADMIN_TOKEN'] }), child, lastLines);
  } catch (error) {
    // The service's watchdog ends PostgreSQL and removes the temporary folder.
    child.kill('SIGKILL');
    release(child);
    throw error;
  }
}

function untilReady(child: ChildProcess, lastLines: () => string, options: StartOptions) {
  const { signal, startTimeoutMs = 60_000 } = options;
  const limit = AbortSignal.timeout(startTimeoutMs);
  // Not Promise.withResolvers: older Nodes lack it, and only the service says what Node is needed.
  return new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`Understudy ${why}${lastLines() && `:\n${lastLines()}`}`));
    limit.addEventListener('abort', () => fail(`did not listen within ${startTimeoutMs} ms`));
    signal?.addEventListener('abort', () => reject(signal.reason), { signal: limit });
    child.once('message', (message: Message) =>
      'ready' in message
        ? resolve(message.ready.url)
        : reject(new Error(inTermsOfOptions(message.failed.message, options))),
    );
    child.once('exit', (code, by) => fail(`ended before it listened (${by ?? `exit code ${code}`})`));
    child.once('error', (cause) => reject(new Error(`Understudy did not start: ${cause.message}`, { cause })));
  });
}

/** From here on, the child doesn't keep this process alive. */
function release(child: ChildProcess) {
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as { unref?(): void } | null)?.unref?.();
}
