// The lists of a group, such as its roles. Each request adds or removes one thing (transcripts groups__*).
import { decodeObject, type Fields } from '../../http/body/decode.ts';
import { noInteger } from '../../http/body/read-value.ts';
import { type Handler, noContent, ok, writeAsCaller } from '../../http/call.ts';
import { toId } from '../../http/wire/python-input.ts';
import { pythonText, toInteger } from '../../http/wire/python-text.ts';
import { apiError, errorLine, validationError } from '../../base/errors.ts';
import { languages } from '../../model/languages.ts';
import { roles } from '../../model/roles.ts';
import { inactiveMember } from '../users/handlers.ts';
import { getGroup, idOf, type OfGroup, showGroup } from './handlers.ts';
import { changePart, type Outcome } from './queries.ts';

export interface Part {
  /** The field of the body that names a thing. */
  readonly key: string;
  readonly unknown: string;
  readonly example: string | number;
  /** Whether the thing exists. Left out for things of sandboxes: the database knows these. */
  readonly isThere?: (value: string) => boolean;
  /** The list's name in errors. Set if the list can't be changed in a project's group. */
  readonly closed?: string;
}

/** The first role for the whole site. Groups of projects can't have this role or later ones. */
const firstOfSite = 16;

export const parts = {
  roles: {
    key: 'role_id',
    unknown: 'Role not found.',
    example: 9,
    isThere: (id) => roles[Number(id) - 1] !== undefined,
  },
  languages: {
    key: 'language_code',
    unknown: 'Language not found.',
    example: 'cs',
    isThere: (code) => languages().byCode.has(code),
  },
  projects: { key: 'project_id', unknown: 'Project not found.', example: 2, closed: 'projects' },
  components: { key: 'component_id', unknown: 'Component not found.', example: 2 },
  componentlists: {
    key: 'component_list_id',
    unknown: 'Component list not found.',
    example: 1,
    closed: 'component lists',
    isThere: () => false,
  },
  admins: { key: 'user_id', unknown: 'User not found', example: 6 },
} as const satisfies Readonly<Record<string, Part>>;
export type PartName = keyof typeof parts;

export const closedError = ({ key, closed }: Part) =>
  closed === undefined ? [] : [errorLine(key, 'invalid', `Cannot change ${closed} on a scoped team.`)];

const outcomes: Readonly<Partial<Record<Outcome, string>>> = {
  anonymous: 'The anonymous user can not be assigned to teams.',
  inactive: inactiveMember,
};

/** Adds what the body names or removes what the path names. As in Weblate, admins have rules of their own. */
export const changeList =
  (name: PartName, adds: boolean): Handler<OfGroup & { readonly part?: string }> =>
  async (call, services) => {
    const part: Part = parts[name];
    const isOfAdmins = name === 'admins';
    const group = await getGroup(call, services, isOfAdmins);
    const closed = closedError(part);
    const isOfProject = group.defining_project !== null;
    if (closed.length > 0 && isOfProject) throw validationError(closed);
    const { part: inPath = '' } = call.params;
    const refuse = (detail: string) => validationError([errorLine(adds ? part.key : null, 'invalid', detail)]);
    const fromPath = name === 'languages' ? inPath : String(toId(inPath));
    const value = adds ? readValue(name, decodeObject(call, noFields), refuse) : fromPath;
    const missing = adds || isOfAdmins ? refuse(part.unknown) : apiError('not_found');
    if (part.isThere?.(value) === false) throw missing;
    if (adds && isOfProject && name === 'roles' && Number(value) >= firstOfSite)
      throw refuse('This role cannot be assigned to this team.');
    const change = { ...idOf(call.params), part: name, adds, value };
    const { outcome } = await writeAsCaller(call, services, changePart, change);
    if (outcome === null || outcome === 'gone') throw apiError('not_found');
    if (outcome !== 'done') throw outcome === 'unknown' ? missing : refuse(outcomes[outcome] ?? part.unknown);
    if (!adds && !isOfAdmins) return noContent;
    return ok(isOfAdmins && adds ? granted : await showGroup(call, services, change.group_id));
  };

const noFields = (): Fields => ({});
const granted = '{"detail":"Administration rights granted."}';

/** The texts of Python's false values, without the empty text. */
const falseTexts = new Set(['None', 'False', '0', '0.0', '-0.0', '[]', '{}']);

function readValue(name: PartName, fields: Fields, refuse: (detail: string) => Error) {
  const { key } = parts[name];
  const given = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (name === 'admins' && (given === '' || (typeof given !== 'string' && falseTexts.has(pythonText(given)))))
    throw refuse('User ID is required');
  if (given === undefined) throw refuse(`Missing ${key} parameter`);
  if (name === 'languages') {
    if (typeof given !== 'string' || given === '') throw refuse('Invalid language code.');
    return given;
  }
  const id = toInteger(given);
  if (id === undefined) throw refuse(noInteger);
  return String(toId(id));
}
