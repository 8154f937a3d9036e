// The page of a sandbox that doesn't exist.
import { curlLine, renderCopy } from '../curl.ts';
import { renderLayout } from '../frame/layout.ts';
import { html } from '../html.ts';

interface NoSandbox {
  /** Of the service. */
  readonly origin: string;
  readonly name: string;
  /** Whether a sandbox can have this name. */
  readonly isValid: boolean;
  /** Whether a program where the browser runs can make it now. */
  readonly isMakeable: boolean;
}

/** The whole HTML document. To be sent with `pageHeaders`. */
export function renderNoSandbox({ origin, name, isValid, isMakeable }: NoSandbox): string {
  const line = curlLine({ method: 'PUT', url: `${origin}/_understudy/sandboxes/${name}` });
  return renderLayout({
    title: 'No such sandbox · Understudy',
    baseUrl: origin,
    assets: ['home.css'],
    main: html`<div class="home">
      <h1>No sandbox is named “${name}”</h1>
      ${
        isValid
          ? html`<p class="lede">It may have expired, or nobody made it yet.</p>`
          : html`<p class="lede">A name has 1 to 63 of a to z, 0 to 9 and -, and neither begins nor ends with -.</p>`
      }
      ${
        isMakeable
          ? html`<section aria-labelledby="make">
              <h2 id="make">Make it</h2>
              ${renderCopy(line, 'Make the sandbox')}
            </section>`
          : undefined
      }
      <ul class="next">
        <li><a href="${origin}/_understudy/">Make one on the console</a></li>
        <li><a href="${origin}/">Home</a></li>
      </ul>
    </div>`,
  });
}
