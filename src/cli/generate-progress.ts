// How far a long write has come, how fast it goes and how long it will still take.
import type { Progress } from './progress.ts';

/** Makes the function that is told how much is done. Elsewhere than on a terminal it writes a line for each tenth. */
export function showRate(
  progress: Progress,
  now: () => number = () => performance.now(),
): (done: number, total: number) => void {
  let startMs: number | undefined;
  return (done, total) => {
    startMs ??= now();
    const seconds = (now() - startMs) / 1000;
    const rate = done / seconds;
    const tenths = Math.floor((done / Math.max(total, 1)) * 10) * 10;
    const speed = done > 0 && seconds > 0 ? `, ${grouped(rate)} a second, ${clock((total - done) / rate)} left` : '';
    progress.show(`rows: ${tenths} % written`, `${grouped(done)} of ${grouped(total)}${speed};`);
  };
}

const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
