// Which sandbox the page is of, and the way to the same page of another, in the header of every page.
import type { Visitor } from '../../http/call.ts';
import { html, type Html } from '../html.ts';
import { linksUnder, pathIn } from '../links.ts';
import { renderLink, renderNameInput } from '../parts.ts';
import { current, renderMenu } from './visitor-choice.ts';

/** Names of other sandboxes are shown only where the gate admits. @param root the service's own URL */
export function renderSandboxChoice(root: string, sandbox: string | null, visitor: Visitor | undefined): Html {
  const { isAdmitted = false, sandboxes = [], returnTo = `${root}/` } = visitor ?? {};
  const label = html`<span class="tiny">sandbox</span> <strong>${sandbox ?? 'all'}</strong>`;
  const home = linksUnder(root)(`${root}/`);
  if (!isAdmitted) return renderMenu('sandboxes', label, html`<p>${renderLink(home, 'Home of the service')}</p>`);
  const names = sandbox === null || sandboxes.includes(sandbox) ? sandboxes : [sandbox, ...sandboxes];
  const path = returnTo.slice(root.length);
  return renderMenu(
    'sandboxes',
    label,
    html`<p class="label" id="used-last">Sandboxes used last</p>
      <ul aria-labelledby="used-last">
        ${names.map(
          (name) =>
            html`<li>
              <a class="pick button" href="${root}${pathIn(name, path)}" ${name === sandbox && current}>${name}</a>
            </li>`,
        )}
      </ul>
      <form action="${root}/_understudy/console/" autocomplete="off">
        <input type="hidden" name="from" value="${returnTo}" />
        <label for="go-to">Another sandbox</label>
        <div class="row line">
          ${renderNameInput(html`id="go-to" name="sandbox" required maxlength="63"`)}
          <button>Go</button>
        </div>
      </form>
      <p><a href="${root}/_understudy/">All sandboxes</a></p>`,
  );
}
