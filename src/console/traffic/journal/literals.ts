// Values of JSON as they are written in JavaScript and in Python.
import { escapeInvisible } from '../../../pages/json.ts';

interface Language {
  readonly text: (text: string) => string;
  readonly key: (key: string) => string;
  /** Between a brace and what it holds. */
  readonly space: string;
  readonly words: Readonly<Record<string, string>>;
}

// Both languages know the escapes of JSON.
const double = (text: string): string => escapeInvisible(JSON.stringify(text));
const single = (text: string): string =>
  text.includes("'") ? double(text) : `'${double(text).slice(1, -1).replaceAll('\\"', '"')}'`;

export const javascript: Language = {
  text: single,
  // As a plain key it would set the object's prototype.
  key: (key) => (key === '__proto__' ? `['__proto__']` : /^[A-Za-z_$][\w$]*$/.test(key) ? key : single(key)),
  space: ' ',
  words: { null: 'null', true: 'true', false: 'false' },
};

export const python: Language = {
  text: double,
  key: double,
  space: '',
  words: { null: 'None', true: 'True', false: 'False' },
};

const widest = 100;

/** On one line if it fits, else indented. */
export function literal({ text, key, space, words }: Language, value: unknown, indent = ''): string {
  const write = (inner: unknown, deeper: string): string => {
    if (typeof inner === 'string') return text(inner);
    if (typeof inner !== 'object' || inner === null) return words[String(inner)] ?? JSON.stringify(inner);
    const isList = Array.isArray(inner);
    const parts = isList
      ? inner.map((item) => write(item, `${deeper}  `))
      : Object.entries(inner).map(([name, item]) => `${key(name)}: ${write(item, `${deeper}  `)}`);
    const [open, close] = isList ? ['[', ']'] : ['{', '}'];
    if (parts.length === 0) return open + close;
    const gap = isList ? '' : space;
    const line = `${open}${gap}${parts.join(', ')}${gap}${close}`;
    if (line.length + deeper.length <= widest && !line.includes('\n')) return line;
    return `${open}\n${parts.map((part) => `${deeper}  ${part},\n`).join('')}${deeper}${close}`;
  };
  return write(value, indent);
}
