// The list of a real Weblate that holds the recorded world (docs/how-to/compare-with-the-real-system.md). The bench doesn't start it.
import { isDeepStrictEqual } from 'node:util';
import { getToken } from '../../test/transcripts/engine/placeholders.ts';
import { readWorld } from '../../test/generator/world.ts';
import { ask } from '../check.ts';
import type { LoadRequest } from '../load.ts';
import type { Subject } from '../rounds.ts';
import { request } from './compared.ts';

interface List {
  readonly results: readonly object[];
}

/** Her token is the recorded world's. */
export async function requestOfReal(): Promise<LoadRequest> {
  const { tokens } = await readWorld();
  return { ...request, headers: { authorization: `Token ${getToken(tokens, 'alice')}` } };
}

/**
 * Returns a sentence where the list has other rows than ours.
 * @throws Error where it differs in more than its rows
 */
export async function compareReal({ url, next }: Subject, ours: object): Promise<string | undefined> {
  const [asked = request] = next().requests;
  const { status, body } = await ask(url, asked).catch((error: unknown) => {
    throw new Error(`the real system doesn't answer at ${url}${asked.path}; --real needs its base URL`, {
      cause: error,
    });
  });
  if (status === 200 && isDeepStrictEqual(body, ours)) return undefined;
  const lists = [body, ours] as (Partial<List> | null)[];
  // Of the envelope's and of an entry's keys.
  const [theirs, own] = lists.map((list) => Object.keys({ ...list, ...list?.results?.[0] }).join());
  if (status !== 200 || theirs !== own)
    throw new Error(
      `${url}${asked.path}: ${status} ${JSON.stringify(body)}; expected a list such as ${JSON.stringify(ours)}`,
    );
  return `The real system lists its own alice's ${lists[0]?.results?.length} rows, the others ${lists[1]?.results?.length}.`;
}
