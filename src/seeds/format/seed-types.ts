// Parsed seeds: scopes, frequencies and roles are codes. A thing is a user, a group, a project, a
// component or a subscription.
import { openYaml } from '../yaml/yaml-text.ts';
import { factsOf, type Kind, kindNames, propertiesOf } from '../../model/kinds.ts';
import { foldCase } from '../../model/usernames.ts';
import type { Place } from './seed-errors.ts';

type Thing = Readonly<Record<string, unknown>>;

/** A thing with the seed's values. A merge keeps the thing's other values; a new thing gets initial ones. */
export interface SeedItem extends Thing {
  readonly place: Place;
  /** The sandbox's thing that this item changes, if any. */
  readonly known?: SeedItem;
  readonly id: number | undefined;
}

export interface SeedUser extends SeedItem {
  readonly username: string;
  readonly tokens: readonly SeedToken[];
}

export interface SeedToken {
  readonly place: Place;
  /** SHA-256 in hex. */
  readonly hash: string;
  /** Undefined for a sandbox's token, of which only the hash is known. */
  readonly text?: string;
}

export interface Seed {
  readonly users: readonly SeedUser[];
  /** Undefined if the seed has no `groups`: then a sandbox without groups gets the automatic groups. */
  readonly groups: readonly SeedItem[] | undefined;
  readonly projects: readonly SeedItem[];
  readonly components: readonly SeedItem[];
  readonly subscriptions: readonly SeedItem[];
  readonly next_id: Readonly<Partial<Record<Kind, number>>>;
  /** The sandbox's clock, in UTC. */
  readonly now?: string | undefined;
}

export const itemsOf = (seed: Seed, kind: Kind) => seed[kind] ?? [];

/** Ignores the case of usernames and e-mail addresses. */
export const foldValue = (kind: Kind, property: string, value: unknown) =>
  typeof value === 'string' && factsOf(kind).properties[property]?.ignoresCase ? foldCase(value) : value;

/** Items with the same key are the same thing, except groups with different ids. */
export const keyOf = (kind: Kind, item: SeedItem) =>
  JSON.stringify(factsOf(kind).key.map((property) => foldValue(kind, property, item[property]) ?? null));

export const ownKeyOf = (kind: Kind) => (kind === 'components' ? 'slug' : (factsOf(kind).key[0] as string));

export const ownNameOf = (kind: Kind, item: Thing) => String(item[ownKeyOf(kind)]);

const writtenName = (kind: Kind, item: Thing) =>
  kind === 'components' ? `${String(item['project'])}/${ownNameOf(kind, item)}` : ownNameOf(kind, item);

/** The name by which seeds refer to a thing: `demo`, `demo/app`, a username in lower case. */
export const nameOf = (kind: Kind, item: SeedItem) => foldName(kind, writtenName(kind, item));

export const foldName = <T>(kind: Kind, name: T) =>
  kind === 'users' && typeof name === 'string' ? foldCase(name) : name;

const sandbox = openYaml({ text: '', file: 'the sandbox' });
/** A thing's place in the sandbox. The path is the thing's name in errors. */
export function inSandbox(kind: Kind, item: Thing): Place {
  const name = writtenName(kind, item);
  const title = kind === 'subscriptions' ? `the subscription of ${name} to ${String(item['notification'])}` : name;
  return { source: sandbox, path: [title] };
}
export const isOfSandbox = ({ place }: { readonly place: Place }) => place.source === sandbox;

// New users of Weblate join these groups (test/transcripts/data/seed.json).
const nowhere = { source: openYaml({ text: '', file: 'automatic groups' }), path: [] };
const builtIn = { place: nowhere, automatic: true, internal: true, language_selection: 1 };
export const automaticGroups = [
  { ...builtIn, id: 2, name: 'Viewers', project_selection: 4, roles: [] },
  { ...builtIn, id: 3, name: 'Users', project_selection: 3, roles: [6] },
];

/** The groups of a sandbox with only this seed. */
export const groupsOf = ({ groups }: Seed): readonly SeedItem[] => groups ?? automaticGroups;

/** Yields a seed's references. `steps` lead from the place of an item to its reference. */
export function* referencesOf(seed: Seed) {
  for (const kind of kindNames) {
    const referring = propertiesOf(kind).filter(([, { refersTo }]) => refersTo !== undefined);
    for (const item of itemsOf(seed, kind))
      for (const [property, { refersTo }] of referring) {
        const { place } = item;
        const to = refersTo as Kind;
        const value = item[property] as string | readonly (string | number)[] | null | undefined;
        // A subscription inside a user doesn't name the user.
        const steps = to === 'users' && place.path[0] === 'users' ? [] : [property];
        if (typeof value === 'string') yield { to, value, place, steps };
        else for (const [i, one] of (value ?? []).entries()) yield { to, value: one, place, steps: [property, i] };
      }
  }
}
