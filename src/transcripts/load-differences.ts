// differences.json of a folder: where an answer is meant to differ from the recorded one.
import { Type } from '@sinclair/typebox';
import { check, findInside, keepNumbers } from './json-file.ts';
import type { Source } from './json-file.ts';
import { differenceSchema, stepDifferencesSchema } from './transcript.ts';
import type { Difference, Differences, Scenario } from './transcript.ts';

const anyObject = Type.Record(Type.String(), Type.Unknown());

/** Adds what is wrong to `faults`; `source` is absent when there is no such file. */
export function readDifferences(source: Source | undefined, scenarios: Scenario[], faults: string[]): Differences {
  const steps = new Map<string, Map<number, Difference>>();
  let everywhere: Difference = {};
  if (!source || !check(anyObject, source.plain, source.file, faults)) return { everywhere, steps };
  for (const [name, plain] of Object.entries(source.plain)) {
    const place = `${source.file}: ${name}`;
    if (name === '*') {
      if (check(differenceSchema, plain, place, faults))
        everywhere = keepNumbers(plain, findInside(source.raw, '*'), ['body']);
    } else if (check(stepDifferencesSchema, plain, place, faults)) {
      const read = ([key, one]: [string, Difference]) =>
        [Number(key), keepNumbers(one, findInside(source.raw, name, key), ['body'])] as const;
      steps.set(name, new Map(Object.entries(plain).map(read)));
      // A name without a scenario is no fault: a folder may hold only some of them.
      const count = scenarios.find((scenario) => scenario.name === name)?.steps.length ?? Infinity;
      const beyond = Object.keys(plain).filter((key) => Number(key) >= count);
      faults.push(...beyond.map((key) => `${place}: /${key}: there is no such step`));
    }
  }
  return { everywhere, steps };
}
