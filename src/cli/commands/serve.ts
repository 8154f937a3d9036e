// The command `serve`.
import { once } from 'node:events';
import { describeAccess, isLoopback } from '../../access/gate.ts';
import { createLogOutput, readLine } from '../../service/process/log-output.ts';
import type { RunningService } from '../../service/process/open-service.ts';
import { shortPatienceMs } from '../../service/process/provide-database.ts';
import { startService } from '../../service/process/start-service.ts';
import { adminOptions, type Configuration, reachableAt } from '../../service/config/config.ts';
import { variables } from '../../service/config/variables.ts';
import { reasonOf } from '../../base/failure.ts';
import { version } from '../../base/version.ts';
import { type CommandContext, defineCommand, manyRows, showLoad } from '../command.ts';
import { exits, flag, Interruption, supervisedCodes, valued, type Values } from '../usage.ts';
import { databaseFlags, readSettings } from '../setting-flags.ts';

const options = {
  port: valued('PORT', 'port to listen on; 0 picks a free one (PORT)'),
  host: valued('ADDRESS', 'address to listen on (UNDERSTUDY_HOST)'),
  seed: valued('SEED', 'content of a new database: a shipped seed or a file (UNDERSTUDY_SEED)'),
  ...databaseFlags,
  temporary: flag('an embedded PostgreSQL that is removed at the end (UNDERSTUDY_TEMPORARY)'),
  json: flag('print one JSON object when the service listens, then the log as JSON lines'),
  'exit-on-stdin-close': flag('end when standard input closes'),
  'exit-on-ipc-close': flag("end at once when the channel of Node's fork() closes"),
} as const;

export const command = defineCommand({
  name: 'serve',
  summary: 'start the service',
  about: 'Starts the service. Ctrl-C or SIGTERM ends it after the requests in progress.',
  more: `Environment:
${variables.map((one) => `  ${one.name.padEnd(32)}${one.description}${one.default && ` (${one.default})`}`).join('\n')}`,
  exit: `Exit: 0 ended by a signal; ${supervisedCodes}.`,
  options,
  isSupervised: true,
  isService: true,
  async run(values, _operands, context) {
    // Without the option, the channel may belong to a process manager, which ends this process by a signal.
    const parent = values['exit-on-ipc-close'] ? findParent() : undefined;
    try {
      return await serveUntilEnd(values, context, parent);
    } catch (error) {
      const { explainFailure } = await import('../explain-failure.ts');
      const text = explainFailure('serve', error)?.text.replace(/^serve: /, '');
      await parent?.failed(text ?? String((error as Error).stack));
      throw error;
    } finally {
      parent?.leave();
      // To read standard input would keep the process alive.
      if (values['exit-on-stdin-close']) process.stdin.pause();
    }
  },
});

// Nobody can try all tokens of this many random letters and digits.
const safeTokenLength = 16;

async function serveUntilEnd(
  { json, 'exit-on-stdin-close': followsStdin, ...flags }: Values<typeof options>,
  context: CommandContext,
  parent: ReturnType<typeof findParent>,
) {
  const { env, note, stdout } = context;
  const ends = [context.signal, ...(parent ? [parent.gone] : []), ...(followsStdin ? [untilStdinCloses()] : [])];
  const signal = AbortSignal.any(ends);
  const settings = readSettings(flags, env);
  const { configuration } = settings;
  const isReadable = stdout.isTTY === true && !json;
  const format = (line: string) => `${readLine(line, env['NO_COLOR'] === undefined)}\n`;
  const log = createLogOutput({ note, isHeld: json, ...(isReadable && { format }) });
  // If a program started the service, no balancer needs time to notice the service's end.
  const more = { logTo: log, ...(parent && { drainMs: 0, patienceMs: shortPatienceMs }) };
  const service = await startService({ ...settings, signal, note, onProgress: showLoad(context, manyRows), ...more });
  const { url, database, samples, lost } = service;
  const host = reachableAt(configuration);
  if (!isLoopback(host) && samples.length > 0)
    note(
      `warning: the tokens of the sample users are public, and on ${host} other machines may use them; ` +
        'publish the port on 127.0.0.1 alone, or set UNDERSTUDY_SEED to a seed of your own',
    );
  const { length } = configuration.UNDERSTUDY_ADMIN_TOKEN ?? '';
  if (length > 0 && length < safeTokenLength)
    note(
      `warning: UNDERSTUDY_ADMIN_TOKEN has ${length} characters, which others may guess; ` +
        `use ${safeTokenLength} or more, such as the output of: openssl rand -hex 16`,
    );
  const ready = { url, database, version, pid: process.pid, samples: samples.map(({ username }) => username) };
  if (json) log.begin(`${JSON.stringify(ready)}\n`);
  else note(greeting(service, configuration));
  parent?.ready(ready);
  const end = AbortSignal.any([signal, lost]);
  if (!end.aborted) await once(end, 'abort');
  note(lost.aborted ? `ending: ${reasonOf(lost.reason)}` : 'ending');
  await service.stop();
  log.end();
  return lost.aborted ? exits.no : exits.done;
}

// A service outlives its parent by at most this time, even if clients are connected.
const endMs = 2000;

/** The program that forked this one, such as the library. It learns the outcome of the start. */
function findParent() {
  if (process.send === undefined) return undefined;
  const controller = new AbortController();
  let hasStarted = false;
  process.once('disconnect', () => {
    // A start needs no orderly end: the watchdog ends PostgreSQL, and removes a temporary folder.
    if (!hasStarted) process.exit();
    controller.abort();
    setTimeout(() => process.exit(), endMs).unref();
  });
  const send = (message: object) => {
    hasStarted = true;
    // An error is ignored: if the parent is gone, the channel closes.
    return new Promise<void>((resolve) => void process.send?.(message, undefined, {}, () => resolve()));
  };
  return {
    gone: controller.signal,
    ready: (service: object) => void send({ ready: service }),
    failed: (message: string) => send({ failed: { message } }),
    /** Closes the channel: it would keep this process running. */
    leave: () => void (process.connected && process.disconnect?.()),
  };
}

function untilStdinCloses() {
  const controller = new AbortController();
  for (const event of ['end', 'close', 'error'])
    process.stdin.once(event, () => controller.abort(new Interruption('standard input was closed')));
  process.stdin.resume();
  return controller.signal;
}

function greeting({ url, database, samples }: RunningService, configuration: Configuration) {
  const alice = samples.find(({ username }) => username === 'alice');
  const [user, token] = alice === undefined ? ['USERNAME', 'TOKEN'] : [alice.username, alice.token];
  const list = `${url}/api/users/${user}/notifications/`;
  const access = `The console and the control API are ${describeAccess(adminOptions(configuration).access)}.`;
  const read = `  curl ${list}\n  curl -H 'Authorization: Token ${token}' ${list}\n`;
  return `Understudy ${version} on ${url}, data in ${database}\n${access}\n\n${read}`;
}
