// The examples that need no container, run against a service of this checkout, and against a closed port to show that they can fail.
import { join } from 'node:path';
import { test } from 'tap';
import { startService } from '../support/service.ts';
import { examples, findMissing, run } from './run.ts';

const nowhere = 'http://127.0.0.1:9';

const lacksCurl = await findMissing('bash with curl', ['bash', '-c', 'curl --version']);
const runBash = (api: string) => run(['bash', 'bash/notifications.sh'], { env: { API_URL: api } });

await test('bash and curl', { skip: lacksCurl }, async (t) => {
  const { url } = await startService(t, { anonymous: 'strict' });
  const { code, output } = await runBash(url);
  t.equal(code, 0, output);
  t.equal(output.match(/^ok /gm)?.length, 5);
  t.not((await runBash(nowhere)).code, 0);
});

const lacksPytest = await findMissing('python3 with pytest and requests', ['python3', '-c', 'import pytest, requests']);
const runPython = (api: string) =>
  run(['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
    cwd: join(examples, 'python'),
    env: { API_URL: api, PYTHONDONTWRITEBYTECODE: '1' },
  });

await test('Python with pytest and requests', { skip: lacksPytest }, async (t) => {
  const { url } = await startService(t, { anonymous: 'strict' });
  const { code, output } = await runPython(url);
  t.equal(code, 0, output);
  t.match(output, /4 passed/);
  t.not((await runPython(nowhere)).code, 0);
});
