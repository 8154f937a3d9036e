// Lengths of time as texts: `500ms`, `90s`, `30m`, `1.5h`, `2d`.

const unitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A number is milliseconds. */
export type Duration = number | `${number}${keyof typeof unitsMs}`;

export const durationPattern = `^(\\d+(?:\\.\\d+)?)(${Object.keys(unitsMs).join('|')})$`;

/** In milliseconds; undefined if the text isn't a duration. */
export function readDuration(text: string) {
  const [, digits, unit] = new RegExp(durationPattern).exec(text) ?? [];
  return unit === undefined ? undefined : Math.round(Number(digits) * unitsMs[unit as keyof typeof unitsMs]);
}
