// Prometheus' text format, version 0.0.4.

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string;
}

/** The lines of a family; none without samples. */
export function family(
  type: 'counter' | 'gauge' | 'histogram',
  name: string,
  help: string,
  samples: number | readonly Sample[],
): string {
  const all: readonly Sample[] = typeof samples === 'number' ? [{ labels: {}, value: samples }] : samples;
  if (all.length === 0) return '';
  const lines = all.map(({ labels, value, suffix = '' }) => `${name}${suffix}${labelsText(labels)} ${value}\n`);
  return [`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`, ...lines].join('');
}

// JSON escapes backslashes, quotes and line breaks as the format does.
function labelsText(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
