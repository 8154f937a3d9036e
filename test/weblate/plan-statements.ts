// Every prepared statement of the Weblate API, with parameters, for the tests of plans and of hidden rows.
import { hashToken } from '../../src/access/credentials.ts';
import { listSampleStates } from '../../src/pages/session/queries.ts';
import { findCaller, findManager, findSignedIn } from '../../src/access/caller-queries.ts';
import type { Handle } from '../../src/database/prepare.ts';
import {
  changePart,
  dropGroup,
  findDefiningProject,
  findGroup,
  findGroupToChange,
  listGroups,
  putGroup,
} from '../../src/weblate/groups/queries.ts';
import { findLanguage, findRole, listLanguages, listRoles } from '../../src/weblate/installed/queries.ts';
import {
  changeEntry,
  createEntry,
  deleteEntry,
  findEntry,
  findEntryToWrite,
} from '../../src/weblate/notifications/entry-queries.ts';
import { findLastPage, findPage } from '../../src/weblate/notifications/queries.ts';
import { findPages } from '../../src/weblate/notifications/shared-queries.ts';
import {
  findComponent,
  findProject,
  listComponents,
  listParts,
  listProjects,
} from '../../src/weblate/targets/queries.ts';
import {
  anonymiseUser,
  changeMembership,
  changeUser,
  createUser,
  findTakenToChange,
  findTakenToCreate,
} from '../../src/weblate/users/change-queries.ts';
import { findUser, listUsers } from '../../src/weblate/users/queries.ts';

/** A caller and what the request is for. */
export interface Someone {
  readonly sandbox: string;
  /** Null: a request without a token. */
  readonly user: string | null;
  readonly entry: number;
  /** The user in the path, if it isn't the caller. */
  readonly about?: string;
}

const asked = ({ sandbox, user, about = user ?? '' }: Someone) => ({
  sandbox,
  hash: tokenOf(user),
  username: about,
  anonymous: 'read' as const,
});
const tokenOf = (user: string | null) => (user === null ? null : hashToken(`token-of-${user}`));
const together = ({ sandbox, user, about = user ?? '' }: Someone) => ({
  count: 1,
  sandboxes: [sandbox],
  hashes: [tokenOf(user)],
  usernames: [about],
  starts: [0],
  sizes: [50],
  anonymous: 'read' as const,
});
const news = { notification: 'ToDoStringsNotification', scope: 10, frequency: 1 };
const change = { notification: null, scope: null, frequency: 4 };
const changeOfUser = JSON.stringify({ full_name: 'Another' });
const newUser = JSON.stringify({
  username: 'newcomer',
  full_name: 'A Newcomer',
  email: 'newcomer@example.org',
  is_superuser: false,
  is_active: true,
  is_bot: false,
});
const wanted = { new_username: 'u5', email: 'a@example.org' };
const firstPage = { page: 1, size: 5 };

export const statements = {
  findCaller: (db: Handle, who: Someone) => findCaller(db, asked(who)),
  findSignedIn: (db: Handle, who: Someone) => findSignedIn(db, asked(who)),
  findManager: (db: Handle, who: Someone) => findManager(db, asked(who)),
  listSampleStates: (db: Handle, { sandbox, user }: Someone) =>
    listSampleStates(db, { sandbox, hashes: [tokenOf(user)?.toString('hex') ?? ''] }),
  findUser: (db: Handle, who: Someone) => findUser(db, asked(who)),
  findTakenToCreate: (db: Handle, who: Someone) => findTakenToCreate(db, { ...asked(who), ...wanted }),
  findTakenToChange: (db: Handle, who: Someone) => findTakenToChange(db, { ...asked(who), ...wanted }),
  listUsersByName: (db: Handle, who: Someone) =>
    listUsers({ by_username: 'u432' })(db, { ...asked(who), ...firstPage, by_username: 'u432' }),
  createUser: (db: Handle, who: Someone) => createUser(db, { ...asked(who), values: newUser }),
  changeUser: (db: Handle, who: Someone) =>
    changeUser(db, { ...asked(who), values: changeOfUser, profile: '{"watched": ["demo"]}' }),
  anonymiseUser: (db: Handle, who: Someone) => anonymiseUser(db, { ...asked(who), suffix: '' }),
  changeMembership: (db: Handle, who: Someone) => changeMembership(db, { ...asked(who), group_id: 3, joins: true }),
  removeMember: (db: Handle, who: Someone) => changeMembership(db, { ...asked(who), group_id: 2, joins: false }),
  listGroups: (db: Handle, who: Someone) => listGroups(db, { ...asked(who), ...firstPage }),
  findGroup: (db: Handle, who: Someone) => findGroup(db, { ...asked(who), group_id: 2 }),
  findGroupToChange: (db: Handle, who: Someone) => findGroupToChange(db, { ...asked(who), group_id: 2 }),
  findDefiningProject: (db: Handle, who: Someone) => findDefiningProject(db, { ...asked(who), slug: 'secret' }),
  putGroup: (db: Handle, who: Someone) => putGroup(db, { ...asked(who), group_id: 2, values: '{"name": "Team"}' }),
  dropGroup: (db: Handle, who: Someone) => dropGroup(db, { ...asked(who), group_id: 999 }),
  changePart: (db: Handle, who: Someone) =>
    changePart(db, { ...asked(who), group_id: 2, part: 'admins', adds: true, value: '2' }),
  listRoles: (db: Handle, who: Someone) => listRoles(db, { ...asked(who), ...firstPage }),
  findRole: (db: Handle, who: Someone) => findRole(db, { ...asked(who), role_id: 2 }),
  listLanguages: (db: Handle, who: Someone) => listLanguages(db, { ...asked(who), ...firstPage }),
  findLanguage: (db: Handle, who: Someone) => findLanguage(db, { ...asked(who), language_id: 2, is_source: false }),
  listProjects: (db: Handle, who: Someone) => listProjects(db, { ...asked(who), ...firstPage }),
  findProject: (db: Handle, who: Someone) => findProject(db, { ...asked(who), slug: 'secret' }),
  listComponents: (db: Handle, who: Someone) => listComponents(db, { ...asked(who), ...firstPage }),
  listParts: (db: Handle, who: Someone) => listParts(db, { ...asked(who), ...firstPage, slug: 'secret' }),
  findComponent: (db: Handle, who: Someone) => findComponent(db, { ...asked(who), project: 'secret', slug: 'part' }),
  findPage: (db: Handle, who: Someone) => findPage({})(db, { ...asked(who), start: 0, size: 50 }),
  lastPage: (db: Handle, who: Someone) => findLastPage({})(db, { ...asked(who), start: 0, size: 3 }),
  findPages: (db: Handle, who: Someone) => findPages(db, together(who)),
  findEntry: (db: Handle, who: Someone) => findEntry(db, { ...asked(who), entry_id: who.entry }),
  findEntryToWrite: (db: Handle, who: Someone) => findEntryToWrite(db, { ...asked(who), entry_id: who.entry }),
  createEntry: (db: Handle, who: Someone) => createEntry(db, { ...asked(who), ...news }),
  changeEntry: (db: Handle, who: Someone) => changeEntry(db, { ...asked(who), ...change, entry_id: who.entry }),
  deleteEntry: (db: Handle, who: Someone) => deleteEntry(db, { ...asked(who), entry_id: who.entry }),
};
