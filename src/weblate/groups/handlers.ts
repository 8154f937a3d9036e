// Creates, changes and deletes groups (transcripts groups__*).
import { Type } from '@sinclair/typebox';
import { checkFields, inFieldOrder, readFormFields } from '../../http/body/check-fields.ts';
import { decodeFields, type Fields, isForm } from '../../http/body/decode.ts';
import { existing } from '../../access/permissions.ts';
import { findSignedIn } from '../../access/caller-queries.ts';
import { type Call, type Handler, noContent, readAsCaller, type Services, writeAsCaller } from '../../http/call.ts';
import { pythonInteger, toId } from '../../http/wire/python-input.ts';
import { pythonText, pythonType } from '../../http/wire/python-text.ts';
import { apiError, errorLine, validationError } from '../../base/errors.ts';
import { attempt } from '../../base/failure.ts';
import { initialValues } from '../../model/kinds.ts';
import { inOrderOf, linkTo } from '../answers.ts';
import { dropGroup, findDefiningProject, findGroup, findGroupToChange, putGroup } from './queries.ts';
import { Group, GroupFields, serializeGroup } from './serialize.ts';

export type OfGroup = { readonly id?: string };

/** Reads the id from any text in the path, as Python's int() does (transcript wire__paths). */
export const idOf = ({ id = '' }: OfGroup) => ({ group_id: toId(pythonInteger(id) ?? 0) });

/** Throws 404 if the caller doesn't see the group, and 403 if the caller may not change it. */
export async function getGroup(call: Call<OfGroup>, services: Services, isForAdmins = false) {
  const group = existing((await readAsCaller(call, services, findGroupToChange, idOf(call.params))).found);
  if (!group.is_managed && !(isForAdmins && group.is_administered)) throw apiError('groups_denied');
  return group;
}

export async function showGroup(call: Call, services: Services, group_id: number) {
  const { found } = await readAsCaller(call, services, findGroup, { group_id });
  return JSON.stringify(inOrderOf(Group, serializeGroup(existing(found), call)));
}

const ofProject = (code: string, detail: string) => errorLine('defining_project', code, detail);
const noProject = ofProject('does_not_exist', 'Invalid hyperlink - Object does not exist.');
export const taken = errorLine('name', 'invalid', 'A team with this name already exists in this project.');
const scoped = errorLine('project_selection', 'invalid', 'Cannot change this on a scoped team.');

export const create: Handler = async (call, services) => {
  const { principal_superuser, may_view_users } = await readAsCaller(call, services, findSignedIn, {});
  const seesAll = principal_superuser ?? may_view_users;
  const { values, project } = await readBody(call, services, seesAll);
  if (!(project?.is_managed ?? seesAll)) throw apiError('groups_denied');
  const { outcome, group_id } = await writeAsCaller(call, services, putGroup, {
    group_id: null,
    values: JSON.stringify({
      ...initialValues('groups', ''),
      ...values,
      ...(project && { project_selection: 0, defining_project: project.slug }),
    }),
  });
  if (outcome === 'taken') throw validationError([taken]);
  if (outcome === 'gone') throw validationError([noProject]);
  const id = existing(group_id);
  const headers = { location: linkTo(call, `groups/${id}`) };
  return { status: 201, json: await showGroup(call, services, id), headers };
};

export const change: Handler<OfGroup> = async (call, services) => {
  const group = await getGroup(call, services);
  const { values, project } = await readBody(call, services, group.sees_all);
  const changed = { ...values, ...(project && { defining_project: project.slug }) };
  const isOther = (field: keyof typeof changed) => changed[field] !== undefined && changed[field] !== group[field];
  if (group.internal) {
    const fields = (['name', 'project_selection', 'language_selection', 'defining_project'] as const).filter(isOther);
    const errors = fields.map((field) => errorLine(field, 'invalid', 'Cannot change this on a built-in team.'));
    if (errors.length > 0) throw validationError(errors);
  }
  if (isOther('defining_project'))
    throw validationError([ofProject('invalid', 'Cannot change this on an existing team.')]);
  const { outcome, group_id } = await writeAsCaller(call, services, putGroup, {
    ...idOf(call.params),
    values: JSON.stringify(values),
  });
  if (outcome === 'taken' || outcome === 'scoped') throw validationError([outcome === 'taken' ? taken : scoped]);
  return { status: 200, json: await showGroup(call, services, existing(group_id)) };
};

