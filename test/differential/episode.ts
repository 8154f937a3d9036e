// Sends the steps of an episode to two servers, and compares the answers and the state that each step leaves.
import { type Mismatch } from '../transcripts/engine/compare-json.ts';
import { NoAnswerError, type Received, send } from '../transcripts/engine/send-request.ts';
import type { TranscriptRequest } from '../transcripts/engine/transcript.ts';
import type { Episode, Step } from '../generator/steps.ts';
import type { World } from '../generator/world.ts';
import { type Answered, compareAnswers } from './compare.ts';
import { createNewIds, type NewIds } from './new-ids.ts';
import { findRule, type Rule } from './rules.ts';
import type { Side } from './sides.ts';

export interface StepResult {
  readonly step: Step;
  readonly index: number;
  readonly mismatches: readonly Mismatch[];
  /** The difference listed in rules.ts that explains the mismatches. */
  readonly rule: Rule | undefined;
  /** The media type of the real system's answer; `none` if the answer names none. */
  readonly contentType: string;
  /** Whether the servers may no longer hold the episode's world. */
  readonly mayHaveWritten: boolean;
}

/** Two servers; the answers of `theirs` are right. */
export interface Sides {
  readonly theirs: Side;
  readonly ours: Side;
  readonly world: World;
}

const unsafe: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const isSuccess = ({ status }: Received) => status >= 200 && status < 300;
/** Status 0 stands for a connection that was closed without an answer. */
async function ask(request: TranscriptRequest, { baseUrl, change }: Side, { tokens }: World): Promise<Answered> {
  try {
    const received = await send(request, { baseUrl, tokens });
    return { ...(change?.(received, request) ?? received), baseUrl };
  } catch (error) {
    if (error instanceof NoAnswerError) return { status: 0, headers: {}, body: '', baseUrl };
    throw error;
  }
}

/** Both servers must hold the episode's world. Ends after a step that left them in different states. */
export async function* runEpisode({ world, steps }: Episode, sides: Sides): AsyncGenerator<StepResult> {
  const ids = createNewIds(world);
  for (const [index, step] of steps.entries()) {
    const { request, operation } = step;
    const [real, ours] = await Promise.all([
      ask(request, sides.theirs, world),
      ask({ ...request, path: ids.translate(request.path) }, sides.ours, world),
    ]);
    const mismatches = compareAnswers(operation, real, ours, ids);
    const hasWritten = unsafe.has(request.method) && (isSuccess(real) || isSuccess(ours));
    const left = hasWritten ? await compareState(request.path, sides, world, ids) : [];
    const rule = mismatches.length > 0 ? findRule({ step, real, ours, mismatches }) : undefined;
    const all = [...mismatches, ...(rule === undefined ? left : [])];
    const contentType = real.headers['content-type']?.[0]?.split(';', 1)[0] ?? 'none';
    yield { step, index, mismatches: all, rule, contentType, mayHaveWritten: hasWritten || real.status >= 500 };
    // A write by only one server makes further steps differ too.
    if (left.length > 0 || (hasWritten && isSuccess(real) !== isSuccess(ours))) return;
  }
}

/** Compares all users and groups, and the subscriptions of the user in the path, as a superuser sees them. */
async function compareState(path: string, sides: Sides, world: World, ids: NewIds): Promise<Mismatch[]> {
  const username = /^\/api\/users\/([^/?]+)\//u.exec(path)?.[1];
  const paths = [
    '/api/users/?page_size=1000',
    '/api/groups/?page_size=1000',
    ...(username === undefined ? [] : [`/api/users/${username}/notifications/?page_size=1000`]),
  ];
  const found: Mismatch[] = [];
  for (const read of paths) {
    const request = { method: 'GET', path: read, as: world.superuser };
    const [real, ours] = await Promise.all([ask(request, sides.theirs, world), ask(request, sides.ours, world)]);
    const left = compareAnswers(`GET ${read}`, real, ours, ids);
    found.push(...left.map((one) => ({ ...one, place: `left ${one.place}` })));
  }
  return found;
}
