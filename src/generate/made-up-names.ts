// Made-up names: the n-th person, project or component is always the same, and no two share a name.
import { componentNames, firstNames, lastNames, projectAdjectives, projectNouns } from './made-up-words.ts';

export interface Person {
  /** Letters a to z, one dot, and digits once every pair of names is used. */
  readonly username: string;
  readonly full_name: string;
  /** At example.com, a reserved domain. */
  readonly email: string;
}

const people = pairs(firstNames, lastNames);
const projects = pairs(projectAdjectives, projectNouns);
const asciiFirst = firstNames.map(toAscii);
const asciiLast = lastNames.map(toAscii);

/** @param n from 1 */
export function personOf(n: number): Person {
  const [first, last, round] = people(n);
  const username = `${asciiFirst[first]}.${asciiLast[last]}${round === 0 ? '' : round + 1}`;
  return { username, full_name: `${firstNames[first]} ${lastNames[last]}`, email: `${username}@example.com` };
}

export interface Named {
  readonly slug: string;
  readonly name: string;
}

/** @param n from 1 */
export function projectOf(n: number): Named {
  const [adjective, noun, round] = projects(n);
  const suffix = round === 0 ? '' : `-${round + 1}`;
  const slug = `${projectAdjectives[adjective]}-${projectNouns[noun]}${suffix}`;
  return { slug, name: capitalise(slug.replaceAll('-', ' ')) };
}

/** @param n from 1, within its project */
export function componentOf(n: number): Named {
  const slug = componentNames[(n - 1) % componentNames.length] as string;
  const round = Math.floor((n - 1) / componentNames.length);
  return round === 0
    ? { slug, name: capitalise(slug) }
    : { slug: `${slug}-${round + 1}`, name: `${capitalise(slug)} ${round + 1}` };
}

// Visits every pair before one repeats, by a step that shares no divisor with their number, so that neighbours don't look alike.
function pairs(a: readonly string[], b: readonly string[]): (n: number) => [number, number, number] {
  const count = a.length * b.length;
  let step = Math.round(count * 0.618);
  while (greatestCommonDivisor(step, count) !== 1) step++;
  return (n) => {
    const place = (((n - 1) % count) * step) % count;
    return [Math.floor(place / b.length), place % b.length, Math.floor((n - 1) / count)];
  };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function toAscii(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ø', 'o').toLowerCase();
}

const capitalise = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;
