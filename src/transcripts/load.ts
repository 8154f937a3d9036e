// Reads a folder of transcripts: scenarios, differences.json and the tokens of seed.json. Reports all faults of the files together.
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { check, codeOf, type JsonFile, readJsonFile } from './json-file.ts';
import { listTokenNames, listTokens, type Tokens } from './placeholders.ts';
import {
  type Difference,
  type Differences,
  differenceSchema,
  noDifferences,
  type Scenario,
  scenarioSchema,
  seedTokensSchema,
  stepDifferencesSchema,
} from './transcript.ts';

export interface Transcripts {
  /** Ordered by file name. */
  readonly scenarios: Scenario[];
  readonly differences: Differences;
  readonly tokens: Tokens;
  /** Absolute path of the seed with the tokens; null if there is none. */
  readonly seedFile: string | null;
}

/** Every fault of the files, each with its file and the path inside it. */
export class TranscriptFaults extends Error {
  override readonly name = 'TranscriptFaults';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** Tokens come from `seed`, or from seed.json in the folder. Throws TranscriptFaults. */
export async function loadTranscripts(folder: string, seed?: string): Promise<Transcripts> {
  const faults: string[] = [];
  const names = await listJsonFiles(folder, faults);
  const read = (file: string, path = join(folder, file)) => readJsonFile(file, path, faults);

  const scenarios: Scenario[] = [];
  for (const name of names.filter((one) => one !== 'seed.json' && one !== 'differences.json')) {
    const source = await read(name);
    if (source) scenarios.push(...readScenario(source, faults));
  }
  const differencesFile = names.includes('differences.json') ? await read('differences.json') : undefined;
  const differences = differencesFile ? readDifferences(differencesFile, scenarios, faults) : noDifferences;
  const seedFile = seed ?? (names.includes('seed.json') ? join(folder, 'seed.json') : null);
  const source = seedFile === null ? undefined : await read(seed ?? 'seed.json', seedFile);
  const tokens: Tokens =
    source && check(seedTokensSchema, source.plain, source.file, faults) ? listTokens(source.plain.users) : new Map();

  if (scenarios.length === 0 && faults.length === 0) faults.push(`${folder}: holds no transcript`);
  // Without a seed every step would report the same fault.
  if (seedFile === null && scenarios.some((one) => one.steps.some((step) => step.request.as !== undefined)))
    faults.push(`${folder}: steps name users, but there is no seed.json with their tokens`);
  else if (source) faults.push(...listUnknownUsers(scenarios, tokens, source.file));
  faults.push(...listDuplicates(scenarios));
  if (faults.length > 0) throw new TranscriptFaults(faults);
  return { scenarios, differences, tokens, seedFile: seedFile === null ? null : resolve(seedFile) };
}

async function listJsonFiles(folder: string, faults: string[]): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.')).toSorted();
  } catch (error) {
    faults.push(`${folder}: cannot be read (${codeOf(error)})`);
    return [];
  }
}

/** The raw form of a checked value: it differs by its numbers, of which only the status is used as one. */
function keepNumbers<T extends { status?: number }>(plain: T, raw: T): T {
  return { ...raw, ...(plain.status === undefined ? {} : { status: plain.status }) };
}

function readScenario({ file, plain, raw }: JsonFile, faults: string[]): Scenario[] {
  if (!check(scenarioSchema, plain, file, faults)) return [];
  faults.push(...listBodyFaults(file, plain));
  const { steps } = raw as unknown as typeof plain;
  return [
    {
      file,
      name: plain.scenario,
      steps: steps.map(({ request, response }, index) => ({
        request,
        response: keepNumbers(plain.steps[index]?.response ?? response, response),
      })),
    },
  ];
}

/** What the schema can't express: a request has at most one kind of body, an answer exactly one. */
function listBodyFaults(file: string, { steps }: Static<typeof scenarioSchema>): string[] {
  const count = (value: object, keys: string[]) => keys.filter((key) => key in value).length;
  return steps.flatMap(({ request, response }, index) => [
    ...(count(request, ['json', 'form', 'multipart', 'raw']) > 1
      ? [`${file}: /steps/${index}/request: Expected at most one of json, form, multipart, raw`]
      : []),
    ...(count(response, ['body', 'html', 'text']) === 1
      ? []
      : [`${file}: /steps/${index}/response: Expected exactly one of body, html, text`]),
  ]);
}

const anyObject = Type.Record(Type.String(), Type.Unknown());

function readDifferences({ file, plain, raw }: JsonFile, scenarios: Scenario[], faults: string[]): Differences {
  if (!check(anyObject, plain, file, faults)) return noDifferences;
  const rawByName = raw as unknown as { [name: string]: Difference & { [step: string]: Difference } };
  let everywhere: Difference = {};
  const steps = new Map<string, Map<number, Difference>>();
  for (const [name, one] of Object.entries(plain)) {
    const place = `${file}: ${name}`;
    const rawOne = rawByName[name] ?? {};
    if (name === '*') {
      if (check(differenceSchema, one, place, faults)) everywhere = keepNumbers(one, rawOne);
    } else if (check(stepDifferencesSchema, one, place, faults)) {
      const read = ([step, difference]: [string, Difference]) =>
        [Number(step), keepNumbers(difference, rawOne[step] ?? {})] as const;
      steps.set(name, new Map(Object.entries(one).map(read)));
      // A name without a scenario is no fault: a folder may hold only some of them.
      const count = scenarios.find((scenario) => scenario.name === name)?.steps.length ?? Infinity;
      const beyond = Object.keys(one).filter((step) => Number(step) >= count);
      faults.push(...beyond.map((step) => `${place}: /${step}: there is no such step`));
    }
  }
  return { everywhere, steps };
}

function listUnknownUsers(scenarios: Scenario[], tokens: Tokens, seedFile: string): string[] {
  return scenarios.flatMap(({ file, steps }) =>
    steps.flatMap(({ request: { as, headers = {} } }, index) => {
      const names = [...(as === undefined ? [] : [as]), ...listTokenNames(Object.values(headers).join('\n'))];
      return names
        .filter((name) => !tokens.has(name))
        .map((name) => `${file}: /steps/${index}/request: ${seedFile} has no token for ${JSON.stringify(name)}`);
    }),
  );
}

function listDuplicates(scenarios: Scenario[]): string[] {
  const files = Map.groupBy(scenarios, (scenario) => scenario.name);
  return [...files].flatMap(([name, same]) =>
    same.slice(1).map((one) => `${one.file}: /scenario: ${JSON.stringify(name)} is the name in ${same[0]?.file} too`),
  );
}
