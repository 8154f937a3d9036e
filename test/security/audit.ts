// npm run audit: known faults, high and critical, in the packages that run. Exit 0 none, 1 some, 2 where the registry would not say
// (a mirror without audits, no network), unless --offline-ok is given, with which CI goes on and the log says so.
import { spawnSync } from 'node:child_process';

interface Report {
  readonly error?: unknown;
  readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> };
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
}

const grave = new Set(['high', 'critical']);
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', shell: false });
const report = parse(stdout);

if (report?.metadata === undefined) {
  process.stderr.write('The packages were not audited: the registry did not answer the question.\n');
  process.exitCode = process.argv.includes('--offline-ok') ? 0 : 2;
} else {
  const found = Object.entries(report.vulnerabilities ?? {}).filter(([, { severity }]) => grave.has(severity));
  for (const [name, { severity, range }] of found) process.stdout.write(`${severity}: ${name} ${range}\n`);
  process.stderr.write(`${found.length} high or critical\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}

function parse(text: string): Report | undefined {
  try {
    const value: Report = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
