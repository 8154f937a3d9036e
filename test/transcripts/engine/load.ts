// Reads a folder of transcripts: scenarios, differences.json and the tokens of seed.json. Reports all faults of the
// files together, those of a step by its title.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { UserError } from '../../../src/base/errors.ts';
import { listTokenNames, listTokens, type Tokens } from './placeholders.ts';
import { parseRawJson } from './raw-json.ts';
import {
  type Differences,
  differencesSchema,
  requestSchema,
  type Scenario,
  scenarioSchema,
  seedTokensSchema,
  type Step,
  titleSteps,
} from './transcript.ts';

/** Every fault of the files, each with its file and the path inside it. */
export class TranscriptFaults extends UserError {
  override readonly name = 'TranscriptFaults';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/**
 * Tokens come from `seed`, or from seed.json in the folder; `seedFile` is its absolute path, if there is one. Throws
 * TranscriptFaults.
 */
export async function loadTranscripts(folder: string, seed?: string) {
  const faults: string[] = [];
  const names = await listJsonFiles(folder, faults);
  const scenarios: Scenario[] = [];
  for (const name of names.filter((one) => one !== 'seed.json' && one !== 'differences.json')) {
    const content = await readJsonFile(scenarioSchema, name, join(folder, name), faults);
    if (content === undefined) continue;
    const steps = titleSteps(content.steps);
    faults.push(...listBodyFaults(name, steps));
    scenarios.push({ file: name, name: content.scenario, steps });
  }
  const { '*': everywhere = {}, ...stepDifferences } = names.includes('differences.json')
    ? ((await readJsonFile(differencesSchema, 'differences.json', join(folder, 'differences.json'), faults)) ?? {})
    : {};
  const differences: Differences = { everywhere, steps: stepDifferences };
  faults.push(...listUnknownSteps(differences, scenarios));
  const seedFile = seed ?? (names.includes('seed.json') ? join(folder, 'seed.json') : undefined);
  const seedName = seed ?? 'seed.json';
  const users = seedFile === undefined ? undefined : await readJsonFile(seedTokensSchema, seedName, seedFile, faults);
  const tokens = listTokens(users?.users ?? []);

  if (scenarios.length === 0 && faults.length === 0) faults.push(`${folder}: holds no transcript`);
  // Without a seed every step would report the same fault.
  if (seedFile === undefined && scenarios.some((one) => one.steps.some((step) => step.request.as !== undefined)))
    faults.push(`${folder}: steps name users, but there is no seed.json with their tokens`);
  else if (users) faults.push(...listUnknownUsers(scenarios, tokens, seedName));
  faults.push(...listDuplicates(scenarios));
  if (faults.length > 0) throw new TranscriptFaults(faults);
  return { scenarios, differences, tokens, seedFile: seedFile && resolve(seedFile) };
}

async function listJsonFiles(folder: string, faults: string[]): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.')).toSorted();
  } catch (error) {
    faults.push(`${folder}: cannot be read (${codeOf(error)})`);
    return [];
  }
}

/** What the schema can't express: a request has at most one kind of body, an answer exactly one. */
function listBodyFaults(file: string, steps: readonly Step[]): string[] {
  const count = (value: object, keys: string[]) => keys.filter((key) => key in value).length;
  return steps.flatMap(({ title, request, response }) => [
    ...(count(request, ['json', 'form', 'multipart', 'raw']) > 1
      ? [`${file}: ${title}: Expected at most one of json, form, multipart, raw`]
      : []),
    ...(count(response, ['body', 'html', 'text']) === 1
      ? []
      : [`${file}: ${title}: Expected exactly one of body, html, text`]),
  ]);
}

// A name without a scenario is no fault: a folder may hold only some of them.
function listUnknownSteps(differences: Differences, scenarios: Scenario[]): string[] {
  return scenarios.flatMap(({ name, steps }) =>
    Object.keys(differences.steps[name] ?? {})
      .filter((step) => !steps.some(({ title }) => title === step))
      .map((step) => `differences.json: ${name}: there is no step ${JSON.stringify(step)}`),
  );
}

function listUnknownUsers(scenarios: Scenario[], tokens: Tokens, seedFile: string): string[] {
  return scenarios.flatMap(({ file, steps }) =>
    steps.flatMap(({ title, request: { as, headers = {} } }) => {
      const names = [...(as === undefined ? [] : [as]), ...listTokenNames(Object.values(headers).join('\n'))];
      return names
        .filter((name) => !tokens.has(name))
        .map((name) => `${file}: ${title}: ${seedFile} has no token for ${JSON.stringify(name)}`);
    }),
  );
}

function listDuplicates(scenarios: Scenario[]): string[] {
  const files = Map.groupBy(scenarios, (scenario) => scenario.name);
  return [...files].flatMap(([name, same]) =>
    same.slice(1).map((one) => `${one.file}: /scenario: ${JSON.stringify(name)} is the name in ${same[0]?.file} too`),
  );
}

/**
 * Numbers stay as they were written. Adds to `faults` what keeps the file from being read, or from having the schema's
 * form.
 */
async function readJsonFile<T extends TSchema>(schema: T, file: string, path: string, faults: string[]) {
  try {
    const value = parseRawJson(await readFile(path, 'utf8'));
    const found = [...Value.Errors(schema, value)];
    // A missing key is reported as missing and as of the wrong type: the first is enough.
    const first = new Map(found.toReversed().map((fault) => [fault.path, fault.message]));
    faults.push(
      ...[...first].toReversed().map(([inside, message]) => `${file}: ${placeOf(inside, value)}: ${message}`),
    );
    return found.length === 0 ? (value as Static<T>) : undefined;
  } catch (error) {
    // The parser's own message quotes the file, which may be a seed with its tokens: only the place is taken from it.
    const place = error instanceof SyntaxError ? /line \d+ column \d+/u.exec(error.message)?.[0] : undefined;
    if (error instanceof SyntaxError) faults.push(`${file}: is not JSON${place === undefined ? '' : ` (${place})`}`);
    else faults.push(`${file}: cannot be read (${codeOf(error)})`);
    return undefined;
  }
}

/** A JSON pointer, whose first part is the step's title where the requests up to it can be read. */
function placeOf(inside: string, value: unknown): string {
  const [, index, rest = ''] = /^\/steps\/(\d+)(.*)$/u.exec(inside) ?? [];
  if (index === undefined) return inside || '/';
  const steps = (value as { steps: Step[] }).steps.slice(0, Number(index) + 1);
  if (!steps.every((step) => Value.Check(requestSchema, step?.request))) return inside;
  return [titleSteps(steps).at(-1)?.title, ...(rest === '' ? [] : [rest])].join(': ');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
