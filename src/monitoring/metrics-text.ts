// Figures to Prometheus' text format, version 0.0.4. Several processes' figures can be added up before.

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** What several processes make of it together; `largest` for what all of them see alike, or what hurts by its worst. */
  readonly together: 'sum' | 'largest';
  readonly samples: readonly Sample[];
}

export function renderFamilies(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => renderSample(name, sample))].join(
        '\n',
      ),
    )
    .join('\n')
    .concat('\n');
}

function renderSample(name: string, { labels, value, suffix = '' }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${number(value)}`;
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const number = (value: number): string =>
  Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN';

/** One page of several processes' figures: each is a list of families as `Metrics.collect` gives it. */
export function addUp(processes: readonly (readonly Family[])[]): Family[] {
  const families = new Map<string, { family: Family; samples: Map<string, Sample> }>();
  for (const family of processes.flat()) {
    let known = families.get(family.name);
    if (known === undefined) families.set(family.name, (known = { family, samples: new Map() }));
    for (const sample of family.samples) {
      const key = JSON.stringify([sample.suffix, sample.labels]);
      const former = known.samples.get(key);
      known.samples.set(key, former === undefined ? sample : { ...sample, value: join(family, former, sample) });
    }
  }
  return [...families.values()].map(({ family, samples }) => ({ ...family, samples: [...samples.values()] }));
}

const join = ({ together }: Family, a: Sample, b: Sample): number =>
  together === 'sum' ? a.value + b.value : Math.max(a.value, b.value);
