// The table of the part `peers`: a line for each program, with all of its figures.
import { peakMegabytes } from '../processes.ts';
import { addFigure, printRows, whole } from '../report.ts';
import type { Result, Subject } from '../rounds.ts';

export interface Line {
  readonly name: string;
  /** Undefined for what answers nothing itself. */
  readonly subject?: Subject;
  /** From the beginning of the process to the first right answer; undefined where the bench hasn't started it. */
  readonly startMs?: number | undefined;
  /** Whose memory counts; undefined where the bench hasn't started it. */
  readonly pids?: () => readonly number[];
  restMegabytes?: number | undefined;
}

const unknown = '-';

/** While the programs run: asks them once more, and reads the highest memory. */
export async function printLines(lines: readonly Line[], results: readonly Result[]) {
  const connections = [...new Set(results.map((result) => result.connections))];
  const rates = connections.flatMap((count) => [`${count}: a second`, 'p50 ms', 'p99 ms', 'of understudy']);
  const head = ['program', 'bytes', ...rates, 'first answer ms', 'MB at rest', 'MB at most'];
  const ofCount = connections.map((count) => results.filter((result) => result.connections === count));
  const rows: string[][] = [];
  for (const { name, subject, startMs, pids, restMegabytes } of lines) {
    const figures = ofCount.flatMap((ofAll) => figuresOf(subject, ofAll));
    const start = subject === undefined ? '' : startMs?.toFixed(0);
    const peak = pids && peakMegabytes(pids());
    // What PostgreSQL holds may have become less.
    const most = peak && Math.max(peak, restMegabytes ?? 0);
    const cells = [start, restMegabytes, most].map((cell) => String(cell ?? unknown));
    rows.push([name, await sizeOf(subject), ...figures, ...cells]);
  }
  const [[ours, ...others] = [], most] = [ofCount.at(-1), connections.at(-1)];
  const said = others.map(({ subject, perSecond }) => `${subject.name} ${whole(perSecond)}`).join(', ');
  addFigure(`Lists of the sample a second at ${most} connections`, whole(ours?.perSecond ?? NaN), said);
  printRows(`One list from several programs, at ${connections.join(' and ')} connections`, head, rows);
}

/** @param results at one number of connections, ours first */
function figuresOf(subject: Subject | undefined, results: readonly Result[]): string[] {
  const [ours] = results;
  const result = results.find((one) => one.subject === subject);
  if (result === undefined || ours === undefined) return ['', '', '', ''];
  const ratio = result.perSecond / ours.perSecond;
  const shown = result === ours ? '' : ratio.toFixed(ratio < 0.1 ? 3 : 2);
  return [whole(result.perSecond), result.p50Ms.toFixed(2), result.p99Ms.toFixed(1), shown];
}

/** Bytes of the answer's body. */
async function sizeOf(subject: Subject | undefined): Promise<string> {
  const asked = subject?.next().requests[0];
  if (subject === undefined || asked === undefined) return '';
  const answer = await fetch(subject.url + asked.path, { headers: asked.headers });
  return whole((await answer.arrayBuffer()).byteLength);
}
