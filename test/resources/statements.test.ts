// The SQL of each prepared query as PostgreSQL gets it, a file for each module, so that a review sees it change. After a deliberate
// change: UPDATE_STATEMENTS=1 npx tap test/resources/statements.test.ts
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';

const source = join(import.meta.dirname, '../../src');
const kept = join(import.meta.dirname, 'statements');
const isUpdate = process.env['UPDATE_STATEMENTS'] === '1';

await test('the statements of auth and of each resource', async (t) => {
  const modules = globSync('{auth,resources/*}/*queries.ts', { cwd: source }).toSorted();
  t.ok(modules.includes('resources/notifications/queries.ts'));
  const written: string[] = [];
  for (const module of modules) {
    const exported = Object.entries((await import(join(source, module))) as Record<string, unknown>);
    const texts = exported.flatMap(([name, value]) => (hasSql(value) ? [`-- ${name}\n${layOut(value.sql)}\n`] : []));
    if (texts.length === 0) continue;
    const file = `${module.replace(/\.ts$/, '').replaceAll('/', '-')}.sql`;
    written.push(file);
    const text = texts.join('\n');
    if (isUpdate) {
      mkdirSync(kept, { recursive: true });
      writeFileSync(join(kept, file), text);
    }
    t.equal(text, readFileSync(join(kept, file), 'utf8'), file);
  }
  t.same(written, readdirSync(kept).toSorted(), 'no statements are kept of a module that is gone');
});

function hasSql(value: unknown): value is { sql: string } {
  return typeof value === 'function' && 'sql' in value && typeof value.sql === 'string';
}

/** One clause a line, indented by the depth of its parentheses. What the query builder or we broke before doesn't count. */
function layOut(sql: string): string {
  const lines = sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=(?:from|where|set|returning|left join|inner join|when|else)\b)/g, '\n')
    .replaceAll(/(?<!left|inner) (?=join\b)/g, '\n')
    .replaceAll(/(?<=[()]) ?(?=select\b)/g, '\n')
    .replaceAll(/(?<=\)), (?="\w+" as \()/g, ',\n')
    .split('\n');
  let depth = 0;
  return lines
    .map((line) => {
      const indent = '  '.repeat(Math.max(0, depth));
      for (const character of line) depth += character === '(' ? 1 : character === ')' ? -1 : 0;
      return indent + line.trim();
    })
    .join('\n');
}
