#!/usr/bin/env node
// The installed command: checks and prepares Node, then loads the program. This file must load in Node 18.
import module from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { userCacheFolder } from '../base/cache-folder.ts';
import { adviceOnArchive } from '../package/library/plug-and-play.ts';

const { versions, stderr, env } = process;
const [major = 0, minor = 0] = versions.node.split('.').map(Number);

const isOld = major < 22 || (major === 22 && minor < 13);
const obstacle = isOld ? `Node 22.13 or newer is needed; this is ${versions.node}.` : adviceOnArchive;
if (obstacle !== undefined) {
  stderr.write(`weblate-understudy: ${obstacle}\n`);
  process.exitCode = 2;
} else {
  // Otherwise V8's old generation grows to four times its live contents (docs/decisions/0018).
  setFlagsFromString('--heap-growing-percent=30');
  // A cache of compiled code makes starts a third shorter. Without a folder, only this is lost.
  const folder = env['NODE_COMPILE_CACHE'] === undefined ? userCacheFolder() : undefined;
  if (folder !== undefined) module.enableCompileCache(join(folder, 'compiled'));
  await import('./main.ts');
}
