// The report on one release: what changed in each operation, and the line that declares the operation here.
import { code, formatTable } from '../transcripts/engine/classes.ts';
import type { Change } from './changes.ts';
import { lineOf } from './declared.ts';

export interface Findings {
  readonly release: string;
  /** Such as `2026.10.1`. */
  readonly mirrored: string;
  readonly recorded: number;
  readonly generated: number;
  /** How the world of the release differs from the known one. */
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
      `\n## ${code(operation)}\n\n${describeLine(operation)}\n\n${formatTable(heads, own.map(cellsOf))}`,
  );
  return [
    `# Weblate ${release}, compared with ${mirrored}\n`,
    `\n${count(recorded, 'recorded step')}, ${count(generated, 'generated one')}: ${verdict}.\n`,
    ...(notes.length === 0 ? [] : ['\nIts world is not the known one:\n\n', ...notes.map((note) => `- ${note}\n`)]),
    ...sections,
  ].join('');
}

function describeLine(operation: string): string {
  const line = lineOf(operation);
  return line === undefined ? 'Not served here.' : `Declared at ${code(line)}.`;
}

const heads = ['what', 'before', 'now', 'steps', 'first request', 'seen in'];

const cellsOf = ({ place, before, now, steps, request, scenario }: Change): string[] => [
  ...[place, before, now].map(code),
  `${steps}`,
  code(request),
  scenario === undefined ? 'generated' : code(scenario),
];
