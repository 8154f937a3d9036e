// The style sheet: its classes are those of the pages, and it keeps to few sizes and widths.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';

const folder = new URL('../../src/pages', import.meta.url).pathname;
const style = readFileSync(join(folder, 'frame/style.css'), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
const source = globSync('**/*.{ts,js}', { cwd: folder })
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');

const classesIn = (selectors: string) => [...selectors.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name);
const selectors = [...style.matchAll(/([^{};]+)\{/g)].map(([, selector = '']) => selector).join(' ');
const byText = (a = '', b = '') => (a < b ? -1 : 1);
const styled = new Set(classesIn(selectors));

/** Of Swagger UI. */
const foreign = ['info', 'opblock-section-header', 'opblock-tag', 'parameters', 'responses-table', 'swagger-ui'];
/** They have no style: scripts and tests find elements by them. */
const hooks = ['account', 'done', 'json', 'more', 'of-form', 'plain', 'refusal', 'sandboxes', 'snapshots', 'user'];

await test('every class of the style sheet is on a page', async (t) => {
  t.ok(styled.size > 50);
  const unused = [...styled].filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(source));
  t.same(
    unused.filter((name) => !foreign.includes(name)),
    [],
  );
});

await test('every class of a page has a style, but for those that only mark an element', async (t) => {
  const written = [...source.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) =>
    names.replaceAll(/\$\{[^}]*\}/g, ' ').split(/\s+/),
  );
  t.ok(written.length > 100);
  t.same(
    [...new Set(written)].filter((name) => /^[a-z][\w-]*$/.test(name) && !styled.has(name) && !hooks.includes(name)),
    [],
  );
});

await test('type has five sizes, and the layout two breakpoints', async (t) => {
  const sizes = [...style.matchAll(/font-size: ([^;]+);/g)].map(([, size]) => size);
  t.same([...new Set(sizes)].toSorted(byText), ['1rem', 'var(--large)', 'var(--small)', 'var(--tiny)', 'var(--title)']);
  const widths = [...style.matchAll(/@media \((m\w+-width: [^)]+)\)/g)].map(([, width]) => width);
  t.same([...new Set(widths)].toSorted(byText), ['max-width: 44rem', 'min-width: 62rem']);
});
