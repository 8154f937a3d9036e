// The command lines of the how-to guides and tutorials, as they stand: curl fails here on each 4xx and 5xx.
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Test, test } from 'tap';
import { run } from '../examples/run.ts';
import { codeBlocks, pages, root } from '../support/pages.ts';
import { findProgram } from '../support/programs.ts';
import { startService } from '../support/service.ts';

interface Reader {
  /** Files of the folder in which the reader works. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** What the page takes for done, as command lines. */
  readonly before?: string;
  /** Texts of the page that stand for those of the reader. */
  readonly instead?: readonly (readonly [string, string])[];
  /** What its blocks print. */
  readonly prints: readonly RegExp[];
  readonly programs?: readonly string[];
  /** Blocks that a test of their own executes. */
  readonly except?: RegExp;
}

const seedOf = (username: string) => `users:\n  - { username: ${username} }\n`;
const post = `curl http://127.0.0.1:8000/sandboxes/job-17/api/users/alice/notifications/ \\
  -H 'Authorization: Token wlu_alice_public_sample_token_0000000000' -H 'Content-Type: application/json' \\
  -d '{"notification":"RepositoryNotification","scope":10,"frequency":1}'\n`;
const make = 'curl -X PUT http://127.0.0.1:8000/_understudy/sandboxes/job-17\n';

const executed: Readonly<Record<string, Reader>> = {
  'how-to/assert-requests.md': {
    before: `${make}${make.replace('job-17', 'job-18')}${post}`,
    prints: [
      /"matched": true/,
      /received no number 2 after number 1/,
      /^POST +\/api\/users\/alice\/notifications\/ +201 +alice/m,
    ],
    ...(findProgram('java') === undefined && { except: /^java/ }),
    // No request of alice was refused, and the command exits with 1 where it finds none.
    instead: [['--status 4xx', '--status 2xx']],
  },
  'how-to/import-from-a-server.md': {
    instead: [
      ['wlu_yours', 'wlu_admin_public_sample_token_0000000000'],
      ['https://weblate.example.com', 'http://127.0.0.1:8000'],
    ],
    prints: [/users/],
  },
  'how-to/load-seeds.md': {
    files: {
      'team.yaml': codeBlocks(pages.get('docs/how-to/load-seeds.md') ?? '', 'yaml')[0] ?? '',
      'tables.sql': "insert into understudy.users (username) values ('from-tables');",
      'more.sql': "insert into understudy.users (username) values ('from-more');",
    },
    except: /npm start/,
    prints: [/zoe/, /"created"/, /"username": ?"from-more"/],
  },
  'how-to/run-in-ci.md': {
    env: { CI_JOB_ID: '17', API_URL: 'http://127.0.0.1:8000', API_ADMIN_TOKEN: 'unused-where-none-is-set' },
    programs: ['jq'],
    before: 'set -x\n',
    prints: [/base_url=http:\S+\/sandboxes\/job-17/],
  },
  'how-to/run-several-services.md': {
    before: make.replace('8000', '8003'),
    except: /^docker/,
    prints: [/"token"|wlu_sandbox_job-17_/],
  },
  'how-to/use-sandboxes.md': {
    files: { 'seed.yaml': seedOf('from-my-seed') },
    prints: [/"base_url": "http:\S+\/sandboxes\/job-17"/, /username: from-my-seed/, /"name": "busy"/],
  },
  'how-to/use-the-pages.md': { prints: [/wlu_/] },
  'tutorials/first-client.md': { except: /^(?:npm|node)/, prints: [/"status": 503/] },
};

/** Pages whose command lines run elsewhere, and those that no test can run. */
const elsewhere: Readonly<Record<string, string>> = {
  'how-to/compare-with-the-real-system.md': 'needs the real system: test/follow',
  'how-to/connect-with-tls.md': 'starts a service: test/deploy/tls.test.ts',
  'how-to/deploy-without-docker.md': 'needs the package: test/package/deploy-without-docker.test.ts',
  'how-to/install-from-npm.md': 'makes the package: test/package',
  'how-to/serve-over-tls.md': 'needs Caddy or containers: test/deploy/caddy.test.ts, test/docker/tls.test.ts',
  'how-to/serve-the-rest-of-the-api.md': 'needs nginx: test/examples/nginx.test.ts',
  'how-to/share-with-your-team.md': 'needs containers: test/docker/share.test.ts',
  'how-to/test-with-javascript.md': 'needs the package: test/package/runners.test.ts',
  'how-to/test-with-pytest.md': 'needs the package: test/package/pytest.test.ts',
  'how-to/use-from-a-browser.md': 'starts a service: test/edge/cors.test.ts',
  'tutorials/first-ci-job.md': 'needs the package and a repository: test/docs/tutorials.long.test.ts',
};

await test('each page with command lines is executed here, or it is said where', (t) => {
  const withLines = [...pages].flatMap(([file, page]) =>
    /^docs\/(?:how-to|tutorials)\//.test(file) && codeBlocks(page, 'sh').length > 0 ? [file.slice('docs/'.length)] : [],
  );
  t.same(withLines.toSorted(), [...Object.keys(executed), ...Object.keys(elsewhere)].toSorted());
  t.end();
});

for (const [page, reader] of Object.entries(executed)) {
  const missing = reader.programs?.find((program) => findProgram(program) === undefined);
  await test(page, { skip: missing !== undefined && `this machine has no ${missing}` }, async (t) => {
    const [service, other] = [await startService(t), await startService(t)];
    const inRun = (text: string) =>
      [...(reader.instead ?? []), ['http://127.0.0.1:8000', service.url], ['http://127.0.0.1:8003', other.url]].reduce(
        (said, [from = '', to = '']) => said.replaceAll(from, to),
        text,
      );
    const cwd = makeFolder(t, reader.files);
    const blocks = codeBlocks(pages.get(`docs/${page}`) ?? '', 'sh').filter((block) => !reader.except?.test(block));
    const env = {
      ...Object.fromEntries(Object.entries(reader.env ?? {}).map(([name, value]) => [name, inRun(value)])),
      DATABASE_URL: service.databaseUrl,
      UNDERSTUDY_URL: service.url,
      PATH: [join(cwd, 'bin'), dirname(process.execPath), process.env['PATH']].join(':'),
    };
    const { code, output } = await run(['sh', '-ec', inRun([reader.before ?? '', ...blocks].join('\n'))], { cwd, env });
    t.equal(code, 0, output);
    for (const printed of reader.prints) t.match(output, printed);
  });
}

/** A folder with the examples, `npx weblate-understudy`, and a curl that fails. */
function makeFolder(t: Test, files: Reader['files'] = {}): string {
  const folder = t.testdir({ ...files, bin: {} });
  symlinkSync(join(root, 'examples'), join(folder, 'examples'));
  const npx = `#!/bin/sh\n[ "$1" = weblate-understudy ] || exit 127\nshift\nexec ${root}/bin/weblate-understudy "$@"\n`;
  const curl = `#!/bin/sh
case " $*" in *' --fail'* | *' -fsS'*) ;; *) set -- --fail --silent --show-error "$@" ;; esac
exec ${findProgram('curl') ?? 'curl'} "$@"
`;
  for (const [name, text] of Object.entries({ npx, curl })) {
    writeFileSync(join(folder, 'bin', name), text);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  return folder;
}
