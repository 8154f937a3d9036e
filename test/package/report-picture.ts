// Takes the pictures of README's failed test, as a terminal shows the test:
//   npm run build && npx node test/package/report-picture.ts
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { closeChromium, launchChromium } from '../browser/chromium.ts';
import { ownByHand } from '../support/by-hand.ts';
import { managers } from './managers.ts';
import { makeProject } from './project.ts';
import { pack, root } from './tarball.ts';
import { writeNodeTest } from './walks.ts';

await using owner = ownByHand();
owner.teardown(closeChromium);
const project = makeProject(owner, { node: dirname(process.execPath) });
managers.npm(project, pack(owner).path, ['--ignore-scripts']);
symlinkSync(join(root, 'node_modules/vitest'), join(project.folder, 'node_modules/vitest'));
// A client that takes the wrong scope.
const wrong = { notification: 'LockNotification', scope: 20, frequency: 1 };
writeNodeTest(project, readFileSync(join(root, 'README.md'), 'utf8'), wrong);
const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run'], {
  cwd: project.folder,
  env: { ...process.env, FORCE_COLOR: '1', COLUMNS: '80' },
  encoding: 'utf8',
});
const lines = `${stderr}${stdout}`.replaceAll(project.folder, '~/project').split('\n');
const first = lines.findIndex((line) => line.includes('FAIL'));
const shown = lines.slice(
  first,
  lines.findIndex((line, n) => n > first && line.includes('⎯[')),
);
if (first === -1 || shown.length === 0) throw new Error(`the test did not fail as expected:\n${stderr}${stdout}`);

const colours: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  31: ['#a8203a', '#f58c9b'],
  32: ['#1f6b43', '#7cc79c'],
  33: ['#8a5a00', '#e0b060'],
  36: ['#0b6a77', '#7fc8d4'],
  41: ['#a8203a', '#f58c9b'],
};

/** Turns a terminal's escapes for colour and weight into HTML, and drops other escapes of this form. */
function toHtml(text: string, isDark: boolean): string {
  let open = 0;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const html = escaped.replaceAll(/\p{Cc}\[([\d;]*)m/gu, (_all, codes: string) =>
    codes
      .split(';')
      .map((code) => {
        const colour = colours[code]?.[isDark ? 1 : 0];
        const style =
          code === '1'
            ? 'font-weight:600'
            : code === '2'
              ? 'opacity:.65'
              : code === '41'
                ? `background:${colour};color:#fff`
                : `color:${colour}`;
        if (/^(?:1|2)$/.test(code) || colour !== undefined) return (open++, `<span style="${style}">`);
        return /^(?:0|22|39|49)?$/.test(code) && open > 0 ? (open--, '</span>') : '';
      })
      .join(''),
  );
  return html + '</span>'.repeat(open);
}

// Lines break at spaces and between the fields of JSON, but not at hyphens.
const text = shown.join('\n').trimEnd().replaceAll('-', '\u2011').replaceAll(',"', ',\u200B"');
const browser = await launchChromium();
for (const scheme of ['light', 'dark'] as const) {
  const isDark = scheme === 'dark';
  const page = await browser.newPage({ viewport: { width: 800, height: 200 }, deviceScaleFactor: 2 });
  const [paper, ink] = isDark ? ['#161518', '#e9e6e1'] : ['#faf9f7', '#211f1c'];
  await page.setContent(
    `<body style="margin:0;background:${paper};color:${ink}"><pre style="margin:0;padding:20px 24px;white-space:pre-wrap;font:14px/1.5 'DejaVu Sans Mono',monospace">${toHtml(text, isDark)}</pre>`,
  );
  await page.screenshot({ path: join(root, `docs/pictures/report-${scheme}.png`), fullPage: true });
  await page.close();
}
