// The listed differences as rules. `row` is a row of docs/reference/differences.md, which has the reason.
import type { Mismatch } from '../transcripts/engine/compare-json.ts';
import type { Received } from '../transcripts/engine/send-request.ts';
import { rendersFlat, type Step } from '../generator/steps.ts';

export interface Pair {
  readonly step: Step;
  readonly real: Received;
  readonly ours: Received;
  readonly mismatches: readonly Mismatch[];
}

export interface Rule {
  readonly row: string;
  readonly explains: (pair: Pair) => boolean;
}

const isHtml = ({ headers }: Received) => headers['content-type']?.[0]?.startsWith('text/html') === true;
const has = ({ body }: Received, text: string) => body.includes(text);

const source =
  /(?:^|\.)(?:vcs|vcs_params|repo|git_export|branch|push_branch|filemask|screenshot_filemask|push|repoweb|repoweb_translations)$/u;
const isCsv = ({ headers }: Received) => headers['content-type']?.[0]?.startsWith('text/csv') === true;

export const rules: readonly Rule[] = [
  {
    row: 'a duplicate subscription',
    explains: ({ real, ours }) => real.status === 500 && ours.status === 400 && has(ours, 'must make a unique set'),
  },
  {
    row: '`format=api` on a subscription',
    explains: ({ step, real, ours }) =>
      real.status === 500 && isHtml(ours) && ours.status < 500 && step.operation.endsWith('/notifications/:id/'),
  },
  {
    row: '`notifications.json`; a NUL in a name',
    // Ours may be 200: OPTIONS describes a path even if its entry does not exist.
    explains: ({ step, real, ours }) => real.status === 500 && ours.status < 500 && step.request.path.includes('%00'),
  },
  {
    row: 'unknown paths, paths without their trailing slash',
    explains: ({ real, ours }) =>
      real.status === 404 && ours.status === 404 && isHtml(real) && ours.headers['allow'] === undefined,
  },
  {
    row: 'paths that end with a format, such as `/api/users.json`',
    explains: ({ step, ours }) =>
      ours.status === 404 && /\.[a-z0-9]+\/?$/u.test(step.request.path.replace(/\?.*/u, '')),
  },
  {
    row: 'half a surrogate pair (`"\\ud800"`) as a choice; half a surrogate pair or a NUL as a language or project; an infinite `group_id` (`1e999`)',
    explains: ({ step, real, ours }) =>
      real.status === 500 &&
      (ours.status === 400 || ours.status === 403) &&
      /\\ud[89a-f]|\\u0000|[eE]\+?\d{3}/u.test(JSON.stringify(step.request)),
  },
  {
    row: '`format=json-flat` of statistics and contributions',
    explains: ({ step, mismatches }) =>
      step.operation.startsWith('OPTIONS ') &&
      rendersFlat.test(step.operation) &&
      mismatches.every(({ place }) => /^body(?:\[\d+\])?\.renders/u.test(place)),
  },
  {
    row: 'where the files of a component come from',
    explains: ({ step, real, mismatches }) =>
      /^GET \/api\/.*\bcomponents\//u.test(step.operation) &&
      mismatches.every(({ place, expected }) => source.test(place) && (expected === 'null' || isCsv(real))),
  },
  {
    row: 'what OPTIONS tells of projects, components and languages',
    explains: ({ step, mismatches }) =>
      /^OPTIONS \/api\/(?:projects|components|languages)\//u.test(step.operation) &&
      mismatches.every(({ place }) => /^body(?:\[\d+\])?\.(?:actions|parses)/u.test(place)),
  },
  {
    row: 'roles that a site added, and permissions of roles on users',
    explains: ({ step, real }) =>
      /\/api\/roles\/(?:19|20)\//u.test(real.body) && (/\/api\/roles\//u.test(step.operation) || isCsv(real)),
  },
  {
    row: 'an admin’s `user_id` that is no number, a NUL in a language’s code',
    explains: ({ step, real, ours }) =>
      real.status === 500 && ours.status === 400 && /\/(?:admins|languages)\/$/u.test(step.operation),
  },
  {
    row: 'writes of projects, components, roles and languages',
    explains: ({ real, ours }) =>
      ours.headers['x-understudy-not-mirrored'] !== undefined && ours.status === 403 && real.status !== 403,
  },
];

export const findRule = (pair: Pair): Rule | undefined => rules.find(({ explains }) => explains(pair));
