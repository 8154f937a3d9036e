// Reads a folder of transcripts: scenarios, differences.json and the tokens of seed.json.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { UserError } from '../../../src/base/failure.ts';
import { listTokenNames, listTokens, type Tokens } from './placeholders.ts';
import { parseRawJson } from './raw-json.ts';
import {
  type Differences,
  differencesSchema,
  type Scenario,
  scenarioSchema,
  seedTokensSchema,
  titleSteps,
} from './transcript.ts';

/** Tokens come from `seed`, or from seed.json in the folder. Throws UserError with all faults. */
export async function loadTranscripts(folder: string, seed?: string) {
  const faults: string[] = [];
  const names = (await readdir(folder)).filter((name) => /^[^.].*\.json$/u.test(name)).toSorted();
  const scenarios: Scenario[] = [];
  for (const name of names.filter((one) => one !== 'seed.json' && one !== 'differences.json')) {
    const content = await readJsonFile(scenarioSchema, name, join(folder, name), faults);
    if (content === undefined) continue;
    scenarios.push({ file: name, name: content.scenario, steps: titleSteps(content.steps) });
  }
  const { '*': everywhere = {}, ...stepDifferences } = names.includes('differences.json')
    ? ((await readJsonFile(differencesSchema, 'differences.json', join(folder, 'differences.json'), faults)) ?? {})
    : {};
  const differences: Differences = { everywhere, steps: stepDifferences };
  const seedFile = seed ?? (names.includes('seed.json') ? join(folder, 'seed.json') : undefined);
  const seedName = seed ?? 'seed.json';
  const users = seedFile === undefined ? undefined : await readJsonFile(seedTokensSchema, seedName, seedFile, faults);
  const tokens = listTokens(users?.users ?? []);

  if (scenarios.length === 0 && faults.length === 0) faults.push(`${folder}: holds no transcript`);
  faults.push(...listUnknownSteps(differences, scenarios), ...listUnknownUsers(scenarios, tokens, seedName));
  if (faults.length > 0) throw new UserError(faults.join('\n'));
  return { scenarios, differences, tokens, seedFile: seedFile && resolve(seedFile) };
}

// Differences of a scenario that isn't in the folder are no fault: a folder may hold only some scenarios.
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

/** Adds to `faults` why the file is not JSON, or not of the schema's form. */
async function readJsonFile<T extends TSchema>(schema: T, file: string, path: string, faults: string[]) {
  const text = await readFile(path, 'utf8');
  try {
    const value = parseRawJson(text);
    const found = [...Value.Errors(schema, value)];
    // A missing key is reported as missing and as of the wrong type: one is enough.
    const places = new Map(found.map((fault) => [fault.path, fault.message]));
    faults.push(...[...places].map(([place, message]) => `${file}: ${place || '/'}: ${message}`));
    return found.length === 0 ? (value as Static<T>) : undefined;
  } catch (error) {
    // The parser's own message quotes the file, which may be a seed with its tokens: only the place is taken from it.
    faults.push(`${file}: is not JSON${/ \(line \d+ column \d+\)/u.exec(String(error))?.[0] ?? ''}`);
    return undefined;
  }
}
