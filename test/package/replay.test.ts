// All recordings, replayed against the installed service under the oldest Node.
import { join } from 'node:path';
import tap, { test } from 'tap';
import { runCommand } from '../support/run-command.ts';
import { verify } from '../transcripts/commands/verify.ts';
import { managers } from './managers.ts';
import { folderOf, versions } from './nodes.ts';
import { makeProject } from './project.ts';
import { pack, root } from './tarball.ts';

tap.setTimeout(600_000);

// The settings of the recorded service.
const limits = { UNDERSTUDY_RATE_LIMIT_ANONYMOUS: '2/day', UNDERSTUDY_RATE_LIMIT_USER: '3/hour' };

await test('the installed service answers as recorded', async (t) => {
  const project = makeProject(t, { node: folderOf(versions[0]) });
  managers.npm(project, pack(t).path, ['--ignore-scripts']);
  const replay = async (env: Readonly<Record<string, string>>, ...which: string[]): Promise<string> => {
    const url = await project.serve(t, { UNDERSTUDY_ANONYMOUS: 'strict', ...env });
    const reset = `${join(root, 'bin/weblate-understudy')} sandbox create verify --url ${url} --seed "$VERIFY_SEED_FILE"`;
    const done = await runCommand(verify, [`${url}/sandboxes/verify`, ...which, '--reset', reset], {
      env: process.env,
    });
    return done.stdout || done.stderr;
  };
  t.match(
    await replay({}, '--except', 'ratelimit'),
    /^\d{2,} scenarios, \d{4,} steps: no difference, 5 not compared\n$/m,
  );
  // Each scenario counts from the start of a service.
  for (const name of ['ratelimit/anonymous', 'ratelimit/order', 'ratelimit/user'])
    t.match(await replay(limits, '--only', name), /^1 scenario, \d+ steps: no difference$/m, name);
});
