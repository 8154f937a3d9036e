// What a command of bin/understudy is, and what all of them share: their exits and how wrong usage is told.

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
}

/** What a command may touch of its process. Data goes to stdout; messages and progress go to stderr. */
export interface CommandIo {
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

export interface Command {
  /** As it is typed: `verify`. */
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** All lines that `--help` shows, without a final newline. */
  usage: string;
  /** Resolves with the exit code, see `exits`. */
  run(args: string[], io: CommandIo): Promise<number>;
}

export const exits = {
  done: 0,
  /** The answer is no: a difference, an invalid seed. */
  no: 1,
  /** Wrong usage or configuration, or something that is not reachable. */
  wrong: 2,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** What the user has to change. The message is shown, with the usage when `showUsage`. */
export class WrongUse extends Error {
  readonly showUsage: boolean;
  constructor(message: string, { showUsage = true }: { showUsage?: boolean } = {}) {
    super(message);
    this.showUsage = showUsage;
  }
}

/** Runs a command's work and turns what it throws into messages and exits. `--help` is answered here. */
export async function runCommand(
  command: Pick<Command, 'name' | 'usage'>,
  args: readonly string[],
  io: CommandIo,
  work: () => Promise<number>,
): Promise<number> {
  const end = args.indexOf('--');
  if ((end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')) {
    io.stdout.write(`${command.usage}\n`);
    return exits.done;
  }
  try {
    return await work();
  } catch (error) {
    if (io.signal.aborted) return exits.interrupted;
    const wrong = isParseArgsError(error) ? new WrongUse(error.message) : error;
    if (!(wrong instanceof WrongUse)) throw error;
    io.stderr.write(`${command.name}: ${wrong.message}\n`);
    if (wrong.showUsage) io.stderr.write(`\n${command.usage}\n`);
    return exits.wrong;
  }
}

function isParseArgsError(error: unknown): error is Error {
  if (!(error instanceof Error && 'code' in error)) return false;
  return typeof error.code === 'string' && error.code.startsWith('ERR_PARSE_ARGS_');
}
