// A request to the Weblate API, made from the declared operations: its caller, format, path and body.
import { Type } from '@sinclair/typebox';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { resources } from '../../src/weblate/resources.ts';
import type { TranscriptRequest } from '../transcripts/engine/transcript.ts';
import { bodiesOf, type Body, noBody } from './bodies.ts';
import { thingsOf, usernames } from './values.ts';
import { accepts, callersOf, formats, queriesOf, queryValuesOf } from './wire.ts';
import { weighted } from './weighted.ts';
import type { World } from './world.ts';

export interface Step {
  /** Method and pattern of the path, such as `GET /api/users/:username/`. */
  readonly operation: string;
  readonly request: TranscriptRequest;
}

const operations = resources.flatMap((resource) => resource.operations);
type Operation = (typeof operations)[number];

/** What a path names. */
interface Names {
  /** The values of the path's parameters, as the path has them. */
  readonly values: Readonly<Record<string, string>>;
  /** The user in the path, if the seed has the user. */
  readonly username?: string | undefined;
}

const names: ReadonlySet<string> = new Set(operations.map(({ method, url }) => `${method} ${url}`));
export const declaredOperations: readonly string[] = [...names];
export const declaredFields: readonly string[] = [
  ...new Set(operations.flatMap(({ body }) => Object.keys(body?.properties ?? {}))),
];

const oddIds = ['0', '00', '043', '99999', '2147483647', '2147483648', '99999999999999999999'];
const oddGroupIds = [...oddIds, '1.0', '-1', 'x', '+2', '%202', '2%20', '%D9%A3', '1e0'];
const oddSlugs = ({ projects: [slug = ''] }: World) => [
  'nope',
  slug.toUpperCase(),
  '-',
  `${slug}%20`,
  'd%C3%A9mo',
  '1',
  'x'.repeat(101),
];
/** Names that no user has, and users' names in other spellings. */
const strangers = (world: World) => [
  'nobody',
  'newbie',
  '%20',
  'me',
  '-',
  ...world.userIds.slice(1, 4).map((id) => `deleted-${id}`),
  ...world.usernames.slice(1, 3).flatMap((name) => [encode(name.toUpperCase()), escape(name), `${encode(name)}%20`]),
];

const encode = (text: string) => encodeURIComponent(text.toWellFormed());
const escape = (text: string) => Buffer.from(text).toString('hex').replaceAll(/../gu, '%$&');
const mostly = <T>(usual: Arbitrary<T>, seldom: Arbitrary<T>, weight = 10): Arbitrary<T> =>
  weighted([2 * weight, usual], [2, seldom]);

/** The user in a path: as the path has it, and its name if the seed has the user. */
const users = (world: World): Arbitrary<{ written: string; username?: string }> =>
  weighted(
    // Two users occur more often, so that steps meet what earlier steps left.
    [
      14,
      fc
        .constantFrom(...world.usernames, ...world.usernames.slice(2, 4), ...world.usernames.slice(2, 4))
        .map((username) => ({ written: encode(username), username })),
    ],
    [2, fc.constantFrom(...strangers(world)).map((written) => ({ written }))],
    [1, usernames(world).map((name) => ({ written: encode(name) || 'newbie' }))],
  );

/** The id of a subscription: mostly one of the user's. */
function entryIds(world: World, username: string | undefined): Arbitrary<string> {
  const own = (username && world.entries.get(username)) || [];
  const listed = [...world.entries.values()].flat();
  const all = listed.length > 0 ? listed : [world.nextIds.subscriptions - 1];
  const next = [0, 1, 2].map((more) => world.nextIds.subscriptions + more);
  return weighted(
    [10, fc.constantFrom(...(own.length > 0 ? own : all)).map(String)],
    [2, fc.constantFrom(...next).map(String)],
    [1, fc.constantFrom(...all).map(String)],
    [1, fc.constantFrom(...oddIds)],
  );
}

