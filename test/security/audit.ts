// npm run audit: high and critical vulnerabilities of the packages that the service needs. Exits 0 if there are none, 1 if there
// are some, and 2 if the registry gave no report (no network, a mirror without audits), unless --offline-ok is given, as in CI.
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
  process.stderr.write('The packages were not audited: the registry returned no report.\n');
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
