// Progress on stderr: on a terminal one line that is rewritten, elsewhere a line for each thing begun.
import type { Output } from './command.ts';

export interface Progress {
  /** Says what is being done; `group` is what a line is written for where the output is no terminal. */
  show(group: string, detail: string): void;
  /** Takes the rewritten line away, so that something else can be written. */
  clear(): void;
}

export function startProgress(output: Output): Progress {
  return output.isTTY ? rewriteLine(output) : writeLines(output);
}

function rewriteLine(output: Output): Progress {
  let shown = false;
  return {
    show(group, detail) {
      // A line that wraps could not be rewritten.
      output.write(`\r\u001B[2K${`${detail} ${group}`.slice(0, 78)}`);
      shown = true;
    },
    clear() {
      if (shown) output.write('\r\u001B[2K');
      shown = false;
    },
  };
}

function writeLines(output: Output): Progress {
  let last: string | undefined;
  return {
    show(group) {
      if (group !== last) output.write(`${group}\n`);
      last = group;
    },
    clear() {},
  };
}
