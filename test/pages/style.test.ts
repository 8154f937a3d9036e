// The style sheet: its classes are those of the pages, it keeps to few sizes and widths, and its colours have a contrast of at least 4.5
// to 1 (WCAG 2, level AA), in light and dark mode.
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
const foreign = [
  'authorize',
  'download-contents',
  'execute',
  'header-col',
  'opblock-section-header',
  'opblock-summary-method',
  'opblock-summary-path',
  'opblock-tag',
  'parameter__in',
  'parameters',
  'responses-table',
  'swagger-ui',
  'try-out__btn',
  'view-line-link',
];
/** They have no style: scripts and tests find elements by them. */
const hooks = [
  'account',
  'done',
  'forms',
  'json',
  'of-form',
  'one-request',
  'undo',
  'outcome',
  'plain',
  'recorded',
  'refusal',
  'sandboxes',
  'snapshots',
  'user',
];

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

await test('type has five sizes, and the layout one breakpoint', async (t) => {
  const sizes = [...style.matchAll(/font-size: ([^;]+);/g)].map(([, size]) => size);
  t.same([...new Set(sizes)].toSorted(byText), ['1rem', 'var(--large)', 'var(--small)', 'var(--tiny)', 'var(--title)']);
  const widths = [...style.matchAll(/@media \((m\w+-width: [^)]+)\)/g)].map(([, width]) => width);
  t.same([...new Set(widths)].toSorted(byText), ['max-width: 44rem']);
});

// The stylesheet's colours have a contrast of at least 4.5 to 1 (WCAG 2, level AA), in light and dark mode.

const colours = [...style.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)];
const schemes = [2, 3].map((place) => new Map(colours.map((found) => [found[1], found[place]])));

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

await test('each colour of text can be read on each background', async (t) => {
  t.equal(colours.length, 9);
  for (const [place, scheme] of schemes.entries()) {
    for (const ink of ['ink', 'faint', 'accent', 'good', 'bad', 'worst']) {
      for (const back of ['paper', 'sheet']) {
        const ratio = contrast(scheme.get(ink) ?? '', scheme.get(back) ?? '');
        t.ok(ratio >= 4.5, `${place === 0 ? 'light' : 'dark'}: ${ink} on ${back} is ${ratio.toFixed(1)}`);
      }
    }
  }
  // A colour defined elsewhere would escape this test.
  t.same(style.replace(/light-dark\(.*\)/g, '').match(/#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/gi), null);
});
