// What a seed says twice though it can be true only once.
import {
  componentPath,
  faultAt,
  foldCase,
  pathText,
  type Place,
  type Seed,
  type SeedFault,
  subscriptionKey,
} from './seed-types.ts';

type Claim = readonly [value: string | number | undefined | null, place: Place, step?: string];

export function findDuplicates(seed: Seed): SeedFault[] {
  const ids = (items: readonly { id: number | undefined; place: Place }[]) =>
    repeated(items.map(({ id, place }): Claim => [id, place, 'id']));
  const groups = seed.groups ?? [];
  return [
    ...ids(seed.users),
    ...repeated(seed.users.map((user): Claim => [foldCase(user.username), user.place, 'username'])),
    ...repeated(seed.users.map((user): Claim => [emailKey(user.fields['email']), user.place, 'email'])),
    ...repeated(
      seed.users.flatMap((user) => user.tokens.map((token): Claim => [token.text, token.place])),
      secret,
    ),
    ...ids(groups),
    // Groups that projects define share their names; an id tells them apart.
    ...repeated(
      groups
        .filter((group) => group.id === undefined)
        .map((group): Claim => [JSON.stringify([group.name, group.definingProject ?? null]), group.place, 'name']),
    ),
    ...ids(seed.projects),
    ...repeated(seed.projects.map((project): Claim => [project.slug, project.place, 'slug'])),
    ...ids(seed.components),
    ...repeated(seed.components.map((component): Claim => [componentPath(component), component.place, 'slug'])),
    ...ids(seed.subscriptions),
    ...repeated(
      seed.subscriptions.map((s): Claim => [subscriptionKey(s), s.place]),
      subscriptionOf,
    ),
  ];
}

const emailKey = (email: unknown): string | undefined => (typeof email === 'string' ? foldCase(email) : undefined);
const secret = (): string => 'the token';
const subscriptionOf = (value: string | number): string => `the subscription to ${String(value).split('\n')[1] ?? ''}`;

function repeated(claims: readonly Claim[], describe = (_value: string | number) => ''): SeedFault[] {
  const first = new Map<string | number, Place>();
  const faults: SeedFault[] = [];
  for (const [value, place, step] of claims) {
    if (value === undefined || value === null) continue;
    const earlier = first.get(value);
    if (earlier === undefined) first.set(value, place);
    else
      faults.push(
        faultAt(
          place,
          () => `repeats ${describe(value) || `the ${step ?? 'value'}`} of ${where(earlier, place)}`,
          step,
        ),
      );
  }
  return faults;
}

function where(earlier: Place, later: Place): string {
  const { line } = earlier.source.locate(earlier.path, 'value');
  const file = earlier.source === later.source ? '' : `${earlier.source.file}, `;
  return `${pathText(earlier.path)} (${file}line ${line})`;
}
