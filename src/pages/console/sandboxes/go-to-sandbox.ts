// From a name that was typed into the header of a page to the same page of that sandbox.
import { isSandboxName } from '../../../access/which-sandbox.ts';
import { findSandboxId } from '../../../access/queries.ts';
import { pathIn, pathUnder } from '../../links.ts';
import type { ConsoleAnswer, ConsoleServices, Visit } from '../console-page.ts';

/** A name that no sandbox has leads to the list of those that have it in theirs. */
export async function goToSandbox({ origin, query }: Visit, { database }: ConsoleServices): Promise<ConsoleAnswer> {
  const { sandbox = '', from } = query;
  const name = sandbox.trim();
  if (isSandboxName(name) && (await findSandboxId(database.reads, name)) !== undefined)
    return { redirect: pathIn(name, pathUnder(origin, from) ?? '/_understudy/') };
  return { redirect: `/_understudy/${name === '' ? '' : `?${new URLSearchParams({ name }).toString()}`}` };
}
