// Log lines of JSON, made readable for a terminal. Elsewhere they stay JSON, for programs.
const colours: Readonly<Record<string, number>> = { trace: 90, debug: 90, info: 36, warn: 33, error: 31, fatal: 31 };

/** @param coloured false if NO_COLOR is set */
export function readLine(line: string, coloured: boolean): string {
  const { level = 'info', time, msg = '', err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const paint = (code: number, text: string) => (coloured ? `\u001b[${code}m${text}\u001b[0m` : text);
  const clock = typeof time === 'string' ? time.slice(11, 23) : '';
  const details = Object.entries(fields).map(
    ([name, value]) => `${name}=${plain(typeof value === 'string' ? value : json(value))}`,
  );
  const label = String(level).toUpperCase().padEnd(5);
  const words = [paint(90, clock), paint(colours[String(level)] ?? 0, label), plain(String(msg))];
  const first = [...words, ...(details.length === 0 ? [] : [paint(90, details.join(' '))])].join(' ');
  return err === undefined ? first : `${first}\n${describe(err)}`;
}

function describe(error: unknown): string {
  const { stack, message, cause } = error as { stack?: string; message?: string; cause?: unknown };
  const lines = (stack || message || json(error)).split('\n').map((line) => `    ${plain(line)}`);
  return [...lines, ...(cause === undefined ? [] : ['    caused by', describe(cause)])].join('\n');
}

const json = (value: unknown): string => JSON.stringify(value) ?? '';

/** Escapes control characters: the text of a client or a server must not move the cursor or colour the terminal. */
export const plain = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (c) => `\\x${(c.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`);