/** The id of a group of the seed, the id that a group of an earlier step may have, or an odd id. */
const groupIds = ({ groups }: World): Arbitrary<string> =>
  weighted(
    [16, fc.constantFrom(...groups).map(String)],
    [6, fc.constantFrom(1, 2).map((more) => String(Math.max(...groups) + more))],
    [2, fc.constantFrom(...oddGroupIds)],
  );

function namesOf(world: World, url: string): Arbitrary<Names> {
  if (url.includes(':username'))
    return users(world).chain(({ written, username }) =>
      entryIds(world, username).map((id) => ({ values: { username: written, id }, username })),
    );
  return valuesOf(world, url).map((values) => ({ values }));
}

function valuesOf(world: World, url: string): Arbitrary<Names['values']> {
  const [, resource, list] = /^\/api\/(\w+)\/(?::id\/(\w+))?/u.exec(url) ?? [];
  const { projects, components } = world;
  const odd = fc.constantFrom(...oddSlugs(world));
  if (resource === 'languages')
    return fc.constantFrom('en', 'en', 'cs', 'EN', 'en_GB', 'nope', '%00', 'ca@valencia').map((code) => ({ code }));
  if (resource === 'roles')
    return fc.constantFrom(...[1, 3, 4, 6, 6, 8, 18, 999].map(String), ...oddGroupIds).map((id) => ({ id }));
  if (resource === 'projects') return mostly(fc.constantFrom(...projects), odd, 5).map((slug) => ({ slug }));
  if (resource === 'components')
    return mostly(
      fc.constantFrom(...components).map(({ project, slug }) => ({ project, slug })),
      fc.record({
        project: fc.constantFrom(...projects, ...oddSlugs(world)),
        slug: fc.constantFrom('app', ...oddSlugs(world)),
      }),
      5,
    );
  const [field = ''] = Object.keys(
    operations.find((one) => one.url === `/api/groups/:id/${list}/`)?.body?.properties ?? {},
  );
  const things = fc
    .constantFrom(...(thingsOf(world)[field] ?? [1]))
    .map(String)
    .map(encode);
  return fc.record({ id: groupIds(world), part: mostly(things, fc.constantFrom(...oddIds)) });
}

/** Paths of what every user sees, and a valid body: the real system checks both before it rejects a write. */
const readOnlyPaths = ({ shared: { project, component } }: World): Readonly<Record<string, string>> => ({
  '/api/roles/:id/': '/api/roles/6/',
  '/api/languages/:code/': '/api/languages/en/',
  '/api/projects/:slug/': `/api/projects/${project}/`,
  '/api/projects/:slug/components/': `/api/projects/${project}/components/`,
  '/api/components/:project/:slug/': `/api/components/${component.project}/${component.slug}/`,
});
const readOnlyBody: Body = { json: { name: 'x' } };

/** Requests with one method to the operation's path: mostly ordinary requests, in JSON. */
function stepsOf(world: World, method: string, operation: Operation): Arbitrary<Step> {
  const { url, querystring, errors = [], body: declared } = operation;
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  // The real system fails to render a subscription as a page: fewer steps ask for this.
  const plainness = url.endsWith('/notifications/:id/') ? 16 : 2.5;
  // Administrators may write these resources in Weblate, but not in Understudy: only other callers try.
  const isReadOnly = !isRead && operation.method === method && errors.includes('resource_read_only');
  const bodies = isReadOnly
    ? fc.constant(readOnlyBody)
    : declared
      ? bodiesOf(world, declared)
      : mostly<Body>(noBody, fc.constant({ json: {} }), 3);
  const named = isReadOnly || !url.includes(':') ? fc.constant<Names>({ values: {} }) : namesOf(world, url);
  return named.chain(({ values, username }) => {
    const pattern = isReadOnly ? (readOnlyPaths(world)[url] ?? url) : url;
    const path = pattern.replaceAll(/:(\w+)/gu, (_all, name: string) => values[name] ?? '');
    const self = username !== undefined && world.callers.includes(username) ? username : undefined;
    const callers = callersOf(world, self);
    return fc
      .record({
        caller: isReadOnly
          ? callers.filter(
              ({ as, headers }) => headers === undefined && (as === undefined || world.ordinary.includes(as)),
            )
          : callers,
        accept: mostly<string | undefined>(fc.constant(undefined), accepts, plainness),
        format: mostly<string | undefined>(fc.constant(undefined), formats, plainness),
        query: queriesOf(isRead && querystring ? Type.Omit(querystring, ['format']) : undefined, (key) =>
          queryValuesOf(world, key),
        ),
        body: isRead ? noBody : bodies,
      })
      .map(({ caller, accept, format, query, body }): Step => {
        const pairs = [...(format === undefined ? [] : [format]), ...query];
        const headers = { ...caller.headers, ...(accept !== undefined && { Accept: accept }), ...body.headers };
        return {
          operation: `${method} ${url}`,
          request: {
            method,
            path: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
            ...(caller.as !== undefined && { as: caller.as }),
            ...body,
            ...(Object.keys(headers).length > 0 && { headers }),
          },
        };
      });
  });
}

