// The text of an exported seed, piece by piece: YAML as people write it, or JSON.
import type { Entry, Part } from './export.ts';

/** Parts of many entries, and at last one that is a single entry. */
export async function* writeYaml(parts: AsyncIterable<Part>, note: string): AsyncGenerator<string> {
  yield `# yaml-language-server: $schema=./seed.schema.json\n# Exported by Understudy. ${note}\n`;
  for await (const [key, entries] of parts) {
    if (!isList(entries)) {
      yield `\n${key}: ${flow(entries)}\n`;
      continue;
    }
    let isEmpty = true;
    for await (const entry of entries) {
      if (isEmpty) yield `\n${key}:\n`;
      isEmpty = false;
      yield key === 'users' ? block(entry) : `  - ${flow(entry)}\n`;
    }
    // A seed that leaves its groups out gets those of the real system.
    if (isEmpty) yield `\n${key}: []\n`;
  }
}

export async function* writeJson(parts: AsyncIterable<Part>): AsyncGenerator<string> {
  let before = '{\n';
  for await (const [key, entries] of parts) {
    yield `${before}  ${JSON.stringify(key)}: `;
    before = ',\n';
    if (!isList(entries)) {
      yield JSON.stringify(entries);
      continue;
    }
    let between = '[\n';
    for await (const entry of entries) {
      yield `${between}    ${JSON.stringify(entry)}`;
      between = ',\n';
    }
    yield between === '[\n' ? '[]' : '\n  ]';
  }
  yield '\n}\n';
}

const isList = (entries: AsyncIterable<Entry> | Entry): entries is AsyncIterable<Entry> =>
  Symbol.asyncIterator in entries;

// A key a line; lists of entries an entry a line.
function block(entry: Entry): string {
  const lines = Object.entries(entry).map(([key, value]) =>
    Array.isArray(value) && typeof value[0] === 'object'
      ? `${key}:\n${value.map((item) => `      - ${flow(item)}\n`).join('')}`
      : `${key}: ${flow(value)}\n`,
  );
  return `  - ${lines.join('    ')}`;
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${flow(key)}: ${flow(item)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value);
}

// Words that YAML of whatever version takes for something else than text stay in quotes, and so does all that is not plain.
const isPlain = (text: string): boolean =>
  /^[A-Za-z_](?:[A-Za-z0-9_./@ -]*[A-Za-z0-9_])?$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
