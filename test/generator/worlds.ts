// Worlds beside the recorded one, with any users, groups, projects and subscriptions that Weblate could hold.
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { frequencies, notificationNames, scopes } from '../../src/model/notifications.ts';
import { foldCase } from '../../src/model/usernames.ts';
import { weighted } from './weighted.ts';
import { makeWorld, type World } from './world.ts';

const usernames = [
  'x'.repeat(150),
  ...'alice Bob carol dave erin frank jürgen jane.doe+ci@example ÀÉ 漢字 Σωκράτης a@b - _x 42 me deleted-7'.split(' '),
];
const internal = ['addon:squash', 'suggest:weblate'];
const slugs = ['demo', 'Demo', 'secret', 'a', '0', 'a-b_c', 'x'.repeat(60), 'app', 'nope-2'];
const names = ['Demo', 'a "quoted", name', 'İ ﬁ 漢', '<b>', 'Users', 'Viewers', 'Administration', "o'hara"];
const moments = ['2026-01-02T03:04:05Z', '2020-02-29T23:59:59.000001Z', '2026-10-25T00:30:00.120000Z'];

/** The two roles that a world adds to the roles of a new installation, with their permissions. */
export const ownRoles: ReadonlyMap<number, string> = new Map([
  [19, 'user.edit'],
  [20, 'user.view'],
]);

/** A number by which `pick` chooses an item of a list: the item at the number modulo the list's length. */
const number = fc.nat({ max: 999 });
const pick = <T>(list: readonly T[], chosen: number): T | undefined => list[chosen % list.length];
/** The chosen items, in the order of the list. */
const pickAll = <T>(list: readonly T[], chosen: readonly number[]): T[] =>
  list.filter((_one, index) => chosen.some((one) => one % list.length === index));
/** How many ids stay unused before the id of an item. */
const gap = weighted([8, fc.constant(0)], [3, fc.nat({ max: 5 })], [1, fc.nat({ max: 5000 })]);
const seldom = (freq: number): Arbitrary<boolean> => weighted([freq, fc.constant(false)], [1, fc.constant(true)]);
const members = fc.array(number, { maxLength: 4 });

const projects = fc.uniqueArray(
  fc.record({ gap, slug: fc.constantFrom(...slugs), name: fc.constantFrom(...names), private: fc.boolean() }),
  { maxLength: 4, selector: ({ slug }) => slug },
);
const components = fc.array(
  fc.record({ gap, project: number, slug: fc.constantFrom(...slugs), name: fc.constantFrom(...names) }),
  { maxLength: 6 },
);
const groups = fc.array(
  fc.record({
    gap,
    name: fc.constantFrom(...names),
    selection: fc.constantFrom(0, 0, 0, 1, 2, 3, 4),
    language_selection: fc.constantFrom(1, 0),
    roles: fc.subarray([1, 2, 6, 8, 18, ...ownRoles.keys()], { maxLength: 2 }),
    // Chooses the project that owns the group.
    defining: fc.option(number, { freq: 2 }),
    projects: members,
    automatic: seldom(3),
    internal: seldom(3),
    enforced_2fa: seldom(8),
    languages: fc.subarray(['cs', 'de', 'pt_BR', 'zh_Hans'], { maxLength: 2 }),
    components: weighted([4, fc.constant([])], [1, members]),
  }),
  { maxLength: 8, size: 'max' },
);
const user = fc.record({
  gap,
  full_name: fc.constantFrom('Ada', ...names),
  hasEmail: seldom(6).map((isWithout) => !isWithout),
  is_superuser: seldom(6),
  is_active: seldom(6).map((isInactive) => !isInactive),
  is_bot: seldom(8),
  date_joined: fc.constantFrom(...moments),
  date_expires: fc.option(fc.constantFrom('2030-01-02T03:04:05Z', '9999-12-31T23:59:59.999999Z'), { freq: 4 }),
  last_login: fc.option(fc.constantFrom(...moments), { freq: 4 }),
  hasToken: seldom(5).map((isWithout) => !isWithout),
  profile: fc.record(
    {
      company: fc.constantFrom(...names),
      nearby_strings: fc.integer({ min: 1, max: 50 }),
      hide_completed: fc.constant(true),
      theme: fc.constantFrom('dark', 'light'),
    },
    { requiredKeys: [] },
  ),
  watched: weighted([3, fc.constant([])], [1, members]),
  groups: members,
});
/** The first user is the superuser that a world needs. */
const may = { is_superuser: true, is_active: true, hasToken: true };
const users = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...usernames, ...internal), { minLength: 1, maxLength: 9, selector: foldCase }),
    fc.array(user, { minLength: 9, maxLength: 9 }),
  )
  .map(([chosen, made]) => chosen.map((username, index) => ({ ...made[index]!, ...(index === 0 && may), username })));
