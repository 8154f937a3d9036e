// Made-up names: the n-th person, project or component is always the same, and no two share a name. The first is number
// 1.
import { componentNames, firstNames, lastNames, projectAdjectives, projectNouns } from './made-up-words.ts';

const people = pairs(firstNames, lastNames);
const ascii = new Map<string | undefined, string>([...firstNames, ...lastNames].map((name) => [name, toAscii(name)]));
const projects = pairs(projectAdjectives, projectNouns);

/**
 * The username has letters a to z and one dot, and digits once every pair of names is used. example.com is a reserved
 * domain.
 */
export function personOf(n: number) {
  const [first, last, round] = people(n);
  const username = `${ascii.get(first)}.${ascii.get(last)}${numberOf(round, '')}`;
  return { username, full_name: `${first} ${last}`, email: `${username}@example.com` };
}

export function projectOf(n: number) {
  const [adjective, noun, round] = projects(n);
  return named(`${adjective}-${noun}${numberOf(round, '-')}`);
}

/** @param n within its project */
export function componentOf(n: number) {
  const round = Math.floor((n - 1) / componentNames.length);
  return named(`${componentNames[(n - 1) % componentNames.length]}${numberOf(round, '-')}`);
}

const numberOf = (round: number, separator: string): string => (round === 0 ? '' : `${separator}${round + 1}`);

const named = (slug: string) => ({ slug, name: slug.slice(0, 1).toUpperCase() + slug.slice(1).replaceAll('-', ' ') });

// Visits every pair before one repeats, by a step that shares no divisor with their number, so that neighbours don't
// look alike.
function pairs(a: readonly string[], b: readonly string[]) {
  const count = a.length * b.length;
  let step = Math.round(count * 0.618);
  while (greatestCommonDivisor(step, count) !== 1) step++;
  return (n: number) => {
    const place = (((n - 1) % count) * step) % count;
    return [a[Math.floor(place / b.length)], b[place % b.length], Math.floor((n - 1) / count)] as const;
  };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function toAscii(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ø', 'o').toLowerCase();
}
