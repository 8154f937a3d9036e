// Runs after npm ci, under any Node, and makes links in node_modules/.bin. The packages of all platforms bring the same program, node:
// with those that don't fit this machine, npm 10 removes the link of the one that does. And `npx weblate-understudy` runs the checkout
// as it runs an installed package.
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const name = Object.keys(optionalDependencies).find((each) =>
  existsSync(new URL(`node_modules/${each}/bin/node`, root)),
);

function link(program, target) {
  const file = new URL(`node_modules/.bin/${program}`, root);
  if (existsSync(file)) return;
  // One that leads nowhere, of an older checkout, is there all the same.
  rmSync(file, { force: true });
  symlinkSync(target, file);
}

if (name !== undefined) link('node', `../${name}/bin/node`);
link('weblate-understudy', '../../bin/weblate-understudy');