const subscriptions = fc.array(
  fc.record({
    gap,
    user: number,
    notification: fc.constantFrom(...notificationNames),
    scope: fc.constantFrom(...Object.values(scopes)),
    frequency: fc.constantFrom(...Object.values(frequencies)),
    target: number,
  }),
  { maxLength: 60, size: 'max' },
);

const parts = fc.record({
  projects,
  components,
  groups,
  users,
  anonymous: members,
  subscriptions,
  last: gap,
  next: gap,
});

const withIds = <T extends { readonly gap: number }>(list: readonly T[], first: number) => {
  let next = first;
  return list.map(({ gap: left, ...rest }) => {
    const id = next + left;
    next = id + 1;
    return { ...rest, id };
  });
};
const nextOf = (list: readonly { readonly id: number }[]): number => Math.max(0, ...list.map(({ id }) => id)) + 1;

function seedOf(made: typeof parts extends Arbitrary<infer P> ? P : never) {
  const madeProjects = withIds(made.projects, 1).map((one) => ({
    ...one,
    // Names of projects are unique in the real system.
    name: `${one.name} ${one.slug}`.slice(0, 60),
    web: `https://example.com/${one.slug}`,
  }));
  const projectSlugs = madeProjects.map(({ slug }) => slug);
  const madeComponents = distinct(
    withIds(made.components, 1).flatMap((one) => {
      const project = pick(projectSlugs, one.project);
      return project === undefined ? [] : [{ ...one, name: `${one.name} ${one.slug}`, project }];
    }),
    ({ project, slug }) => `${project}/${slug}`,
  );
  const madeGroups = withIds(made.groups, 1).map(({ selection, defining, roles, ...one }) => {
    const own = defining === null ? undefined : pick(projectSlugs, defining);
    const usual = own === undefined ? roles : roles.filter((role) => !ownRoles.has(role));
    const paths = madeComponents
      .filter(({ project }) => own === undefined || project === own)
      .map(({ project, slug }) => `${project}/${slug}`);
    return {
      ...one,
      project_selection: own === undefined ? selection : 0,
      roles: usual,
      permissions: usual.flatMap((role) => ownRoles.get(role) ?? []),
      defining_project: own ?? null,
      projects: own !== undefined ? [own] : [0, 2].includes(selection) ? pickAll(projectSlugs, one.projects) : [],
      components: pickAll(paths, one.components),
    };
  });
  const groupIds = madeGroups.map(({ id }) => id);
  const madeUsers = withIds(made.users, 2).map(({ hasEmail, hasToken, watched, profile, ...one }) => {
    const isInternal = internal.includes(one.username);
    return {
      ...one,
      email: hasEmail ? `User.${one.id}@example.com` : null,
      is_bot: isInternal || one.is_bot,
      is_internal: isInternal,
      // In the real system an inactive user has no expiry date.
      date_expires: one.is_active ? one.date_expires : null,
      profile: { ...profile, watched: pickAll(projectSlugs, watched) },
      token: hasToken ? `wlu_${String(one.id).padStart(36, '0')}` : null,
      groups: pickAll(groupIds, one.groups),
    };
  });
  const anonymous: (typeof madeUsers)[number] = {
    id: 1,
    username: 'anonymous',
    full_name: 'Anonymous',
    email: 'noreply@weblate.org',
    is_superuser: false,
    is_active: false,
    is_bot: false,
    is_internal: true,
    date_joined: moments[0]!,
    date_expires: null,
    last_login: null,
    profile: { watched: [] },
    token: null,
    groups: pickAll(groupIds, made.anonymous),
  };
  const all = [anonymous, ...madeUsers];
  const madeSubscriptions = distinct(
    withIds(made.subscriptions, 1).map(({ user: owner, target, scope, ...one }) => {
      const project = scope === scopes.project ? pick(projectSlugs, target) : undefined;
      const component = scope === scopes.component ? pick(madeComponents, target) : undefined;
      const isAimed = project !== undefined || component !== undefined;
      return {
        ...one,
        user: pick(all, owner)!.username,
        scope: isAimed || scope < scopes.project ? scope : scopes.all,
        project: project ?? null,
        component: component === undefined ? null : `${component.project}/${component.slug}`,
      };
    }),
    (one) => JSON.stringify([one.user, one.notification, one.scope, one.project, one.component]),
  );
  return {
    users: all,
    groups: madeGroups,
    projects: madeProjects,
    components: madeComponents,
    subscriptions: madeSubscriptions,
    next_id: { users: nextOf(all) + made.last, subscriptions: nextOf(madeSubscriptions) + made.next },
  };
}

const distinct = <T>(list: readonly T[], keyOf: (one: T) => string): T[] =>
  [...new Map(list.toReversed().map((one) => [keyOf(one), one])).values()].toReversed();

export type GeneratedSeed = ReturnType<typeof seedOf>;
export const worlds: Arbitrary<World> = parts.map((made) => makeWorld(seedOf(made)));
