// Declares a command, and runs it: help, arguments, progress, failures, exit codes.
import { setImmediate } from 'node:timers/promises';
import { codeOf, reasonOf } from '../base/failure.ts';
import { Undo } from '../base/undo.ts';
import {
  describeOptions,
  exitCodes,
  exits,
  Interruption,
  type Options,
  OutputError,
  parseArguments,
  UsageError,
  type Values,
} from './usage.ts';

interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

/** Data goes to stdout; messages and progress go to stderr. */
export interface CommandIo {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C or SIGTERM, and, except for a service, when standard output can't be written. */
  readonly signal: AbortSignal;
}

/** `undo` closes what the command opened, however the command ends. */
export type CommandContext = Omit<ReturnType<typeof makeContext>, 'whatIsDone'> & { readonly undo: Undo };

interface Definition<O extends Options> {
  readonly name: string;
  readonly summary: string;
  /** The usage lines. Default: a line with the operands. */
  readonly forms?: readonly string[];
  /** Default: the summary. */
  readonly about?: string;
  readonly options?: O;
  /** What `--help` shows below the options. */
  readonly more?: string;
  readonly exit?: string;
  /** `FILE`; `[NAME]` is optional; `FILE...` is one or more. */
  readonly operands?: readonly string[];
  /** Whether a run that fails writes nothing. */
  readonly isTransaction?: boolean;
  /** Whether the exit codes are for a supervisor (`supervisedCodes`). */
  readonly isSupervised?: boolean;
  /** Whether the command runs until a signal, even if nobody reads its output. */
  readonly isService?: boolean;
  /** Resolves with the exit code, or with nothing for 0. */
  readonly run: (values: Values<O>, operands: string[], context: CommandContext) => Promise<number | void>;
}

export type Command = ReturnType<typeof defineCommand>;

export function defineCommand<const O extends Options>(definition: Definition<O>) {
  const { name, summary, options = {} as O, operands = [], more, exit = exitCodes, isService = false } = definition;
  const about = definition.about ?? `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  const { forms = [`weblate-understudy ${[name, ...operands].join(' ')} [options]`] } = definition;
  const usage = [`Usage: ${forms.join('\n       ')}`, about, describeOptions(options), more, exit]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');

  async function run(args: string[], io: CommandIo) {
    const beforeOperands = args.slice(0, [...args, '--'].indexOf('--'));
    if (beforeOperands.includes('--help') || beforeOperands.includes('-h')) {
      io.stdout.write(`${usage}\n`);
      return exits.done;
    }
    const context = makeContext(io);
    try {
      await using undo = new Undo();
      const parsed = parseArguments(args, options, operands);
      const code = await definition.run(parsed.values, parsed.operands, { ...context, undo });
      // A failure of the last write shows only now.
      await setImmediate();
      if (io.signal.reason instanceof OutputError) throw io.signal.reason;
      return code ?? exits.done;
    } catch (error) {
      return await reportFailure(definition, usage, error, context);
    } finally {
      context.progress.clear();
    }
  }

  return { name, summary, usage, isService, run };
}

function makeContext(io: CommandIo) {
  let done = '';
  const progress = startProgress(io.stderr);
  /** Writes a line to stderr, without control characters. */
  const note = (line: string) => {
    progress.clear();
    io.stderr.write(`${line.replaceAll(/[^\P{Cc}\n]/gu, '?')}\n`);
  };
  /** Writes lines, or a value as JSON. If stdout can't be written, the command reports `what` it did. */
  const print = (data: unknown, what = '') => {
    progress.clear();
    done = what;
    io.stdout.write(`${typeof data === 'string' ? data : JSON.stringify(data, null, 2)}\n`);
  };
  return { ...io, progress, print, note, whatIsDone: () => done };
}

/** On a terminal, rewrites one line. Elsewhere, writes a line for each new `group`. */
function startProgress(output: Output) {
  let shown: string | undefined;
  return {
    show(group: string, detail = '') {
      // A line that wraps could not be rewritten.
      if (output.isTTY) output.write(`\r\u001B[2K${`${detail} ${group}`.slice(0, 78)}`);
      else if (group !== shown) output.write(`${group}\n`);
      shown = group;
    },
    clear() {
      if (!output.isTTY || shown === undefined) return;
      output.write('\r\u001B[2K');
      shown = undefined;
    },
  };
}

export const manyRows = 20_000;

/** Shows how tables with at least `minRows` rows load. Large tables show steps of 10 %. */
export const showLoad =
  ({ progress }: CommandContext, minRows = 0) =>
  (table: string, done: number, total: number) => {
    const share = total < manyRows ? '' : `, ${Math.floor((done / total) * 10) * 10} %`;
    if (total >= minRows) progress.show(`loading ${table}${share}`, `${done}/${total}`);
  };

/** Reports why a command failed, and returns the exit code. Rethrows a bug of the program. */
async function reportFailure(
  { name, isTransaction, isSupervised, isService }: Omit<Definition<Options>, 'options' | 'run'>,
  usage: string,
  error: unknown,
  { signal, note, whatIsDone }: ReturnType<typeof makeContext>,
) {
  const reason: unknown = signal.aborted ? signal.reason : error;
  if (reason instanceof OutputError) {
    note(`${name}: standard output can't be written: ${reason.message}\n${whatIsDone()}`.trimEnd());
    return exits.no;
  }
  const rest = isTransaction ? '; nothing was written' : '';
  if (reason instanceof Interruption) note(`${name}: ${reason.message}${rest}`);
  if (signal.aborted || reason instanceof Interruption) return isService ? exits.done : exits.interrupted;
  if (error instanceof UsageError || codeOf(error).startsWith('ERR_PARSE_ARGS_')) {
    // The whole usage would move the message off the screen.
    note(`${name}: ${reasonOf(error)}\n\n${usage.split('\n\n', 1)[0]}\n\nAdd --help for the options.`);
    return exits.wrong;
  }
  const { explainFailure } = await import('./explain-failure.ts');
  const explained = explainFailure(name, error, isSupervised);
  if (explained === undefined) throw error;
  note(explained.text);
  return explained.exit;
}
