// Progress on stderr: on a terminal one line that is rewritten, elsewhere, as in a CI log, a line for each thing begun.

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
    clear(): void {
      if (!output.isTTY || shown === undefined) return;
      output.write('\r\u001B[2K');
      shown = undefined;
    },
  };
}

/**
 * Shows a load's progress; without a terminal, a line for each table, and for each 10 % of many rows.
 * @param minRows shows nothing of a table that gets fewer
 */
export const showLoad =
  (progress: Progress, minRows = 0) =>
  (table: string, done: number, total: number): void => {
    const share = total < manyRows ? '' : `, ${Math.floor((done / total) * 10) * 10} %`;
    if (total >= minRows) progress.show(`loading ${table}${share}`, `${done}/${total}`);
  };

export const manyRows = 20_000;
