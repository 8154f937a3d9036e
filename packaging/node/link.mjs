// Runs after npm ci, under any Node, and makes links in node_modules/.bin. Node's packages for all platforms have the same program, `node`:
// when npm 10 removes the packages for other platforms, it also removes the link of this platform's package. With the second link, `npx
// weblate-understudy` runs the checkout as it runs an installed package.
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
