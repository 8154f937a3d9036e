// The report on one release: what changed in each operation.
import { code, formatTable } from '../transcripts/engine/classes.ts';
import type { Change } from './changes.ts';
import { operations } from './page.ts';

export interface Findings {
  readonly release: string;
  /** Such as `2026.10.1`. */
  readonly mirrored: string;
  readonly recorded: number;
  readonly generated: number;
  /** How the groups that the release makes by itself differ from those of seed.json. */
  readonly notes: readonly string[];
  readonly compared: Readonly<Record<string, number>>;
  readonly changes: readonly Change[];
}

const count = (number: number, what: string): string =>
  `${number.toLocaleString('en')} ${what}${number === 1 ? '' : what.endsWith('s') ? 'es' : 's'}`;

export function formatReport({ release, mirrored, recorded, generated, notes, changes }: Findings): string {
  const byOperation = Map.groupBy(changes, ({ operation }) => operation);
  const verdict =
    changes.length === 0
      ? 'nothing changed'
      : `${count(changes.length, 'class')} of changes in ${count(byOperation.size, 'operation')}`;
  const sections = [...byOperation].map(
    ([operation, own]) =>
      `\n## ${code(operation)}\n\n${operations.includes(operation) ? '' : 'Not declared here.\n\n'}${formatTable(heads, own.map(cellsOf))}`,
  );
  return [
    `# Weblate ${release}, compared with ${mirrored}\n`,
    `\n${count(recorded, 'recorded step')}, ${count(generated, 'generated one')}: ${verdict}.\n`,
    ...(notes.length === 0 ? [] : ['\nOther groups than in seed.json:\n\n', ...notes.map((note) => `- ${note}\n`)]),
    ...sections,
  ].join('');
}

const heads = ['what', 'before', 'now', 'steps', 'first request', 'seen in'];

const cellsOf = ({ place, before, now, steps, request, scenario }: Change): string[] => [
  ...[place, before, now].map(code),
  `${steps}`,
  code(request),
  scenario === undefined ? 'generated' : code(scenario),
];
