// Progress on stderr: on a terminal one line that is rewritten, elsewhere a line for each thing begun.

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

export type Progress = ReturnType<typeof startProgress>;

export function startProgress(output: Output) {
  let shown: string | undefined;
  return {
    /** Shows what is being done; where the output is no terminal, writes a line each time `group` changes. */
    show(group: string, detail: string): void {
      // A line that wraps could not be rewritten.
      if (output.isTTY) output.write(`\r\u001B[2K${`${detail} ${group}`.slice(0, 78)}`);
      else if (group !== shown) output.write(`${group}\n`);
      shown = group;
    },
    /** Takes the rewritten line away, so that something else can be written. */
    clear(): void {
      if (!output.isTTY || shown === undefined) return;
      output.write('\r\u001B[2K');
      shown = undefined;
    },
  };
}

/**
 * Shows how far a long write has come, how fast it goes and how much time is left; elsewhere than on a terminal, each
 * tenth.
 */
export function showRate(progress: Progress, now = () => performance.now()) {
  let startMs: number | undefined;
  return (done: number, total: number): void => {
    startMs ??= now();
    const seconds = (now() - startMs) / 1000;
    const rate = done / seconds;
    const speed = done > 0 && seconds > 0 ? `, ${grouped(rate)} a second, ${clock((total - done) / rate)} left` : '';
    progress.show(`rows: ${tenths(done, total)} % written`, `${grouped(done)} of ${grouped(total)}${speed};`);
  };
}

/**
 * Shows how far a load has come; elsewhere than on a terminal, each table and, of many rows, each tenth.
 * @param least shows nothing of a table that gets fewer rows
 */
export const showLoad =
  (progress: Progress, least = 0) =>
  (table: string, done: number, total: number): void => {
    const share = total < manyRows ? '' : `, ${tenths(done, total)} %`;
    if (total >= least) progress.show(`loading ${table}${share}`, `${done}/${total}`);
  };

export const manyRows = 20_000;
const tenths = (done: number, total: number): number => Math.floor((done / Math.max(total, 1)) * 10) * 10;
const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
