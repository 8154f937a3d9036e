// The service from a program: a process of its own, which ends with this one however that ends.
import { type ChildProcess, fork } from 'node:child_process';
import { connect } from '../client/client.ts';
import { refuseUnknown } from '../../base/nearest.ts';
import { programFile } from '../../base/files.ts';
import { adviceOnArchive } from './plug-and-play.ts';
import { describeLaunch, inTermsOfOptions, optionNames, type StartOptions } from './start-options.ts';
import { collectLines, createService, type Service } from './service.ts';

type Message = { readonly ready: { readonly url: string } } | { readonly failed: { readonly message: string } };

/**
 * Starts the service in a process of its own and resolves when it listens. Nothing of the environment configures it.
 * Without options it listens on a free port, with the documented seed in a temporary database, which ends with it.
 * It ends with this process at the latest, and doesn't keep this process from ending.
 * @example
 *   const api = await start();
 *   const box = await api.sandbox();
 *   await fetch(`${box.baseUrl}/api/users/alice/notifications/`, { headers: box.headers('alice') });
 *   await api.close();
 *
 * @throws Error whose message says what to change: an option, the seed with each error and its line, a taken port; or
 *   that the service didn't listen within `startTimeoutMs`. The reason of `signal` where that aborts.
 */
export async function start(options: StartOptions = {}): Promise<Service> {
  refuseUnknown('start', options, optionNames);
  if (adviceOnArchive !== undefined) throw new Error(adviceOnArchive);
  const { log = 'silent', signal, adminToken } = options;
  signal?.throwIfAborted();
  const { env, input } = describeLaunch(options);
  const output = log === 'inherit' ? 'inherit' : 'pipe';
  const child = fork(programFile('cli/understudy.ts'), ['serve', '--exit-on-ipc-close'], {
    env,
    // No option of this process, such as a loader. This one makes V8 collect garbage less often, which saves 10 % of
    // a start.
    execArgv: ['--min-semi-space-size=16'],
    stdio: ['pipe', output, output, 'ipc'],
    // A session of its own: Ctrl-C in a terminal leaves the service to this process, which may still need it.
    detached: true,
  });
  // Without a listener, an error would end this process: for example, one of a late kill.
  child.on('error', () => undefined);
  // A service that fails early doesn't read it.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  // Node loads fetch when it is first looked at. While the service starts, there is time for that.
  void globalThis.Headers;
  const lastLines = collectLines([child.stdout, child.stderr], typeof log === 'function' ? log : undefined);
  try {
    const url = await untilReady(child, lastLines, options);
    release(child);
    return createService(connect(url, { adminToken: adminToken ?? env['UNDERSTUDY_ADMIN_TOKEN'] }), child, lastLines);
  } catch (error) {
    // Its watchdog ends PostgreSQL and removes the temporary folder.
    child.kill('SIGKILL');
    release(child);
    throw error;
  }
}

function untilReady(child: ChildProcess, lastLines: () => string, options: StartOptions): Promise<string> {
  const { signal, startTimeoutMs = 60_000 } = options;
  const limit = AbortSignal.timeout(startTimeoutMs);
  // Not Promise.withResolvers: an older Node gets as far as the service's process, which says which one it needs.
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`Understudy ${why}${lastLines() && `:\n${lastLines()}`}`));
    limit.addEventListener('abort', () => fail(`did not listen within ${startTimeoutMs} ms`));
    signal?.addEventListener('abort', () => reject(signal.reason), { signal: limit });
    child.once('message', (message: Message) =>
      'ready' in message
        ? resolve(message.ready.url)
        : reject(new Error(inTermsOfOptions(message.failed.message, options))),
    );
    child.once('exit', (code, by) => fail(`ended before it listened (${by ?? `exit code ${code}`})`));
    child.once('error', (cause) => reject(new Error(`Understudy could not be started: ${cause.message}`, { cause })));
  });
}

/** From here on the child doesn't keep this process from ending. */
function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as { unref?(): void } | null)?.unref?.();
}