export const remove: Handler<OfGroup> = async (call, services) => {
  await getGroup(call, services);
  const { outcome } = await writeAsCaller(call, services, dropGroup, idOf(call.params));
  if (outcome !== 'done') throw apiError('not_found');
  return noContent;
};

const PlainFields = Type.Omit(GroupFields, ['defining_project', 'defining_workspace']);

/** Throws 403 for a project that the caller doesn't administer, before any error of a field. */
async function readBody(call: Call, services: Services, seesAll: boolean) {
  const partial = call.method === 'PATCH';
  const sent = decodeFields(call);
  const fields = isForm(call) ? readFormFields(GroupFields, sent, partial) : sent;
  const { project, errors } = await readProject(call, services, fields['defining_project'], seesAll);
  const ofWorkspace = findWorkspaceErrors(fields['defining_workspace']);
  // Callers who don't see all groups get 403 for any UUID.
  if (!seesAll && ofWorkspace.some(({ code }) => code === 'does_not_exist')) throw apiError('action_denied');
  const checked = checkFields(PlainFields, fields, partial);
  const all = [...checked.errors, ...errors, ...ofWorkspace];
  if (all.length > 0) throw validationError(inFieldOrder(GroupFields, all));
  return { values: checked.values, project };
}

async function readProject(call: Call, services: Services, link: Fields[string], seesAll: boolean) {
  if (link === undefined) return { errors: [] };
  if (link === null || link === '') return { errors: [ofProject('null', 'This field may not be null.')] };
  const read = readLink(link, call.place.prefix);
  const slug = typeof read === 'string' ? read : '';
  const project = existing((await readAsCaller(call, services, findDefiningProject, { slug })).found);
  if (!seesAll && !project.is_there) throw apiError('action_denied');
  if (typeof read !== 'string') return { errors: [read] };
  if (!project.is_there) return { errors: [noProject] };
  return { project: { slug, is_managed: project.is_managed }, errors: [] };
}

/**
 * The slug in a link to a project, or the link's fault (transcript groups__described). Of a URL,
 * only the path is read.
 * @param prefix the sandbox's prefix, such as `/sandboxes/ci`
 */
function readLink(link: unknown, prefix: string) {
  if (typeof link !== 'string')
    return ofProject('incorrect_type', `Incorrect type. Expected URL string, received ${pythonType(link)}.`);
  const path = /^https?:(?:\/\/[^/?#]*)?([^?#]*)/s.exec(link)?.[1] ?? link;
  const below = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
  const slug = /^\/api\/projects\/([^/\0]+)\/$/.exec(attempt(() => decodeURIComponent(below)) ?? below)?.[1];
  if (slug !== undefined) return slug;
  return /^\/(?:api|projects)\/(?:[^?#]+\/)?$/.test(below)
    ? ofProject('incorrect_match', 'Invalid hyperlink - Incorrect URL match.')
    : ofProject('no_match', 'Invalid hyperlink - No URL match.');
}

/** No workspaces exist: only null and an empty text are right. To Weblate, an integer of 128 bits is a UUID. */
function findWorkspaceErrors(given: unknown) {
  if (given === undefined || given === null || given === '') return [];
  const text = pythonText(given);
  const error = (code: string, detail: string) => [errorLine('defining_workspace', code, detail)];
  if (typeof given === 'boolean') return error('incorrect_type', 'Incorrect type. Expected pk value, received bool.');
  const digits = text.replaceAll(/urn:|uuid:|^[{}]+|[{}]+$|-/g, '');
  const isInteger = pythonType(given) === 'int';
  const isUuid = isInteger ? /^\d/.test(text) && BigInt(text) < 1n << 128n : /^[0-9a-f]{32}$/i.test(digits);
  return isUuid
    ? error('does_not_exist', `Invalid pk "${text}" - object does not exist.`)
    : error('invalid', `“${text}” is not a valid UUID.`);
}