/** Paths that we don't serve. The real system answers with a page, or fails: this differs on purpose. */
const oddPaths = ({ superuser }: World) => {
  const user = `/api/users/${encode(superuser)}`;
  return [
    '/api',
    '/api/user/',
    '/api/users',
    user,
    '/api/users//',
    '/api//users/',
    `${user}/nope/`,
    '/api/users/a%2Fb/',
    `${user}%00/`,
    '/api/groups/1%2F2/',
    '/api/projects/%00/',
    ...['x', '1.0', '-1', '+43', '%20', '%D9%A3', '1%2F2'].map((id) => `${user}/notifications/${id}/`),
  ];
};

const weightOf = ({ url, body }: Operation): number =>
  body === undefined ? (url.includes('/users/') ? 13 : 8) : url.includes('groups/') ? 10 : 22;

/** The paths whose answers the real system could write as `json-flat` (docs/reference/differences.md). */
export const rendersFlat = /\/(?:statistics|contributions)\/$/u;

export function steps(world: World): Arbitrary<Step> {
  const byUrl = [...Map.groupBy(operations, ({ url }) => url).values()];
  const declared = operations.map(
    (operation) => [weightOf(operation), stepsOf(world, operation.method, operation)] as const,
  );
  const ofPath = (method: string, among = byUrl) =>
    fc.oneof(...among.map(([first]) => stepsOf(world, method, first as Operation)));
  // For `flat` paths, OPTIONS of the real system names one more media type.
  const [flat = [], described = []] = [true, false].map((wanted) =>
    byUrl.filter(([first]) => rendersFlat.test(first!.url) === wanted),
  );
  const unserved = byUrl.flatMap((ofUrl) => {
    const served = new Set<string>(ofUrl.map(({ method }) => method));
    return ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']
      .filter((method) => !served.has(method))
      .map((method) => stepsOf(world, method, ofUrl[0] as Operation));
  });
  const total = declared.reduce((sum, [weight]) => sum + weight, 0);
  const share = (percent: number) => Math.max(1, Math.round((total * percent) / 100));
  const notServed = fc
    .constantFrom(...oddPaths(world))
    .map((path): Step => ({ operation: 'GET (not served)', request: { method: 'GET', path } }));
  return weighted(
    ...declared,
    [share(4), ofPath('HEAD')],
    [share(6), ofPath('OPTIONS', described)],
    [1, ofPath('OPTIONS', flat)],
    [share(4), fc.oneof(...unserved)],
    [1, notServed],
  );
}

export interface Episode {
  readonly world: World;
  readonly steps: readonly Step[];
}

/** @param worlds the worlds from which episodes start */
export function episodes(worlds: Arbitrary<World>, longest = 25): Arbitrary<Episode> {
  // Each arbitrary is kept: making one takes a while, and most episodes start from the recorded world.
  const ofWorlds = new WeakMap<World, Arbitrary<Episode>>();
  return worlds.chain((world) => {
    const ofWorld =
      ofWorlds.get(world) ??
      fc.array(steps(world), { minLength: 1, maxLength: longest, size: 'max' }).map((made) => ({ world, steps: made }));
    ofWorlds.set(world, ofWorld);
    return ofWorld;
  });
}
