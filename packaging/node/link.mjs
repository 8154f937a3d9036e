// Runs after npm ci, under any Node, and makes two links in node_modules/.bin. npm 10 removes the link `node`
// when it removes Node's packages for other platforms, because all of these packages have this program.
// With the link `weblate-understudy`, npx runs the checkout as it runs an installed package.
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const name = Object.keys(optionalDependencies).find((each) =>
  existsSync(new URL(`node_modules/${each}/bin/node`, root)),
);

function link(program, target) {
  const file = new URL(`node_modules/.bin/${program}`, root);
  if (existsSync(file)) return;
  // existsSync() is false for a link that leads nowhere, such as a link of an older checkout.
  rmSync(file, { force: true });
  symlinkSync(target, file);
}

if (name !== undefined) link('node', `../${name}/bin/node`);
link('weblate-understudy', '../../bin/weblate-understudy');
