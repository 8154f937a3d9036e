// The frame of the console's pages: the header of every page, and sign-out.
import type { ApiError } from '../errors.ts';
import { html, type Html } from '../pages/html.ts';
import { renderLayout } from '../pages/frame/layout.ts';
import type { Page } from './console-page.ts';

interface Frame {
  readonly origin: string;
  readonly formToken: string | undefined;
}

export function renderConsole({ title, main, assets = [] }: Page, { origin, formToken }: Frame): string {
  return renderLayout({
    title: `${title} · Console · Understudy`,
    baseUrl: origin,
    section: 'console',
    assets: ['console.css', ...assets],
    main: html`${main} ${formToken === undefined ? undefined : renderSignOut(origin, formToken)}`,
  });
}

const renderSignOut = (origin: string, formToken: string): Html =>
  html`<form class="sign-out" method="post" action="${origin}/_understudy/sign-out/">
    ${formTokenField(formToken)}<button>Sign out</button>
  </form>`;

/** Stands in every form of the console. */
export const formTokenField = (formToken: string | undefined): Html | undefined =>
  formToken === undefined ? undefined : html`<input type="hidden" name="csrf" value="${formToken}" />`;

/** An error that no page of its own shows. */
export const renderRefusal = ({ status, lines }: ApiError): Page => ({
  status,
  title: String(status),
  main: html`<h1>${status}</h1>
    <ul class="refusal">
      ${lines.map(({ detail, attr }) => html`<li>${attr === null ? undefined : html`<code>${attr}</code>: `}${detail}</li>`)}
    </ul>`,
});
