// The stylesheet's colours have a contrast of at least 4.5 to 1 (WCAG 2, level AA), in light and dark mode.
import { readFileSync } from 'node:fs';
import t from 'tap';

const style = readFileSync(new URL('../../src/pages/frame/style.css', import.meta.url), 'utf8');
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

t.equal(colours.length, 11);
for (const [place, scheme] of schemes.entries()) {
  for (const ink of ['ink', 'faint', 'accent', 'good', 'bad', 'worst', 'string', 'number']) {
    for (const back of ['paper', 'sheet']) {
      const ratio = contrast(scheme.get(ink) ?? '', scheme.get(back) ?? '');
      t.ok(ratio >= 4.5, `${place === 0 ? 'light' : 'dark'}: ${ink} on ${back} is ${ratio.toFixed(1)}`);
    }
  }
}
// A colour defined elsewhere would escape this test.
t.same(style.replace(/light-dark\(.*\)/g, '').match(/#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/gi), null);
