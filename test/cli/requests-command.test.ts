// `understudy requests`: what it shows, and what it asserts.
import { test } from 'tap';
import { command as requests } from '../../src/cli/commands/requests-command.ts';
import { runCommand } from '../support/run-command.ts';
import { startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';

await test('requests shows, asserts and clears the requests of a sandbox', async (suite) => {
  const service = await startService(suite);
  const run = (...args: string[]) => runCommand(requests, [...args, '--url', service.url]);
  await service.request('PUT', '/_understudy/sandboxes/job');
  const base = '/sandboxes/job';
  await service.request('GET', `${base}${list}?page=1`);
  await service.request('POST', base + list, { as: 'alice', json: { notification: '\u001b[31m\u009b', scope: 10 } });
  await service.request('GET', `${base}/api/nowhere/`, { as: 'alice' });

  await suite.test('each request has a line', async (t) => {
    const { code, stdout, stderr } = await run('job');
    t.match({ code, stderr }, { code: 0, stderr: '' });
    const lines = stdout.split('\n');
    t.match(lines, [
      'GET    /api/users/alice/notifications/?page=1  200  anonymous',
      'POST   /api/users/alice/notifications/         400  alice',
      /^ {7}sent \{"notification":"\\u001b/,
      /^ {7}received \{"type":"validation_error"/,
      'GET    /api/nowhere/                           404  alice  no such path is served',
      /^ {7}received /,
      '',
    ]);
    t.notMatch(stdout, /[^\P{Cc}\n]/u, 'nothing steers the terminal');
    t.strictSame(await run(), { code: 0, stdout: 'none\n', stderr: '' }, 'default received none');
    t.match(await run('job', '--limit', '1'), { stdout: /^The last 1 of 3:\nGET    \/api\/nowhere\// });
  });

  await suite.test('filters', async (t) => {
    const found = async (...args: string[]) =>
      (JSON.parse((await run('job', '--json', ...args)).stdout) as { requests: { id: string }[] }).requests;
    const count = async (...args: string[]) => (await found(...args)).length;
    t.equal(await count(), 3);
    t.equal(await count('--method', 'get'), 2);
    t.equal(await count('--method', 'get', '--method', 'POST'), 3);
    t.equal(await count('--since', (await found())[0]?.id ?? ''), 2);
    t.equal(await count('--path', '/api/users/**'), 2);
    t.equal(await count('--user', 'alice'), 2);
    t.equal(await count('--anonymous'), 1);
    t.equal(await count('--query', 'page=1'), 1);
    t.equal(await count('--query', 'page=1', '--query', 'page=2'), 0, 'all of several');
    t.equal(await count('--body', '{"scope":10}'), 1);
    t.equal(await count('--status', '4xx'), 2);
    t.equal(await count('--unmatched'), 1);
    t.equal(await count('--limit', '2'), 2);
  });

  await suite.test('expectations set the exit code', async (t) => {
    t.match(await run('job', '--expect', '--method', 'POST'), { code: 0, stdout: /^POST/, stderr: '' });
    t.match(await run('job', '--times', '2', '--method', 'GET', '--within', '60s'), { code: 0 });
    t.match(await run('job', '--times', '..3'), { code: 0 });
    t.match(await run('job', '--times', '0', '--method', 'PUT', '--within', '5ms'), {
      code: 0,
      stdout: 'none\n',
      stderr: '',
    });
    t.match(await run('job', '--times', '4..'), { code: 1, stdout: '', stderr: /at least 4 requests, but .* 3:/ });
    const wanted = { match: { path: list, body: { scope: 20 } }, within_ms: 10 };
    const path = '/_understudy/sandboxes/job/requests/expect';
    const { message } = (await service.request('POST', path, { json: wanted })).json as { message: string };
    const args = ['job', '--path', list, '--body', '{"scope":20}', '--within', '0.01s'];
    t.strictSame(await run(...args), { code: 1, stdout: '', stderr: `${message}\n` }, 'as the service says it');
    t.match(message, 'body.scope: expected 20, received 10');
    const { code, stdout, stderr } = await run(...args, '--expect', '--json');
    t.match({ code, stderr }, { code: 1, stderr: `${message}\n` });
    t.match(JSON.parse(stdout), { matched: false, message, requests: [], dropped: 0 });
    const waiting = run('--expect', '--path', list, '--within', '60s');
    await service.request('GET', list);
    t.match(await waiting, { code: 0, stdout: /^GET/ });
  });

  await suite.test('wrong usage, an unknown sandbox', async (t) => {
    for (const [args, message] of [
      [['--query', 'page'], '--query must be KEY=VALUE, not "page"'],
      [['--body', '{'], '--body is not JSON: '],
      [['--times', 'x'], '--times must be a number, or MIN..MAX, not "x"'],
      [['--within', '5'], '--within must be a time such as 5s or 500ms, not "5"'],
      [['--limit', '0'], '--limit must be a whole number from 1, not "0"'],
      [['--user', 'x', '--anonymous'], '--user and --anonymous exclude each other'],
      [['--clear', '--unmatched'], '--clear empties the whole journal: it takes no --unmatched'],
    ] as const)
      t.match(await run('job', ...args), { code: 2, stdout: '', stderr: `requests: ${message}` });
    t.match(await run('nowhere'), { code: 1, stderr: 'No sandbox is named "nowhere".\n' });
    t.match(await run('job', '--times', '3..2'), { code: 1, stderr: /^times\.min: Must be at most max/ });
    t.match(await run('job', '--method', 'GTE', '--expect'), {
      code: 1,
      stderr: /^match\.method: No request .* GET\?/,
    });
  });

  await suite.test('--clear', async (t) => {
    t.strictSame(await run('job', '--clear'), { code: 0, stdout: '', stderr: 'the journal of job was emptied\n' });
    t.match(await run('job'), { code: 0, stdout: 'none\n' });
  });
});
