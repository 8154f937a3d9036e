// Reads a folder of transcripts: scenarios, differences.json and the tokens of seed.json. Whatever is wrong with the
// files is found in one go.
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Static } from '@sinclair/typebox';
import { check, codeOf, findInside, keepNumbers, readSource } from './json-file.ts';
import { readDifferences } from './load-differences.ts';
import type { Json } from './raw-json.ts';
import { listTokenNames, listTokens } from './tokens.ts';
import type { Tokens } from './tokens.ts';
import { scenarioSchema, seedTokensSchema } from './transcript.ts';
import type { Differences, Scenario } from './transcript.ts';

export interface Transcripts {
  /** Ordered by file name. */
  scenarios: Scenario[];
  differences: Differences;
  tokens: Tokens;
  /** Absolute path of the seed the tokens came from; null when there is none. */
  seedFile: string | null;
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

/** Loads `folder`; tokens come from `seedFile`, or from seed.json in the folder. Throws TranscriptFaults. */
export async function loadTranscripts(folder: string, options: { seedFile?: string } = {}): Promise<Transcripts> {
  const faults: string[] = [];
  const names = await listJsonFiles(folder, faults);
  const read = (file: string, path = join(folder, file)) => readSource(file, path, faults);

  const scenarios: Scenario[] = [];
  for (const name of names.filter((one) => one !== 'seed.json' && one !== 'differences.json')) {
    const source = await read(name);
    if (!source || !check(scenarioSchema, source.plain, name, faults)) continue;
    faults.push(...findDoubleContent(name, source.plain));
    scenarios.push(readScenario(name, source.plain, source.raw));
  }
  const differencesSource = names.includes('differences.json') ? await read('differences.json') : undefined;
  const differences = readDifferences(differencesSource, scenarios, faults);
  const seedFile = options.seedFile ?? (names.includes('seed.json') ? join(folder, 'seed.json') : null);
  const seed = seedFile === null ? undefined : await read(options.seedFile ?? 'seed.json', seedFile);
  const tokens =
    seed && check(seedTokensSchema, seed.plain, seed.file, faults)
      ? listTokens(seed.plain.users)
      : new Map<string, string>();

  if (scenarios.length === 0 && faults.length === 0) faults.push(`${folder}: holds no transcript`);
  // Without a seed every step would be the same fault over again.
  if (seedFile === null && scenarios.some((one) => one.steps.some((step) => step.request.as !== undefined)))
    faults.push(`${folder}: steps name users, but there is no seed.json with their tokens`);
  else if (seed) faults.push(...findUnknownUsers(scenarios, tokens, seed.file));
  faults.push(...findTwins(scenarios));
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

/** What the schema does not say: a request has at most one kind of body, an answer exactly one. */
function findDoubleContent(file: string, { steps }: Static<typeof scenarioSchema>): string[] {
  return steps.flatMap(({ request, response }, index) => [
    ...(countKeys(request, ['json', 'form', 'multipart', 'raw']) > 1
      ? [`${file}: /steps/${index}/request: Expected at most one of json, form, multipart, raw`]
      : []),
    ...(countKeys(response, ['body', 'html', 'text']) === 1
      ? []
      : [`${file}: /steps/${index}/response: Expected exactly one of body, html, text`]),
  ]);
}

function countKeys(value: object, keys: string[]): number {
  return keys.filter((key) => key in value).length;
}

function readScenario(file: string, plain: Static<typeof scenarioSchema>, raw: Json): Scenario {
  const steps = plain.steps.map(({ request, response }, index) => ({
    request: keepNumbers(request, findInside(raw, 'steps', index, 'request'), ['json', 'form']),
    response: keepNumbers(response, findInside(raw, 'steps', index, 'response'), ['body']),
  }));
  return { file, name: plain.scenario, steps };
}

function findUnknownUsers(scenarios: Scenario[], tokens: Tokens, seedFile: string): string[] {
  return scenarios.flatMap(({ file, steps }) =>
    steps.flatMap(({ request }, index) => {
      const names = listTokenNames(Object.values(request.headers ?? {}).join('\n'));
      const unknown = [...(request.as === undefined ? [] : [request.as]), ...names].filter((name) => !tokens.has(name));
      return unknown.map(
        (name) => `${file}: /steps/${index}/request: ${seedFile} has no token for ${JSON.stringify(name)}`,
      );
    }),
  );
}

function findTwins(scenarios: Scenario[]): string[] {
  const files = Map.groupBy(scenarios, (scenario) => scenario.name);
  return [...files].flatMap(([name, same]) =>
    same.slice(1).map((one) => `${one.file}: /scenario: ${JSON.stringify(name)} stands in ${same[0]?.file} too`),
  );
}
